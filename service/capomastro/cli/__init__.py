"""The command line: the adjudicator in a terminal. It knows no game by name."""

import codecs
import io
import signal
import sys

ASCII = "terminal_ascii"
"""ASCII by another name: click takes a stream in "ascii" for misconfigured, and writes UTF-8 to it."""


def codec(name: str) -> codecs.CodecInfo | None:
    """ASCII, if it is looked up by the other name."""
    plain = codecs.lookup("ascii")
    return (
        codecs.CodecInfo(*plain, plain.incrementalencoder, plain.incrementaldecoder, ASCII) if name == ASCII else None
    )


def main() -> None:
    """Runs the command line; Ctrl-C ends it while it is still being loaded, too, without a traceback."""
    can_be_interrupted = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if can_be_interrupted:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from capomastro.cli.commands import main as command  # noqa: PLC0415 - takes most of the time

    if can_be_interrupted:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout.errors in ("strict", "surrogateescape"):
        # prose only, as on stderr: not every encoding has the players' names; documents are written as bytes
        is_ascii = codecs.lookup(sys.stdout.encoding).name == "ascii"
        codecs.register(codec)
        sys.stdout.reconfigure(encoding=ASCII if is_ascii else None, errors="backslashreplace")
    command(prog_name="capomastro")
