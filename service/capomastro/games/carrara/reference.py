"""Reference data: blocks with their prices, buildings, objects, cities, and what the end needs and scores."""

from typing import Literal

from capomastro.engine.reference import Component, Part, Reference
from capomastro.games.carrara import components as box
from capomastro.games.carrara.scoring import COINS_FOR_A_POINT, OBJECT_POINTS


class BlockPrice(Part, frozen=True):
    """The price of a block on a section of the wheel."""

    section: str
    """The section."""
    coins: int
    """The price."""


class BlockEntry(Component, frozen=True):
    """A block of marble."""

    prices: tuple[BlockPrice, ...]
    """Its price on each section."""


class BuildingEntry(Component, frozen=True):
    """A building."""

    type: str
    """Its type."""
    cost: int
    """Its cost in blocks."""


class ObjectEntry(Component, frozen=True):
    """An object."""

    building_type: str
    """The type of buildings it belongs to."""


class CityEntry(Part, frozen=True):
    """A city."""

    token: str
    """Its token."""
    pays: Literal["points", "coins"]
    """What its buildings pay when they are scored."""
    rate: int
    """How much for each point of cost."""
    accepts: tuple[str, ...]
    """The blocks it accepts."""
    minimum: int
    """The buildings it needs to be scored."""


class Objectives(Part, frozen=True):
    """What a player needs to announce the end."""

    players: int
    """The number of players."""
    scorings: int
    """Types and cities scored."""
    objects: int
    """Objects."""
    cost: int
    """The cost of all their buildings together."""


class CarraraReference(Reference, frozen=True):
    """The reference data of The Palaces of Carrara."""

    blocks: tuple[BlockEntry, ...]
    """The blocks, costliest first."""
    buildings: tuple[BuildingEntry, ...]
    """The buildings."""
    objects: tuple[ObjectEntry, ...]
    """The objects."""
    cities: tuple[CityEntry, ...]
    """The cities, costliest first."""
    objectives: tuple[Objectives, ...]
    """The objectives by number of players."""
    sections: tuple[str, ...]
    """The sections of the wheel."""
    blocks_on_wheel: int
    """The wheel is filled up to this many blocks."""
    buildings_face_up: int
    """The buildings on the board."""
    starting_coins: int
    """Every player's coins at the start."""
    starting_blocks: tuple[str, ...]
    """The block at the start, by seat."""
    object_price: int
    """The price of an object on the board, in coins."""
    announcement_points: int
    """Points for announcing the end."""
    object_points: int
    """Points for each object at the end."""
    coins_for_a_point: int
    """Coins that make a point at the end."""


def reference() -> CarraraReference:
    """Everything from the tables of components and scoring."""
    type_of_object = {name: building_type for building_type, name in box.OBJECT_OF.items()}
    return CarraraReference(
        blocks=tuple(BlockEntry(colour, box.BLOCKS[colour], prices_of(colour)) for colour in box.COLOURS),
        buildings=tuple(
            BuildingEntry(building, 1, box.TYPE_OF[building], cost) for building, cost in box.COST_OF.items()
        ),
        objects=tuple(ObjectEntry(name, count, type_of_object[name]) for name, count in box.OBJECTS.items()),
        cities=tuple(CityEntry(name, *city) for name, city in box.CITIES.items()),
        objectives=tuple(
            Objectives(players, box.SCORINGS_NEEDED, box.OBJECTS_NEEDED[players], box.COST_NEEDED[players])
            for players in box.OBJECTS_NEEDED
        ),
        sections=box.SECTIONS,
        blocks_on_wheel=box.WHEEL_BLOCKS,
        buildings_face_up=box.FACE_UP,
        starting_coins=box.STARTING_COINS,
        starting_blocks=box.STARTING_BLOCKS,
        object_price=box.OBJECT_PRICE,
        announcement_points=box.ANNOUNCEMENT_POINTS,
        object_points=OBJECT_POINTS,
        coins_for_a_point=COINS_FOR_A_POINT,
    )


def prices_of(colour: str) -> tuple[BlockPrice, ...]:
    return tuple(BlockPrice(section, box.price_of(colour, section)) for section in box.SECTIONS)
