"""The values of bids in an auction."""

from capomastro.engine.stages import stage_of
from capomastro.games.palazzo import components as box
from capomastro.games.palazzo.money import play_of
from capomastro.games.palazzo.stages import Bid, RaiseOrPass
from capomastro.games.palazzo.state import State


def total_bid(state: State, seat: int) -> int:
    """A seat's total bid: its plays, each worth what it was when laid, and the opener's certificate."""
    bid = stage_of(state, RaiseOrPass).bids[seat]
    opening = box.OPENING_BID if seat == state.active_seat and not bid.passed else 0
    return opening + sum(play_of(play).worth for play in bid.laid)


def highest_bid(state: State) -> int:
    return max(total_bid(state, seat) for seat in range(len(state.seats)))


def locked_currency(bid: Bid) -> str | None:
    """The currency that a bidder is committed to in this auction."""
    return next((currency for play in bid.laid for currency in play_of(play).currencies), None)
