"""The command line: the adjudicator in a terminal. It knows no game by name."""

from capomastro.cli.commands import main

__all__ = ["main"]
