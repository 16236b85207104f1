"""The events of The Palaces of Carrara."""

from capomastro.engine import results
from capomastro.engine.events import Event, SeatEvent
from capomastro.engine.members import RuleId
from capomastro.games.carrara import tokens


class BuildingRevealed(Event, frozen=True):
    """A building was turned up on the board."""

    building: tokens.Building
    """The building."""


# --- action I: buy blocks --------------------------------------------------------------------------------------------


class WheelTurned(SeatEvent, frozen=True):
    """A player turned the wheel by one section."""


class BlockDrawn(Event, frozen=True):
    """A block was drawn from the bag onto section I."""

    block: tokens.Block
    """The block."""


class BlocksBought(SeatEvent, frozen=True):
    """A player bought blocks."""

    section: tokens.Section
    """The section."""
    blocks: tokens.Blocks
    """The blocks."""
    price: tokens.Coins
    """The price, in coins."""


class CoinsTaken(SeatEvent, frozen=True):
    """A player could do nothing else and took coins."""

    coins: tokens.Coins
    """The number."""
    rule: RuleId
    """The rule that caused it."""


# --- action II: build ------------------------------------------------------------------------------------------------


class Built(SeatEvent, frozen=True):
    """A player built."""

    building: tokens.Building
    """The building."""
    city: tokens.City
    """The city."""
    payment: tokens.Blocks
    """The blocks paid, which went back into the bag."""


class LastBuildingBuilt(SeatEvent, frozen=True):
    """The 30th building was built: the current round is the last."""

    rule: RuleId
    """The rule that caused it."""


# --- action III: score -----------------------------------------------------------------------------------------------


class TypeScored(SeatEvent, frozen=True):
    """A player scored a type."""

    building_type: tokens.BuildingType
    """The type."""
    rule: RuleId
    """The rule that caused it."""
    points: tokens.Gain
    """The points they pay."""
    coins: tokens.Coins
    """The coins they pay."""
    objects: tokens.Objects
    """The objects gained from the supply."""


class CityScored(SeatEvent, frozen=True):
    """A player scored a city."""

    city: tokens.City
    """The city."""
    rule: RuleId
    """The rule that caused it."""
    points: tokens.Gain
    """The points they pay."""
    coins: tokens.Coins
    """The coins they pay."""
    objects: tokens.Objects
    """The objects gained from the supply."""


# --- the rest of a turn, and the end ---------------------------------------------------------------------------------


class Passed(SeatEvent, frozen=True):
    """A player passed their last turn."""


class ObjectBought(SeatEvent, frozen=True):
    """A player bought an object from the board."""

    object: tokens.Object
    """The object."""
    price: tokens.Coins
    """The price, in coins."""


class EndAnnounced(SeatEvent, frozen=True):
    """A player announced the end of the game."""

    points: tokens.Gain
    """The points for it."""
    rule: RuleId
    """The rule that caused it."""


class FinalScored(SeatEvent, frozen=True):
    """Final scoring: a line of a player's score."""

    rule: RuleId
    """The rule that gives the points."""
    points: results.Points
    """The points; negative if they are lost."""
    number: tokens.ObjectCount | None = None
    """The number of objects."""
    objects: tokens.Objects | None = None
    """The objects; absent if the scoresheet gave only their number."""
    costs: tokens.Costs | None = None
    """The costs of the buildings."""
    coins: tokens.Coins | None = None
    """The coins left."""
