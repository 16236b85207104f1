"""The moves of Palazzo. Palaces have indices from 0, in the order in which they were begun."""

from capomastro.engine.decisions import ChanceMove, SeatMove
from capomastro.engine.multisets import Multiset


class DrawTile(ChanceMove, frozen=True):
    """A building tile, or "rider"."""

    tile: str


class DealCard(ChanceMove, frozen=True):
    """A money card dealt to a seat; null if the writer of the record did not see it."""

    card: str | None


class RevealCard(ChanceMove, frozen=True):
    """A money card turned up."""

    card: str


class TakeMoney(SeatMove, frozen=True):
    """Action 1: takes money."""


class TakeTwoCards(SeatMove, frozen=True):
    """The active seat takes two cards from the row."""

    cards: Multiset


class TakeCard(SeatMove, frozen=True):
    """Another seat takes one card from the row."""

    card: str


class Build(SeatMove, frozen=True):
    """Action 2: draws two tiles, then buys or calls an auction."""


class Buy(SeatMove, frozen=True):
    """Buys one or two tiles from the supply with `payment`."""

    tiles: Multiset
    payment: Multiset


class CallAuction(SeatMove, frozen=True):
    """Moves the builder on; the certificate of value 3 opens the auction."""


class Raise(SeatMove, frozen=True):
    """Adds cards to the player's bid."""

    cards: Multiset


class Pass(SeatMove, frozen=True):
    """Leaves the auction and takes back all cards of the bid."""


class TakeTile(SeatMove, frozen=True):
    """Takes one tile from a quarry that is distributed."""

    tile: str


class PlaceOnTop(SeatMove, frozen=True):
    """Places a tile on top of one of the player's palaces."""

    tile: str
    palace: int


class BeginPalace(SeatMove, frozen=True):
    """Begins a palace with a tile."""

    tile: str


class ThrowAway(SeatMove, frozen=True):
    """Removes a tile from the game instead of building it."""

    tile: str


class RebuildTakeOut(SeatMove, frozen=True):
    """Action 3: pays a card; a tile leaves its palace and stands alone as a new one."""

    card: str
    palace: int
    tile: str


class RebuildInsert(SeatMove, frozen=True):
    """Action 3: pays a card; the tile that stands alone as `palace` goes into the palace `into`."""

    card: str
    palace: int
    into: int


class RebuildRemove(SeatMove, frozen=True):
    """Action 3: pays a card; the tile that stands alone as `palace` leaves the game."""

    card: str
    palace: int
