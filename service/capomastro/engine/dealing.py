"""Dealing: secret cards to one seat after the other, until every hand has its size."""

from typing import Any, TypeVar

from msgspec.structs import replace

from capomastro.engine.hands import gain_closed
from capomastro.engine.seats import with_seat
from capomastro.engine.stages import Stage

S = TypeVar("S", bound=Any)


def next_to_be_dealt(state: Any, size: int) -> int:
    """The first seat with fewer than `size` cards."""
    for index, seat in enumerate(state.seats):
        if seat.hand.size < size:
            return index
    raise ValueError("every hand is dealt")


def deal(state: S, seat: int, card: str | None, pile: str, size: int, following: type[Stage]) -> S:
    """Deals `card` to `seat`; when the last hand has its `size`, the stage `following` begins."""
    hand = gain_closed(state.seats[seat].hand, card, pile)
    last = seat == len(state.seats) - 1 and hand.size == size
    after: S = replace(state, seats=with_seat(state, seat, hand=hand), stage=following() if last else state.stage)
    return after
