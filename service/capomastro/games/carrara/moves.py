"""The moves of The Palaces of Carrara."""

from typing import ClassVar

from capomastro.engine.decisions import ChanceMove, SeatMove
from capomastro.engine.multisets import Multiset


class RevealBuilding(ChanceMove, frozen=True):
    """A building of the pile is turned up."""

    reveals: ClassVar[str] = "building"
    building: str


class DrawBlock(ChanceMove, frozen=True):
    """A block out of the bag."""

    reveals: ClassVar[str] = "block"
    block: str


class AnnounceEnd(SeatMove, frozen=True):
    """The end of the game is announced, at the start or at the end of one's turn."""


class TurnWheel(SeatMove, frozen=True):
    """Action I: turn the wheel, refill it, then buy blocks."""


class BuyBlocks(SeatMove, frozen=True):
    """Blocks of one section of the wheel."""

    section: str
    blocks: Multiset


class TakeCoins(SeatMove, frozen=True):
    """Two coins, if no block can be bought or no action is possible."""


class Build(SeatMove, frozen=True):
    """Action II: a building of the board, its city, and the blocks that pay for it."""

    building: str
    city: str
    payment: Multiset


class ScoreType(SeatMove, frozen=True):
    """Action III: all own buildings of one type."""

    building_type: str


class ScoreCity(SeatMove, frozen=True):
    """Action III: all own buildings in one city."""

    city: str


class Pass(SeatMove, frozen=True):
    """No action, after the end has been announced."""


class BuyObject(SeatMove, frozen=True):
    """One object of the board, for 10 coins."""

    object: str


class BuyNothing(SeatMove, frozen=True):
    """No object."""


class EndTurn(SeatMove, frozen=True):
    """The end of the game could be announced, and is not."""
