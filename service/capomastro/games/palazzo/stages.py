"""The stages of Palazzo, in the order of the rulebook: what is to be decided, and what that depends on."""

import msgspec

from capomastro.engine.decisions import GameOver, Stage
from capomastro.engine.multisets import Multiset


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


Row = RevealCard | ChooseTwoCards | ChooseCard
"""The stages with a row of cards."""


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

    @property
    def cards(self) -> list[str]:
        """The cards of all plays."""
        return [card for play in self.plays for card in play]


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
