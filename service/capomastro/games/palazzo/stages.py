"""The stages of Palazzo, in the order of the rulebook: what is to be decided, and what that depends on."""

from typing import Annotated

import msgspec
from msgspec import Meta

from capomastro.engine.members import up_to
from capomastro.engine.multisets import IN_ANY_ORDER
from capomastro.engine.stages import GameOver, Stage
from capomastro.games.palazzo import components as box
from capomastro.games.palazzo import tokens

Row = Annotated[
    tuple[tokens.Card, ...],
    IN_ANY_ORDER,
    up_to(box.PLAYERS[-1] + 1, "Row of face-up cards", "blue-4", "certificate-2", "red-7"),
]
"""The face-up money cards, in any order; sorted in answers."""


class DrawSetupTile(Stage, frozen=True):
    """Set-up, chance: the next tile for the first empty quarry, then for the supply."""


class DealCard(Stage, frozen=True):
    """Set-up, chance: the next card for the first seat with fewer than four."""


class ChooseAction(Stage, frozen=True):
    """The active seat takes money, builds or rebuilds."""


class RevealCard(Stage, frozen=True):
    """Take money, chance: the next card of the row."""

    face_up: Row
    """The cards of the row so far."""


class ChooseTwoCards(Stage, frozen=True):
    """Take money: the active seat takes two cards from the row."""

    face_up: Row
    """The row."""


class ChooseCard(Stage, frozen=True):
    """Take money: another seat takes one card from the row."""

    seat: tokens.SeatIndex
    """The seat that chooses."""
    face_up: Row
    """The cards left in the row."""


WithRow = RevealCard | ChooseTwoCards | ChooseCard
"""The stages with a row of cards."""


class DrawFirstTile(Stage, frozen=True):
    """Build, chance: the tile for the supply."""


class DrawSecondTile(Stage, frozen=True):
    """Build, chance: the tile for a quarry."""


class BuyOrAuction(Stage, frozen=True):
    """Build: the active seat buys tiles or calls an auction."""


class Bid(msgspec.Struct, frozen=True, gc=False, rename={"laid": "plays"}):
    """A seat's part in an auction."""

    laid: Annotated[tuple[tokens.Cards, ...], Meta(max_length=box.MONEY_COUNT)] = ()
    """The cards laid, separated by raise: a group counts only within one raise."""
    passed: bool = False
    """Whether the seat has passed and taken back its cards."""


class RaiseOrPass(Stage, frozen=True):
    """An auction: a seat raises or passes. The certificate of value 3 counts for the active seat until it passes."""

    seat: tokens.SeatIndex
    """The seat that decides."""
    bids: tokens.BySeat[Bid]
    """Every seat's bid, by seat."""


class ChooseTile(Stage, frozen=True):
    """A distribution: a seat takes one tile from the quarry of the master builder."""

    seat: tokens.SeatIndex
    """The seat that chooses."""


class PlaceTile(Stage, frozen=True):
    """A seat places its tiles one by one."""

    seat: tokens.SeatIndex
    """The seat that places them."""
    tiles: Annotated[tuple[tokens.Tile, ...], IN_ANY_ORDER, Meta(min_length=1, max_length=box.TILE_COUNT)]
    """The tiles still to place, in any order; sorted in answers."""
    distribution: bool
    """Whether the tile was taken from a quarry of four tiles or more; then the next seat takes one."""


AnyStage = (
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
