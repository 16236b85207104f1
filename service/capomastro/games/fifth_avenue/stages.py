"""The stages of Fifth Avenue, in the order of the rulebook: what is to be decided, and what that depends on."""

from typing import Literal

import msgspec

from capomastro.engine.decisions import GameOver, Stage
from capomastro.engine.multisets import Multiset
from capomastro.games.fifth_avenue.bids import colours_of, worth


class DrawStartingBusiness(Stage, frozen=True):
    """Set-up: the tile for the first district without one."""


class DrawStartingLot(Stage, frozen=True):
    """Set-up: the lot it is laid on."""

    business: str


class DrawRowBusiness(Stage, frozen=True):
    """Set-up: the next tile of the row."""


class DealCard(Stage, frozen=True):
    """Set-up: the next card for the first seat with fewer than nine."""


class RevealFirstTop(Stage, frozen=True):
    """Set-up: the visible card of the next coloured pile."""


class PlaceFirstBuilding(Stage, frozen=True):
    """Set-up: a seat places one of its first two buildings."""


class ChooseOption(Stage, frozen=True):
    """The active seat chooses A, B, C or D."""


class DrawBlackCard(Stage, frozen=True):
    """A black card for the first of `seats`, in phase 1 (option C) or 2 (option D)."""

    phase: Literal[1, 2]
    seats: tuple[int, ...]


class TakeCards(Stage, frozen=True):
    """Phase 2 of A, B, C: the active seat takes two coloured cards."""


class RevealTop(Stage, frozen=True):
    """The new visible card of the first pile without one."""


class MoveCommissioner(Stage, frozen=True):
    """The active seat moves a commissioner, in phase 1 (option C) or 3."""

    phase: Literal[1, 3]


class Offer(msgspec.Struct, frozen=True, rename={"laid": "bids"}):
    """A seat's part in an auction: the cards `laid`, bid by bid, and whether it has passed."""

    laid: tuple[Multiset, ...] = ()
    passed: bool = False

    @property
    def cards(self) -> tuple[str, ...]:
        """All cards laid, in the order of the bids."""
        return sum(self.laid, ())

    @property
    def total(self) -> int:
        """Their total value."""
        return worth(self.cards)

    @property
    def colour(self) -> str | None:
        """Their colour, which the first bid determines."""
        return next(iter(colours_of(self.laid[0])), None) if self.laid else None


class Auction(Stage, frozen=True):
    """Auctions interrupt a turn.

    `phase`: of that turn. `commissioner`: its markers are auctioned, now the leftmost, or Central Park when none is
    left.
    """

    phase: Literal[1, 3]
    commissioner: str


class BidOrPass(Auction, frozen=True):
    """A seat bids or passes. `offers` by seat. `dummy`: the cards turned for the dummy."""

    seat: int
    offers: tuple[Offer, ...]
    dummy: Multiset


class TurnDummyCard(Auction, frozen=True):
    """With two players, the next card of the dummy."""

    offers: tuple[Offer, ...]
    dummy: Multiset


class BuildOrStop(Auction, frozen=True):
    """The winner builds at most `limit` buildings on the lot of `colour`, or stops the district."""

    seat: int
    colour: str
    limit: int


class DrawParkTile(Stage, frozen=True):
    """The end: the next of three tiles from under Central Park."""


AnyStage = (
    DrawStartingBusiness
    | DrawStartingLot
    | DrawRowBusiness
    | DealCard
    | RevealFirstTop
    | PlaceFirstBuilding
    | ChooseOption
    | DrawBlackCard
    | TakeCards
    | RevealTop
    | MoveCommissioner
    | BidOrPass
    | TurnDummyCard
    | BuildOrStop
    | DrawParkTile
    | GameOver
)
SETUP = (DrawStartingBusiness, DrawStartingLot, DrawRowBusiness, DealCard, RevealFirstTop, PlaceFirstBuilding)
Bidding = BidOrPass | TurnDummyCard
"""The stages of an auction before it is won."""
END = (DrawParkTile, GameOver)
