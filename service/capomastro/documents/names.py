"""Players' names: which two are the same. What was written is always kept."""

from collections.abc import Sequence
from typing import Any
from unicodedata import normalize


def composed(name: str) -> str:
    """A name as it is compared: in NFC, because one keyboard writes "ë" as one character, another as two."""
    return name if name.isascii() else normalize("NFC", name)


def are_same(name: str, another: str) -> bool:
    """Whether two names are those of one player."""
    return name == another or composed(name) == composed(another)


def first_repeated(names: Sequence[Any]) -> tuple[int, int] | None:
    """The first seat whose name another seat before it has, and that seat; None if all names are different.

    What is not text is left to the schema.
    """
    seats: dict[str, int] = {}
    for seat, name in enumerate(names):
        before = seats.setdefault(composed(name), seat) if isinstance(name, str) else seat
        if before != seat:
            return seat, before
    return None
