"""The components in the box: tables to compare with the rulebook."""

from typing import Annotated, Literal, NamedTuple

PLAYERS = range(2, 5)

# --- blocks and the wheel --------------------------------------------------------------------------------------------

COLOURS = ("white", "yellow", "red", "green", "blue", "black")
"""Costliest first."""

BLOCKS: Annotated[dict[str, int], "carrara.components.blocks"] = dict.fromkeys(sorted(COLOURS), 7)
"""42 blocks of marble."""

BLOCK_COUNT = sum(BLOCKS.values())

SECTIONS = ("I", "II", "III", "IV", "V", "VI")
"""Of the wheel."""

WHEEL_BLOCKS = 11
"""The wheel is refilled to this many blocks."""

PRICE_ON_FIRST_SECTION: Annotated[dict[str, int], "carrara.components.prices"] = {
    "white": 6,
    "yellow": 5,
    "red": 4,
    "green": 3,
    "blue": 2,
    "black": 1,
}


def price_of(block: str, section: str) -> int:
    """The price of a block on a section: from I on, one coin less on each, down to nothing."""
    return max(0, PRICE_ON_FIRST_SECTION[block] - SECTIONS.index(section))


# --- buildings and objects -------------------------------------------------------------------------------------------

OBJECT_OF: Annotated[dict[str, str], "carrara.components.object-kinds"] = {
    "library": "book",
    "palace": "crown",
    "gate": "gate",
    "cathedral": "cup",
    "castle": "flag",
    "villa": "coat-of-arms",
}
"""The object of each type of building; castle and villa are country buildings."""

TYPES = tuple(OBJECT_OF)
COSTS = (1, 2, 3, 4, 5)

TYPE_OF: Annotated[dict[str, str], "carrara.components.buildings"] = {
    f"{building_type}-{cost}": building_type for building_type in sorted(TYPES) for cost in COSTS
}
"""30 building tiles, "library-3" = type and cost, one each."""

BUILDINGS = dict.fromkeys(TYPE_OF, 1)
COST_OF = {building: int(building[-1]) for building in TYPE_OF}
BUILDING_COUNT = len(TYPE_OF)

OBJECTS: Annotated[dict[str, int], "carrara.components.objects"] = dict.fromkeys(sorted(OBJECT_OF.values()), 6)
"""36 objects: of each kind, one is for sale on the board, five are the supply for scorings."""

# --- cities ----------------------------------------------------------------------------------------------------------


class City(NamedTuple):
    """What a city pays per unit of cost, the blocks it accepts, and the number of buildings needed to score it."""

    pays: Literal["points", "coins"]
    rate: int
    accepts: tuple[str, ...]
    minimum: int


CITIES: Annotated[dict[str, City], "carrara.components.cities"] = {
    "livorno": City("points", 3, COLOURS[:1], 2),
    "pisa": City("coins", 3, COLOURS[:2], 2),
    "lucca": City("points", 2, COLOURS[:3], 2),
    "viareggio": City("coins", 2, COLOURS[:4], 3),
    "massa": City("points", 1, COLOURS[:5], 3),
    "lerici": City("coins", 1, COLOURS[:6], 3),
}
"""Costliest first: each accepts one colour more than the one before."""

# --- players and objectives ------------------------------------------------------------------------------------------

STARTING_BLOCKS = ("black", "blue", "green", "red")
"""By seat."""

STARTING_COINS = 20
FACE_UP: Annotated[int, "carrara.setup.step"] = 9
MARKERS = 6
CONSOLATION = 2
"""The coins for a player who can buy nothing or do nothing."""

OBJECT_PRICE = 10

SCORINGS_NEEDED = 4
OBJECTS_NEEDED = {2: 8, 3: 7, 4: 6}
COST_NEEDED = {2: 30, 3: 25, 4: 20}
"""What is needed to announce the end, by the number of players."""

ANNOUNCEMENT_POINTS = 5
