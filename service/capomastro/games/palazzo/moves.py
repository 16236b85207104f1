"""The moves of Palazzo. Palaces are named by their place in the order in which they were begun, from 0."""

from typing import ClassVar

from capomastro.engine.decisions import ChanceMove, SeatMove
from capomastro.engine.multisets import Multiset


class DrawTile(ChanceMove, frozen=True):
    """A building tile, or "rider"."""

    reveals: ClassVar[str] = "tile"
    tile: str


class DealCard(ChanceMove, frozen=True):
    """A money card dealt to a seat; null if whoever writes the record did not see it."""

    reveals: ClassVar[str] = "card"
    card: str | None


class RevealCard(ChanceMove, frozen=True):
    """A money card turned up."""

    reveals: ClassVar[str] = "card"
    card: str


class TakeMoney(SeatMove, frozen=True):
    """Action 1."""


class TakeTwoCards(SeatMove, frozen=True):
    """Two cards of the row, for the active seat."""

    cards: Multiset


class TakeCard(SeatMove, frozen=True):
    """One card of the row, for another seat."""

    card: str


class Build(SeatMove, frozen=True):
    """Action 2: draw two tiles, then buy or call an auction."""


class Buy(SeatMove, frozen=True):
    """One or two tiles of the supply, and the cards that pay for them."""

    tiles: Multiset
    payment: Multiset


class CallAuction(SeatMove, frozen=True):
    """The builder moves on, and the certificate of value 3 opens."""


class Raise(SeatMove, frozen=True):
    """Cards added to one's own bid."""

    cards: Multiset


class Pass(SeatMove, frozen=True):
    """Leaves the auction; all cards of the bid come back."""


class TakeTile(SeatMove, frozen=True):
    """One tile of a quarry that is distributed."""

    tile: str


class PlaceOnTop(SeatMove, frozen=True):
    """A tile on top of an own palace."""

    tile: str
    palace: int


class BeginPalace(SeatMove, frozen=True):
    """A tile as a new palace."""

    tile: str


class ThrowAway(SeatMove, frozen=True):
    """A tile out of the game instead of building it."""

    tile: str


class RebuildTakeOut(SeatMove, frozen=True):
    """Action 3: pay a card; a tile leaves its palace and stands alone as a new one."""

    card: str
    palace: int
    tile: str


class RebuildInsert(SeatMove, frozen=True):
    """Action 3: pay a card; the tile that stands alone as `palace` goes into the palace `into`."""

    card: str
    palace: int
    into: int


class RebuildRemove(SeatMove, frozen=True):
    """Action 3: pay a card; the tile that stands alone as `palace` leaves the game."""

    card: str
    palace: int
