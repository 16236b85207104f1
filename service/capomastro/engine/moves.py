"""Moves: small steps of players and of chance, and lists of legal ones."""

from operator import attrgetter
from typing import Any, ClassVar

import msgspec

from capomastro.engine.events import kebab_case
from capomastro.engine.members import SeatIndex
from capomastro.engine.partial import Members, Partial, items_containing
from capomastro.engine.sources import Listed, Source


class Move(msgspec.Struct, frozen=True, gc=False, tag=kebab_case, tag_field="type"):
    """A small step; the `type` says which. Moves of players have a `seat`; moves of chance have none and reveal one
    component."""


class SeatMove(Move, frozen=True):
    """A move of a player."""

    seat: SeatIndex
    """The player who makes the move."""


class ChanceMove(Move, frozen=True):
    """A move of chance: its only member is the component that it reveals."""

    reveals: ClassVar[str]
    """The name of that member."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        (cls.reveals,) = cls.__annotations__

    @property
    def component(self) -> str | None:
        """The revealed component; `None` if the writer of the record did not see it."""
        component: str | None = getattr(self, self.reveals)
        return component


def seat_of(move: Move) -> int | None:
    """The player who makes the move; None if chance does."""
    seat: int | None = getattr(move, "seat", None)
    return seat


def type_of(kind: type) -> str:
    """The `type` of a move or stage in documents."""
    tag: str = kind.__struct_config__.tag  # type: ignore[attr-defined]
    return tag


Moves = Source[Move]
"""The legal moves of one decision, in a stable order, counted without being listed."""


class ListedMoves(Listed[Move]):
    """A short list of moves of one kind."""

    @property
    def members(self) -> Members:
        """The members that say what is chosen: all but the seat."""
        names = [name for move in self.values[:1] for name in move.__struct_fields__ if name != "seat"]
        return [(name, attrgetter(name)) for name in names]

    def completing(self, partial: Partial) -> Moves:
        return ListedMoves(items_containing(partial, self.values, self.members))


NO_MOVES = ListedMoves(())
