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
    if isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout.errors == "strict":
        sys.stdout.reconfigure(errors="replace")  # not every encoding has all quotation marks, or the players' names
    command(prog_name="capomastro")
