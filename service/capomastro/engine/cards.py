"""Cards that are dealt, turned up and taken: the moves and events of every game that has them, and how hands are dealt.

A game says which cards it has: it declares the member `card` once more, with a type of its own.
"""

from typing import Any, TypeVar

from msgspec.structs import replace

from capomastro.engine.events import Effect, Event, SeatEvent
from capomastro.engine.hands import DECK, gain_closed
from capomastro.engine.members import SeatIndex
from capomastro.engine.moves import ChanceMove, SeatMove
from capomastro.engine.multisets import Multiset
from capomastro.engine.rules import ChanceRule
from capomastro.engine.seats import with_seat
from capomastro.engine.stages import Stage

# --- moves -----------------------------------------------------------------------------------------------------------


class DealCard(ChanceMove, frozen=True):
    """Chance: a card is dealt into a hand, hidden from the others."""

    card: str | None
    """The card; null if the writer of the record did not see it."""


class RevealCard(ChanceMove, frozen=True):
    """Chance: the next card is turned up."""

    card: str
    """The card."""


class TakeCard(SeatMove, frozen=True):
    """Takes a face-up card into the hand."""

    card: str
    """The card."""


# --- events ----------------------------------------------------------------------------------------------------------


class CardDealt(SeatEvent, frozen=True):
    """A card was dealt, hidden from the others."""

    seat: SeatIndex
    """The owner of the hand it went into."""


class CardRevealed(Event, frozen=True):
    """A card was turned up."""

    card: str
    """The card."""


class CardsTaken(SeatEvent, frozen=True):
    """A player took face-up cards."""

    cards: Multiset
    """The cards."""


# --- dealing ---------------------------------------------------------------------------------------------------------

S = TypeVar("S", bound=Any)
D = TypeVar("D", bound=DealCard)


class DealHandsRule(ChanceRule[S, D]):
    """Secret cards to seat 0 until its hand is complete, then to seat 1, and so on."""

    hand_size: int
    following: Stage
    """The stage after the last card."""

    def sole_witness(self, state: S) -> int:
        """The first seat whose hand is not complete."""
        for index, seat in enumerate(state.seats):
            if seat.hand.size < self.hand_size:
                return index
        raise ValueError("every hand is dealt")

    def pile(self, state: S, seat: int) -> str:
        """The pile that the next card for `seat` comes from."""
        return DECK

    def dealt(self, seat: int, pile: str) -> Event:
        """The event."""
        return CardDealt(seat)

    def play(self, state: S, move: D) -> Effect[S]:
        seat = self.sole_witness(state)
        pile = self.pile(state, seat)
        hand = gain_closed(state.seats[seat].hand, move.card, pile)
        last = seat == len(state.seats) - 1 and hand.size == self.hand_size
        stage = self.following if last else state.stage
        return replace(state, seats=with_seat(state, seat, hand=hand), stage=stage), [self.dealt(seat, pile)]
