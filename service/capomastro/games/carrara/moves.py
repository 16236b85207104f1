"""The moves of The Palaces of Carrara."""

from capomastro.engine.decisions import ChanceMove, SeatMove
from capomastro.engine.multisets import Multiset


class RevealBuilding(ChanceMove, frozen=True):
    """A building from the pile is turned up."""

    building: str


class DrawBlock(ChanceMove, frozen=True):
    """A block is drawn from the bag."""

    block: str


class AnnounceEnd(SeatMove, frozen=True):
    """Announces the end of the game, at the start or the end of the player's turn."""


class TurnWheel(SeatMove, frozen=True):
    """Action I: turns the wheel, which is refilled; then the player buys blocks."""


class BuyBlocks(SeatMove, frozen=True):
    """Buys blocks from one section of the wheel."""

    section: str
    blocks: Multiset


class TakeCoins(SeatMove, frozen=True):
    """Takes two coins, if no block can be bought or no action is possible."""


class Build(SeatMove, frozen=True):
    """Action II: builds a building from the board in a city, paid for with blocks."""

    building: str
    city: str
    payment: Multiset


class ScoreType(SeatMove, frozen=True):
    """Action III: scores all of the player's buildings of one type."""

    building_type: str


class ScoreCity(SeatMove, frozen=True):
    """Action III: scores all of the player's buildings in one city."""

    city: str


class Pass(SeatMove, frozen=True):
    """Takes no action, after the end has been announced."""


class BuyObject(SeatMove, frozen=True):
    """Buys an object from the board, for 10 coins."""

    object: str


class BuyNothing(SeatMove, frozen=True):
    """Buys no object."""


class EndTurn(SeatMove, frozen=True):
    """Does not announce the end of the game."""
