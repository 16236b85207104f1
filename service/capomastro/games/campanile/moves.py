"""The moves of Campanile. Towers are named by their style."""

from typing import Annotated

from capomastro.engine import cards
from capomastro.engine.moves import SeatMove
from capomastro.engine.parameters import lying_in, place_at
from capomastro.games.campanile import tokens


class DealCard(cards.DealCard, frozen=True):
    """Chance: a tower card is dealt into a hand, hidden from the others."""

    card: tokens.Card | None


class RevealCard(cards.RevealCard, frozen=True):
    """Chance: the next card of the deck is turned up."""

    card: tokens.Card | tokens.Intermezzo | tokens.Finito
    """A tower card for the display, the Intermezzo or the Finito."""


class PlayCard(SeatMove, frozen=True):
    """A: a card from the hand is played on the tower of its style."""

    card: Annotated[tokens.Card, lying_in("/seats/{seat}/hand")]
    """The card, which determines the tower."""
    floors: tokens.Floors
    """The number of floors it adds to the tower."""


class PlaceMarker(SeatMove, frozen=True):
    """B: places the marker whose value equals the number of floors just added."""

    tower: Annotated[tokens.Style, place_at("/towers/{tower}")]
    """The tower, whose style is in the display."""


class MoveMarker(SeatMove, frozen=True):
    """B, variant for two players: moves one of the player's own medium markers."""

    source: Annotated[tokens.Style, place_at("/towers/{source}")]
    """The tower it leaves."""
    destination: Annotated[tokens.Style, place_at("/towers/{destination}")]
    """The tower it goes to, whose style is in the display."""


class NoMarker(SeatMove, frozen=True):
    """B: places no marker."""


class TakeCard(cards.TakeCard, frozen=True):
    """C: takes a card from the display into the hand."""

    card: Annotated[tokens.Card, lying_in("/display")]
