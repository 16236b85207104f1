"""The moves of The Palaces of Carrara."""

from typing import Annotated

from capomastro.engine.moves import ChanceMove, SeatMove
from capomastro.engine.parameters import lying_in, place_at
from capomastro.games.carrara import tokens


class RevealBuilding(ChanceMove, frozen=True):
    """Chance: a building from the pile is turned up."""

    building: tokens.Building
    """The building."""


class DrawBlock(ChanceMove, frozen=True):
    """Chance: a block is drawn from the bag."""

    block: tokens.Block
    """The block."""


class AnnounceEnd(SeatMove, frozen=True):
    """Announces the end of the game, at the start of the player's turn (the action follows) or at its end."""


class TurnWheel(SeatMove, frozen=True):
    """Action I: turns the wheel by one section; it is refilled, then blocks are bought."""


class BuyBlocks(SeatMove, frozen=True):
    """Buys one or more blocks from one section of the wheel, which may be free."""

    section: Annotated[tokens.Section, place_at("/wheel/{section}")]
    """The section."""
    blocks: Annotated[tokens.Blocks, lying_in("/wheel/{section}")]
    """The blocks."""


class TakeCoins(SeatMove, frozen=True):
    """Takes two coins, if no block can be bought after turning the wheel, or if no action is possible."""


class Build(SeatMove, frozen=True):
    """Action II: builds a building from the board in a city, paid for with blocks that the city accepts."""

    building: Annotated[tokens.Building, lying_in("/face_up")]
    """The building."""
    city: Annotated[tokens.City, place_at("/seats/{seat}/cities/{city}")]
    """The city where it is built."""
    payment: Annotated[tokens.Blocks, lying_in("/seats/{seat}/blocks")]
    """The blocks paid, as many as it costs."""


class ScoreType(SeatMove, frozen=True):
    """Action III: scores all of the player's buildings of one type."""

    building_type: Annotated[tokens.BuildingType, place_at("/seats/{seat}/scored_types/{building_type}")]
    """The type."""


class ScoreCity(SeatMove, frozen=True):
    """Action III: scores all of the player's buildings in a city that nobody has scored yet."""

    city: Annotated[tokens.City, place_at("/seats/{seat}/cities/{city}")]
    """The city."""


class Pass(SeatMove, frozen=True):
    """Passes, after the end has been announced."""


class BuyObject(SeatMove, frozen=True):
    """Buys an object from the board, for 10 coins."""

    object: Annotated[tokens.Object, lying_in("/objects_for_sale")]
    """The object."""


class BuyNothing(SeatMove, frozen=True):
    """Buys no object, although it is possible."""


class EndTurn(SeatMove, frozen=True):
    """Does not announce the end of the game, although it is possible."""
