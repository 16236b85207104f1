"""The tokens of Palazzo, and the indices of quarries and palaces."""

from typing import Annotated, TypeVar

from msgspec import Meta

from capomastro.engine.members import one_of, up_to
from capomastro.engine.multisets import IN_ANY_ORDER
from capomastro.games.palazzo import components as box

Tile = Annotated[str, one_of(box.TILES, "Building tile", "brick-3-2")]
"""A building tile: material, floor, windows. There is one of each, and two of each material with floor 3 and 1
window."""

Rider = Annotated[str, one_of([box.RIDER], "Rider", "rider")]
"""One of the five riders in stack III."""

Card = Annotated[str, one_of(box.MONEY, "Money card", "red-7", "certificate-2")]
"""A money card: currency and value, three of each; or one of the ten certificates of value 2, which belong to no
currency."""

Token = Tile | Rider | Card
"""A token: the name of a kind of component in the box; and the indices of quarries and palaces."""

Tiles = Annotated[tuple[Tile, ...], IN_ANY_ORDER, up_to(box.TILE_COUNT, "Building tiles", "brick-3-2", "marble-1-1")]
"""Any building tiles, in any order; sorted in answers."""

Cards = Annotated[tuple[Card, ...], IN_ANY_ORDER, up_to(box.MONEY_COUNT, "Money cards", "certificate-2", "red-7")]
"""Any money cards, in any order; sorted in answers."""

Palace = Annotated[
    tuple[Tile, ...],
    Meta(min_length=1, max_length=len(box.FLOORS), title="Palace", examples=[["brick-1-2", "brick-3-1", "marble-4-3"]]),
]
"""The tiles of a palace from bottom to top; their floors rise."""

SeatIndex = Annotated[int, Meta(ge=0, le=box.PLAYERS[-1] - 1, title="Seat of Palazzo", examples=[0, 2])]
"""A seat at the table: 0 is the first player, then clockwise."""

QuarryIndex = Annotated[int, Meta(ge=0, le=box.QUARRIES - 1, title="Quarry", examples=[2])]
"""One of the four quarries, clockwise."""

PalaceIndex = Annotated[int, Meta(ge=0, le=box.TILE_COUNT - 1, title="Number of a palace", examples=[0])]
"""A palace of a player, by its index in the order in which they were begun, from 0. When one vanishes, later indices
decrease by one."""

StackSize = Annotated[int, Meta(ge=0, le=box.TILE_COUNT)]
FloorCount = Annotated[int, Meta(ge=1, le=len(box.FLOORS))]
WindowCount = Annotated[int, Meta(ge=1, le=len(box.FLOORS) * max(box.WINDOWS))]

Item = TypeVar("Item")
BySeat = Annotated[tuple[Item, ...], Meta(min_length=box.PLAYERS[0], max_length=box.PLAYERS[-1])]
"""Something of every player."""
