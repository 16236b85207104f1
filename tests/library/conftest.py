"""The library is compared with the command line."""

from tests.cli.conftest import ask

__all__ = ["ask"]
