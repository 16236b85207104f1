"""The rest of the box, which documents do not list: the bag, the pile of buildings, the supply of objects.

Also what follows from the players' components.
"""

from itertools import chain

from msgspec.structs import astuple

from capomastro.engine.multisets import Multiset, left_of
from capomastro.engine.piles import FaceDownPile, face_down
from capomastro.games.carrara.components import (
    BLOCKS,
    BUILDINGS,
    CITIES,
    COST_OF,
    OBJECTS,
    SECTIONS,
    TYPE_OF,
    price_of,
)
from capomastro.games.carrara.state import Cities, Seat, State

# --- blocks ----------------------------------------------------------------------------------------------------------


def wheel_size(state: State) -> int:
    return sum(map(len, astuple(state.wheel)))


def bag(state: State) -> FaceDownPile:
    """The blocks in the bag: those on no section and with no player."""
    return face_down(BLOCKS, chain(*astuple(state.wheel), *[seat.blocks for seat in state.seats]))


PRICES = {section: {colour: price_of(colour, section) for colour in BLOCKS} for section in SECTIONS}
"""By section and colour."""


def cheapest_block(state: State) -> int | None:
    """The price of the cheapest block on the wheel; None if it is empty."""
    sections = zip(PRICES.values(), astuple(state.wheel), strict=True)
    return min([prices[block] for prices, blocks in sections for block in blocks], default=None)


# --- buildings -------------------------------------------------------------------------------------------------------


def districts(cities: Cities) -> tuple[Multiset, ...]:
    """The buildings in each city, in the order of the board."""
    return astuple(cities)


def buildings_of(seat: Seat) -> Multiset:
    """The buildings of a player, city by city."""
    return sum(districts(seat.cities), ())


def built(state: State) -> list[str]:
    """The buildings in the cities of all players."""
    return [building for seat in state.seats for building in buildings_of(seat)]


def pile(state: State) -> FaceDownPile:
    """The buildings left face down."""
    return face_down(BUILDINGS, [*state.face_up, *built(state)])


def of_type(cities: Cities, building_type: str) -> list[tuple[str, str]]:
    """The buildings of one type, each with its city."""
    return [
        (building, city)
        for city, district in zip(CITIES, districts(cities), strict=True)
        for building in district
        if TYPE_OF[building] == building_type
    ]


def in_city(cities: Cities, city: str) -> list[tuple[str, str]]:
    """The buildings in one city, each with the city."""
    district: Multiset = getattr(cities, city)
    return [(building, city) for building in district]


def total_cost(seat: Seat) -> int:
    """The total cost of a player's buildings."""
    return sum(map(COST_OF.__getitem__, buildings_of(seat)))


# --- scorings and objects --------------------------------------------------------------------------------------------


def markers_used(seat: Seat) -> int:
    return len(seat.scored_types) + len(seat.scored_cities)


def scored_by(state: State, city: str) -> int | None:
    """The seat that has scored a city, if one has."""
    for index, seat in enumerate(state.seats):
        if city in seat.scored_cities:
            return index
    return None


def object_supplies(state: State) -> dict[str, int]:
    """The objects left for scorings, by kind."""
    gone = list(state.objects_for_sale)
    for seat in state.seats:
        gone += seat.objects
    return left_of(OBJECTS, gone)
