"""The command line: the adjudicator in a terminal. It knows no game by name."""

import io
import signal
import sys


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
        sys.stdout.reconfigure(errors="backslashreplace")
    command(prog_name="capomastro")
