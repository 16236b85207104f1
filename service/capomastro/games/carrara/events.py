"""The events of The Palaces of Carrara."""

from capomastro.engine.events import Event, SeatEvent
from capomastro.engine.multisets import Multiset


class BuildingRevealed(Event, frozen=True):
    """A building from the pile was turned up."""

    building: str


# --- action I: buy blocks --------------------------------------------------------------------------------------------


class WheelTurned(SeatEvent, frozen=True):
    """The wheel was turned by one section."""


class BlockDrawn(Event, frozen=True):
    """A block was drawn from the bag onto section I."""

    block: str


class BlocksBought(SeatEvent, frozen=True):
    """A player bought blocks from one section."""

    section: str
    blocks: Multiset
    price: int


class CoinsTaken(SeatEvent, frozen=True):
    """A player who could buy nothing or do nothing took coins."""

    coins: int
    rule: str


# --- action II: build ------------------------------------------------------------------------------------------------


class Built(SeatEvent, frozen=True):
    """A player built in a city; `payment`: the blocks paid."""

    building: str
    city: str
    payment: Multiset


class LastBuildingBuilt(SeatEvent, frozen=True):
    """No building is left, so this round is the last."""

    rule: str


# --- action III: score -----------------------------------------------------------------------------------------------


class TypeScored(SeatEvent, frozen=True):
    """All buildings of one type were scored."""

    building_type: str
    rule: str
    points: int
    coins: int
    objects: Multiset


class CityScored(SeatEvent, frozen=True):
    """All buildings in one city were scored."""

    city: str
    rule: str
    points: int
    coins: int
    objects: Multiset


# --- the rest of a turn, and the end ---------------------------------------------------------------------------------


class Passed(SeatEvent, frozen=True):
    """A player did nothing, after the end had been announced."""


class ObjectBought(SeatEvent, frozen=True):
    """A player bought an object from the board."""

    object: str
    price: int


class EndAnnounced(SeatEvent, frozen=True):
    """A player announced the end of the game."""

    points: int
    rule: str


class FinalScored(SeatEvent, frozen=True):
    """Final scoring: a player's score line, with what it counts."""

    rule: str
    points: int
    number: int | None = None
    objects: Multiset | None = None
    costs: tuple[int, ...] | None = None
    coins: int | None = None
