"""What a set-up and a transition have in common, so that one variable holds either."""

from collections.abc import Sequence
from typing import Protocol, TypeVar

from msgspec import UnsetType

from capomastro_client.models import Decision

State_co = TypeVar("State_co", covariant=True)
Derived_co = TypeVar("Derived_co", covariant=True)
Move_co = TypeVar("Move_co", covariant=True)


class Shown(Protocol[State_co, Derived_co, Move_co]):
    """What a position has, no matter who sees it."""

    @property
    def state(self) -> State_co: ...
    @property
    def decision(self) -> Decision: ...
    @property
    def derived(self) -> Derived_co: ...
    @property
    def moves(self) -> Sequence[Move_co]: ...


class Seen(Shown[State_co, Derived_co, Move_co], Protocol[State_co, Derived_co, Move_co]):
    """A position as a seat or a spectator may know it."""

    @property
    def seat(self) -> int | None: ...


class Position(Shown[State_co, Derived_co, Move_co], Protocol[State_co, Derived_co, Move_co]):
    """What a set-up or a transition leads to; `questions` has one for each game, such as `PalazzoPosition`."""

    @property
    def views(self) -> Sequence[Seen[State_co, Derived_co, Move_co]] | UnsetType: ...


def view_of(position: Position[State_co, Derived_co, Move_co], seat: int | None) -> Seen[State_co, Derived_co, Move_co]:
    """The position as a seat (None: a spectator) may know it.

    Raises:
        LookupError: The request did not ask for this view.
    """
    for view in position.views or ():
        if view.seat == seat:
            return view
    raise LookupError(f"there is no view of seat {seat}: ask for it with `views`")
