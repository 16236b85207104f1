"""What a client has to check at a sealed table, before every move, draw and opening (docs/tables.md)."""

from collections.abc import Sequence
from typing import Protocol


class Creation(Protocol):
    """What is read of a table's creation."""

    @property
    def players(self) -> int: ...


class Waiting(Protocol):
    """What a table waits for."""

    @property
    def for_(self) -> str: ...

    @property
    def seats(self) -> Sequence[int]: ...


class SealedTable(Protocol):
    """What is read of a sealed table, such as a `PalazzoTable`."""

    @property
    def creation(self) -> Creation: ...

    @property
    def id(self) -> str: ...

    @property
    def commitment(self) -> str: ...

    @property
    def waiting(self) -> Waiting: ...

    @property
    def record(self) -> str: ...


def extends(kept: SealedTable, new: SealedTable) -> bool:
    """Whether a table continues the one that was kept: the same game, with everything that had happened by then.

    Check this before every move, draw and opening, and for every table in an answer; then keep the new one. Both tables
    must be genuine: `view_table` with seat None refuses a table that is not.
    """
    same = (kept.creation, kept.id, kept.commitment) == (new.creation, new.id, new.commitment)
    return same and _joined(new) >= _joined(kept) and new.record.startswith(kept.record)


def _joined(table: SealedTable) -> int:
    """How many seats have joined."""
    return table.waiting.seats[0] if table.waiting.for_ == "join" else table.creation.players
