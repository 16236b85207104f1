"""Helpers for the seats of a game, and for tuples in general."""

from collections.abc import Sequence
from typing import Any, TypeVar

from msgspec.structs import replace

T = TypeVar("T")


def replaced(items: Sequence[T], index: int, item: T) -> tuple[T, ...]:
    """`items` with `item` at `index`."""
    after = list(items)
    after[index] = item
    return tuple(after)


def next_seat(state: Any, seat: int) -> int:
    """The next seat, clockwise."""
    following: int = (seat + 1) % len(state.seats)
    return following


def clockwise(seats: Sequence[Any], first: int) -> list[int]:
    """The indices of all seats in clockwise order, from `first` on; also from beyond the last."""
    indices = range(len(seats))
    return [*indices[first:], *indices[:first]]


def with_seat(state: Any, index: int, **changes: Any) -> tuple[Any, ...]:
    """The seats of a state with `changes` applied to the one at `index`."""
    return replaced(state.seats, index, replace(state.seats[index], **changes))
