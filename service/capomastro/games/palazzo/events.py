"""The events of Palazzo. Quarries and palaces are numbered as in the state after the move."""

from typing import Literal

from capomastro.engine.events import Event, SeatEvent
from capomastro.engine.multisets import Multiset

# --- set-up and drawing ----------------------------------------------------------------------------------------------


class TileDrawn(Event, frozen=True):
    """A tile came on the supply, or on a quarry."""

    tile: str
    to: Literal["supply", "quarry"]
    quarry: int | None = None


class CardDealt(SeatEvent, frozen=True):
    """A card came into a hand, unseen by the others."""


class CardRevealed(Event, frozen=True):
    """A card of the row was turned up."""

    card: str


class DeckShuffled(Event, frozen=True):
    """The discards, these cards, became the new deck."""

    rule: str
    cards: Multiset


class RiderDrawn(Event, frozen=True):
    """A rider was laid aside; so many have been drawn now."""

    rule: str
    riders: int


# --- the actions -----------------------------------------------------------------------------------------------------


class ActionChosen(SeatEvent, frozen=True):
    """A player takes money or builds; whoever rebuilds has done so at once."""

    action: Literal["take-money", "build"]


class CardsTaken(SeatEvent, frozen=True):
    """Cards of the row came into a hand."""

    cards: Multiset


class TilesBought(SeatEvent, frozen=True):
    """Tiles of the supply were paid for."""

    tiles: Multiset
    price: int
    payment: Multiset


class NothingToAuction(SeatEvent, frozen=True):
    """An auction was called, but no tile lay on any quarry."""

    rule: str


class Distribution(SeatEvent, frozen=True):
    """An auction was called, but so many tiles lay on the quarry that they are distributed."""

    quarry: int
    tiles: Multiset
    rule: str


class AuctionOpened(SeatEvent, frozen=True):
    """The certificate of value 3 opened an auction."""

    quarry: int
    tiles: Multiset
    rule: str


class BidRaised(SeatEvent, frozen=True):
    """Cards were added to a bid, which is so much now."""

    cards: Multiset
    bid: int


class Passed(SeatEvent, frozen=True):
    """A player left the auction and took back the cards of the bid."""


class AuctionWon(SeatEvent, frozen=True):
    """The last player standing won the tiles."""

    tiles: Multiset
    bid: int


class TileTaken(SeatEvent, frozen=True):
    """A tile of a distribution was taken."""

    tile: str


# --- building and rebuilding -----------------------------------------------------------------------------------------


class TilePlaced(SeatEvent, frozen=True):
    """A tile came on top of a palace."""

    tile: str
    palace: int


class PalaceBegun(SeatEvent, frozen=True):
    """A tile stands alone as a new palace."""

    tile: str
    palace: int


class TilesRemoved(Event, frozen=True, kw_only=True):
    """Tiles left the game: a player threw them away or removed them, or a distribution left them."""

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
    """Final scoring: one line of a palace."""

    rule: str
    points: int
    palace: int
    floors: int
    windows: int
    tiles: tuple[str, ...]


class GameOver(Event, frozen=True):
    """The game has ended."""

    rule: str
