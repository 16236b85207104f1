"""The command line: the questions of the adjudicator asked from a terminal. It knows no game by name."""

from capomastro.cli.commands import main

__all__ = ["main"]
