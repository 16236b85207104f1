"""The events of Palazzo. Quarries and palaces are numbered as in the state after the move."""

from typing import Literal

from capomastro.engine.events import Event, SeatEvent
from capomastro.engine.multisets import Multiset

# --- set-up and drawing ----------------------------------------------------------------------------------------------


class TileDrawn(Event, frozen=True):
    """A tile was drawn onto the supply or a quarry."""

    tile: str
    to: Literal["supply", "quarry"]
    quarry: int | None = None


class CardDealt(SeatEvent, frozen=True):
    """A card was dealt into a hand, hidden from the others."""


class CardRevealed(Event, frozen=True):
    """A card of the row was turned up."""

    card: str


class DeckShuffled(Event, frozen=True):
    """The discards (`cards`) were shuffled into a new deck."""

    rule: str
    cards: Multiset


class RiderDrawn(Event, frozen=True):
    """A rider was drawn and laid aside."""

    rule: str
    riders: int


# --- the actions -----------------------------------------------------------------------------------------------------


class ActionChosen(SeatEvent, frozen=True):
    """A player chose to take money or to build; rebuilding needs no such step."""

    action: Literal["take-money", "build"]


class CardsTaken(SeatEvent, frozen=True):
    """A player took cards from the row."""

    cards: Multiset


class TilesBought(SeatEvent, frozen=True):
    """A player bought tiles from the supply."""

    tiles: Multiset
    price: int
    payment: Multiset


class NothingToAuction(SeatEvent, frozen=True):
    """An auction was called, but all quarries were empty."""

    rule: str


class Distribution(SeatEvent, frozen=True):
    """An auction was called, but the quarry had four tiles or more, which are distributed."""

    quarry: int
    tiles: Multiset
    rule: str


class AuctionOpened(SeatEvent, frozen=True):
    """The certificate of value 3 opened an auction."""

    quarry: int
    tiles: Multiset
    rule: str


class BidRaised(SeatEvent, frozen=True):
    """A player added cards to their bid, which is now `bid`."""

    cards: Multiset
    bid: int


class Passed(SeatEvent, frozen=True):
    """A player left the auction and took back the cards of the bid."""


class AuctionWon(SeatEvent, frozen=True):
    """The last player standing won the tiles."""

    tiles: Multiset
    bid: int


class TileTaken(SeatEvent, frozen=True):
    """A player took a tile in a distribution."""

    tile: str


# --- building and rebuilding -----------------------------------------------------------------------------------------


class TilePlaced(SeatEvent, frozen=True):
    """A tile was placed on top of a palace."""

    tile: str
    palace: int


class PalaceBegun(SeatEvent, frozen=True):
    """A tile stands alone as a new palace."""

    tile: str
    palace: int


class TilesRemoved(Event, frozen=True, kw_only=True):
    """Tiles left the game: thrown away, removed, or left over from a distribution."""

    seat: int | None = None
    tiles: Multiset
    rule: str | None = None


class CardPaid(SeatEvent, frozen=True):
    """A card was paid for a rebuilding."""

    card: str


class TileTakenOut(SeatEvent, frozen=True):
    """A tile left a palace and stands alone as a new one."""

    tile: str
    palace: int
    new_palace: int


class TileInserted(SeatEvent, frozen=True):
    """A tile that stood alone went into another palace."""

    tile: str
    palace: int


# --- the end ---------------------------------------------------------------------------------------------------------


class PalaceScored(SeatEvent, frozen=True):
    """Final scoring: a score line of a palace."""

    rule: str
    points: int
    palace: int
    floors: int
    windows: int
    tiles: tuple[str, ...]
