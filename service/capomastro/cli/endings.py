"""How a command ends: its exit code, even if it is stopped or what it prints cannot be written."""

import errno
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import click

from capomastro.documents.system_errors import reason_of
from capomastro.documents.wordings import phrase

ILLEGAL, UNUSABLE = 1, 2
"""Exit codes other than 0: the answer is no; there is no answer."""

FAILED_WRITING = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO}
"""Errors of writing to standard output; those of files that are read or written by name are handled where they open."""


def exit_code_of(number: int) -> int:
    """The exit code of a command that a signal has ended, as in shells."""
    return 128 + number


@contextmanager
def output_guarded() -> Iterator[None]:
    """Ends the command properly if its output cannot be written: the disk is full, or nobody reads it any more."""
    try:
        yield
    except BrokenPipeError:
        discard_output()
        raise click.exceptions.Exit(exit_code_of(signal.SIGPIPE)) from None
    except OSError as error:
        if error.errno not in FAILED_WRITING:
            raise
        discard_output()
        with suppress(OSError):  # messages may find no room either
            click.echo(phrase("output-unwritable", reason=reason_of(error)), err=True)
        raise click.exceptions.Exit(UNUSABLE) from None


def discard_output() -> None:
    """Lets the interpreter write what is still buffered when it ends; else it would change the exit code."""
    with suppress(OSError):  # output that is not a file
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
