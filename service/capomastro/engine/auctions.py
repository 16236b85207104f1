"""Auctions in which a seat adds cards to its bid or passes.

The bid of a seat is a struct of the game, with the members `laid`, its cards bid by bid, and `passed`.
"""

from collections.abc import Sequence
from typing import Any, TypeVar

from capomastro.engine.events import SeatEvent
from capomastro.engine.hands import PileOf, from_the_deck, gain_open, lose
from capomastro.engine.moves import SeatMove
from capomastro.engine.multisets import Multiset
from capomastro.engine.seats import clockwise, replaced, with_seat

B = TypeVar("B", bound=Any)
SeatsAndBids = tuple[tuple[Any, ...], tuple[B, ...]]


class Pass(SeatMove, frozen=True):
    """Leaves the auction for good and takes back all cards of the bid."""


class Passed(SeatEvent, frozen=True):
    """A player left the auction and took back their cards."""


def lay(state: Any, bids: Sequence[B], seat: int, cards: Multiset, pile_of: PileOf = from_the_deck) -> SeatsAndBids[B]:
    """The seats and bids after `seat` has added `cards` from its hand to those it has laid."""
    hand, bid = lose(state.seats[seat].hand, cards, pile_of), bids[seat]
    return with_seat(state, seat, hand=hand), replaced(bids, seat, type(bid)((*bid.laid, cards)))


def drop_out(state: Any, bids: Sequence[B], seat: int) -> SeatsAndBids[B]:
    """The seats and bids after a pass, which is final: all cards that `seat` has laid come back, seen by everybody."""
    hand = gain_open(state.seats[seat].hand, cards_of(bids[seat]))
    return with_seat(state, seat, hand=hand), replaced(bids, seat, type(bids[seat])(passed=True))


def cards_of(*bids: Any) -> list[str]:
    """The cards laid in these bids."""
    return [card for bid in bids for cards in bid.laid for card in cards]


def still_bidding(bids: Sequence[Any], last: int) -> list[int]:
    """The seats that have not passed, clockwise, from the one after `last` to `last`."""
    return [seat for seat in clockwise(bids, last + 1) if not bids[seat].passed]
