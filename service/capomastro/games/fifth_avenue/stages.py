"""The stages of Fifth Avenue, in the order of the rulebook: what is to be decided, and what that depends on."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from capomastro.engine.stages import GameOver, Stage
from capomastro.games.fifth_avenue import components as box
from capomastro.games.fifth_avenue import tokens
from capomastro.games.fifth_avenue.bids import MAXIMUM_BUILT, colours_of, worth


class DrawStartingBusiness(Stage, frozen=True):
    """Set-up, chance: the business for the first district without one."""


class DrawStartingLot(Stage, frozen=True):
    """Set-up, chance: the lot on which the starting business is laid."""

    business: tokens.Business
    """The business to lay."""


class DrawRowBusiness(Stage, frozen=True):
    """Set-up, chance: the next business of the row."""


class DealCard(Stage, frozen=True):
    """Set-up, chance: the next card for the first seat with fewer than nine: one of each colour, then four black
    ones."""


class RevealFirstTop(Stage, frozen=True):
    """Set-up, chance: the visible card of the next coloured pile."""


class PlaceFirstBuilding(Stage, frozen=True):
    """Set-up: a seat places one of its first two buildings, seat 0 first, then counter-clockwise, the second ones in
    reverse order."""


class ChooseOption(Stage, frozen=True):
    """The active seat chooses option A, B, C or D by its first move."""


class DrawBlackCard(Stage, frozen=True):
    """Chance: a black card for the first of the seats that are still to draw."""

    phase: Literal[1, 2]
    """1 in option C, 2 in option D."""
    seats: Annotated[
        tuple[tokens.SeatIndex, ...], Meta(min_length=1, max_length=box.BLACK_CARDS_TAKEN + box.PLAYERS[-1])
    ]
    """The seats still to draw, in this order."""


class TakeCards(Stage, frozen=True):
    """Phase 2 of the options A, B, C: the active seat takes two coloured cards."""


class RevealTop(Stage, frozen=True):
    """Chance: the new visible card of the first coloured pile that has none on its face-down cards."""


class MoveCommissioner(Stage, frozen=True):
    """The active seat moves a commissioner."""

    phase: Literal[1, 3]
    """1 in option C before cards are taken, 3 at the end of the turn."""


class Offer(msgspec.Struct, frozen=True, gc=False, rename={"laid": "bids"}):
    """A seat's bids in an auction, and whether it has passed."""

    laid: Annotated[tuple[tokens.Cards, ...], Meta(max_length=box.CARD_COUNT)] = ()
    """The cards laid, bid by bid."""
    passed: bool = False
    """Whether the seat has passed and taken back its cards."""

    @property
    def total(self) -> int:
        """The total value of the cards laid."""
        return sum(map(worth, self.laid)) if self.laid else 0

    @property
    def colour(self) -> str | None:
        """The colour of the cards laid, which the first bid determines."""
        return next(iter(colours_of(self.laid[0])), None) if self.laid else None


class Auction(Stage, frozen=True):
    """Auctions interrupt a turn."""

    phase: Literal[1, 3]
    """The phase of the interrupted turn: 1 in option C, otherwise 3."""
    commissioner: tokens.Commissioner
    """The commissioner that was moved: its markers are auctioned from left to right, then Central Park."""


class BidOrPass(Auction, frozen=True):
    """An auction: a seat bids or passes."""

    seat: tokens.SeatIndex
    """The seat that decides."""
    offers: tokens.BySeat[Offer]
    """The cards that each seat has laid."""
    dummy: tokens.BlackCards
    """The cards turned for the dummy; empty with three or four players."""


class TurnDummyCard(Auction, frozen=True):
    """An auction of two players, chance: the next card of the dummy."""

    offers: tokens.BySeat[Offer]
    """The cards that each seat has laid."""
    dummy: tokens.BlackCards
    """The cards turned for the dummy so far."""


class BuildOrStop(Auction, frozen=True):
    """The winner of an auction builds on the lot of their colour, or orders a building stop."""

    seat: tokens.SeatIndex
    """The winner."""
    colour: tokens.Colour
    """The colour they bid in."""
    limit: Annotated[int, Meta(ge=1, le=MAXIMUM_BUILT)]
    """The maximum number of buildings, as their highest card allows."""


class DrawParkTile(Stage, frozen=True):
    """The end, chance: the next of three tiles from under Central Park."""


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
