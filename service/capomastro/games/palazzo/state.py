"""The state of a game of Palazzo: its components, options and stages."""

from typing import Annotated

import msgspec

from capomastro.engine import game as engine
from capomastro.engine.decisions import GameOver, Stage
from capomastro.engine.hands import Hand
from capomastro.engine.multisets import Multiset

Palace = tuple[str, ...]
"""Tiles from bottom to top."""


class Options(msgspec.Struct, frozen=True):
    """`stack_sizes`: tiles in the stacks I, II, III, without riders. `builder`: the quarry where the builder starts."""

    stack_sizes: Annotated[tuple[int, int, int], "palazzo.components.stacks"] = (16, 16, 16)
    builder: Annotated[int, "palazzo.setup.builder"] = 0


class Seat(engine.Seat, frozen=True):
    """A player's money cards, and their palaces in the order in which they were begun."""

    hand: Hand
    palaces: tuple[Palace, ...]


# --- stages ----------------------------------------------------------------------------------------------------------


class DrawSetupTile(Stage, frozen=True):
    """Set-up: the next tile for the first empty quarry, then for the supply."""


class DealCard(Stage, frozen=True):
    """Set-up: the next card for the first seat with fewer than four."""


class ChooseAction(Stage, frozen=True):
    """The active seat takes money, builds or rebuilds."""


class RevealCard(Stage, frozen=True):
    """Take money: the next card of the row."""

    face_up: Multiset


class ChooseTwoCards(Stage, frozen=True):
    """Take money: the active seat takes two cards from the row."""

    face_up: Multiset


class ChooseCard(Stage, frozen=True):
    """Take money: another seat takes one card from the row."""

    seat: int
    face_up: Multiset


class DrawFirstTile(Stage, frozen=True):
    """Build: the tile for the supply."""


class DrawSecondTile(Stage, frozen=True):
    """Build: the tile for a quarry."""


class BuyOrAuction(Stage, frozen=True):
    """Build: the active seat buys or calls an auction."""


class Bid(msgspec.Struct, frozen=True):
    """A seat's part in an auction: its plays, kept separate, and whether it has passed.

    The certificate of value 3 counts for the active seat until it passes.
    """

    plays: tuple[Multiset, ...] = ()
    passed: bool = False


class RaiseOrPass(Stage, frozen=True):
    """An auction: a seat raises or passes. `bids` by seat."""

    seat: int
    bids: tuple[Bid, ...]


class ChooseTile(Stage, frozen=True):
    """A distribution: a seat takes one tile from the quarry."""

    seat: int


class PlaceTile(Stage, frozen=True):
    """A seat places its tiles one by one; `distribution`: the tile came from a quarry of four or more."""

    seat: int
    tiles: Multiset
    distribution: bool


Stages = (
    DrawSetupTile
    | DealCard
    | ChooseAction
    | RevealCard
    | ChooseTwoCards
    | ChooseCard
    | DrawFirstTile
    | DrawSecondTile
    | BuyOrAuction
    | RaiseOrPass
    | ChooseTile
    | PlaceTile
    | GameOver
)


class State(engine.State, frozen=True, kw_only=True):
    """A game of Palazzo.

    `builder`: the quarry of the master builder; `quarries` clockwise; `riders` drawn; `removed`: tiles out of the
    game; `shuffled_in`: the cards of the deck's last shuffle, without those revealed since.
    """

    options: Options
    active_seat: int
    stage: Stages
    seats: tuple[Seat, ...]
    builder: int
    quarries: tuple[Multiset, Multiset, Multiset, Multiset]
    supply: Multiset
    riders: int
    removed: Multiset
    discards: Multiset
    shuffled_in: Multiset | None = None
