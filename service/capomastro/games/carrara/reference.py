"""Reference data: blocks with their prices, buildings, objects, cities, and what the end needs and scores."""

from typing import Annotated, Literal

from msgspec import Meta

from capomastro.engine.reference import Component, Part, Reference
from capomastro.games.carrara import components as box
from capomastro.games.carrara.scoring import COINS_FOR_A_POINT, OBJECT_POINTS


class BlockPrice(Part, frozen=True):
    """The price of a block on a section of the wheel."""

    section: Annotated[str, Meta(description="The section.")]
    coins: Annotated[int, Meta(description="The price.")]


class BlockEntry(Component, frozen=True):
    """A block of marble."""

    prices: Annotated[tuple[BlockPrice, ...], Meta(description="Its price on each section.")]


class BuildingEntry(Component, frozen=True):
    """A building."""

    type: Annotated[str, Meta(description="Its type.")]
    cost: Annotated[int, Meta(description="Its cost in blocks.")]


class ObjectEntry(Component, frozen=True):
    """An object."""

    building_type: Annotated[str, Meta(description="The type of buildings it belongs to.")]


class CityEntry(Part, frozen=True):
    """A city."""

    token: Annotated[str, Meta(description="Its token.")]
    pays: Annotated[Literal["points", "coins"], Meta(description="What its buildings pay when they are scored.")]
    rate: Annotated[int, Meta(description="How much for each point of cost.")]
    accepts: Annotated[tuple[str, ...], Meta(description="The blocks it accepts.")]
    minimum: Annotated[int, Meta(description="The buildings it needs to be scored.")]


class Objectives(Part, frozen=True):
    """What a player needs to announce the end."""

    players: Annotated[int, Meta(description="The number of players.")]
    scorings: Annotated[int, Meta(description="Types and cities scored.")]
    objects: Annotated[int, Meta(description="Objects.")]
    cost: Annotated[int, Meta(description="The cost of all their buildings together.")]


class CarraraReference(Reference, frozen=True):
    """The reference data of The Palaces of Carrara."""

    blocks: Annotated[tuple[BlockEntry, ...], Meta(description="The blocks, costliest first.")]
    buildings: Annotated[tuple[BuildingEntry, ...], Meta(description="The buildings.")]
    objects: Annotated[tuple[ObjectEntry, ...], Meta(description="The objects.")]
    cities: Annotated[tuple[CityEntry, ...], Meta(description="The cities, costliest first.")]
    objectives: Annotated[tuple[Objectives, ...], Meta(description="The objectives by number of players.")]
    sections: Annotated[tuple[str, ...], Meta(description="The sections of the wheel.")]
    blocks_on_wheel: Annotated[int, Meta(description="The wheel is filled up to this many blocks.")]
    buildings_face_up: Annotated[int, Meta(description="The buildings on the board.")]
    starting_coins: Annotated[int, Meta(description="Every player's coins at the start.")]
    starting_blocks: Annotated[tuple[str, ...], Meta(description="The block at the start, by seat.")]
    object_price: Annotated[int, Meta(description="The price of an object on the board, in coins.")]
    announcement_points: Annotated[int, Meta(description="Points for announcing the end.")]
    object_points: Annotated[int, Meta(description="Points for each object at the end.")]
    coins_for_a_point: Annotated[int, Meta(description="Coins that make a point at the end.")]


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
