"""The tokens of The Palaces of Carrara."""

from typing import Annotated, TypeVar

from msgspec import Meta

from capomastro.engine.members import one_of, up_to
from capomastro.engine.multisets import IN_ANY_ORDER
from capomastro.games.carrara import components as box

Block = Annotated[str, one_of(box.COLOURS, "Block", "white")]
"""A block of marble by its colour, from the most expensive to the cheapest; seven of each."""

Building = Annotated[str, one_of(box.TYPE_OF, "Building tile", "library-3")]
"""A building tile: type and cost, one of each."""

BuildingType = Annotated[str, one_of(box.TYPES, "Type of building", "library")]
"""One of the four types of the city or the two of the country."""

Object = Annotated[str, one_of(box.OBJECT_OF.values(), "Object", "book")]
"""An object: book of the library, crown of the palace, gate of the gate, cup of the cathedral, flag of the castle, coat
of arms of the villa. Six of each."""

City = Annotated[str, one_of(box.CITIES, "City", "pisa")]
"""A city, from the most expensive to the cheapest."""

Section = Annotated[str, one_of(box.SECTIONS, "Section of the wheel", "II")]
"""A section of the wheel."""

OBJECT_COUNT = sum(box.OBJECTS.values())
MOST_COINS = 1_000_000
"""Coins are unlimited: a game with so many cannot be continued."""
MOST_POINTS = 1_000
"""More than every building scored by its type and by its city, all in the city that pays most, and the announcement."""

Blocks = Annotated[tuple[Block, ...], IN_ANY_ORDER, up_to(box.BLOCK_COUNT, "Blocks", "black", "blue", "green")]
"""Any blocks, in any order; sorted in answers."""

Buildings = Annotated[
    tuple[Building, ...], IN_ANY_ORDER, up_to(box.BUILDING_COUNT, "Buildings", "library-3", "villa-1")
]
"""Any building tiles, in any order; sorted in answers."""

Objects = Annotated[tuple[Object, ...], IN_ANY_ORDER, up_to(OBJECT_COUNT, "Objects", "book", "book", "crown")]
"""Any objects, in any order; sorted in answers."""

Coins = Annotated[int, Meta(ge=0, le=MOST_COINS, title="Coins", examples=[20])]
"""A number of coins; coins are unlimited."""

Points = Annotated[int, Meta(ge=0, le=MOST_POINTS, title="Points on the track", examples=[27])]
"""The points scored during the game, including those for announcing the end, without the final scoring."""

SeatIndex = Annotated[int, Meta(ge=0, le=box.PLAYERS[-1] - 1, title="Seat of The Palaces of Carrara", examples=[0, 2])]
"""A seat at the table: 0 is the start player, then clockwise."""

Costs = Annotated[
    tuple[Annotated[int, Meta(ge=min(box.COSTS), le=max(box.COSTS))], ...],
    up_to(box.BUILDING_COUNT, "Costs", 1, 2, 3, 3, 4, 5, 5),
]
"""The costs of a player's buildings."""

Token = Block | Building | Object | City | BuildingType | Section
"""A token: the name of a kind of component in the box."""

Item = TypeVar("Item")
BySeat = Annotated[tuple[Item, ...], Meta(min_length=box.PLAYERS[0], max_length=box.PLAYERS[-1])]
"""Something of every player."""

ObjectCount = Annotated[int, Meta(ge=0, le=OBJECT_COUNT)]
Gain = Annotated[int, Meta(ge=0)]
"""What an event pays; no upper bound of its own."""
