"""The rest of the box, which documents do not list: the bag, the pile of buildings, the supply of objects.

Also what follows from the players' components.
"""

from itertools import chain

from msgspec.structs import astuple

from capomastro.engine.multisets import Multiset, left_of
from capomastro.games.carrara import components as box
from capomastro.games.carrara.state import Cities, Seat, State

# --- blocks ----------------------------------------------------------------------------------------------------------


def wheel_size(state: State) -> int:
    return sum(map(len, astuple(state.wheel)))


def bag_size(state: State) -> int:
    """The number of blocks left in the bag, whatever they are.

    Measured: with the sum of `bag`, a random game takes 3 % more instructions (2026-11-28).
    """
    return box.BLOCK_COUNT - wheel_size(state) - blocks_held(state)


def blocks_held(state: State) -> int:
    """The blocks of all players."""
    return sum([len(seat.blocks) for seat in state.seats])


def bag(state: State) -> dict[str, int]:
    """The blocks in the bag by colour: those on no section and with no player."""
    return left_of(box.BLOCKS, chain(*astuple(state.wheel), *[seat.blocks for seat in state.seats]))


PRICES = {section: {colour: box.price_of(colour, section) for colour in box.BLOCKS} for section in box.SECTIONS}
"""By section and colour."""


def cheapest_block(state: State) -> int | None:
    """The price of the cheapest block on the wheel; None if it is empty."""
    sections = zip(PRICES.values(), astuple(state.wheel), strict=True)
    return min([prices[block] for prices, blocks in sections for block in blocks], default=None)


# --- buildings -------------------------------------------------------------------------------------------------------


def buildings_of(seat: Seat) -> Multiset:
    """The buildings of a player, city by city."""
    return tuple(chain(*astuple(seat.cities)))


def types_built(seat: Seat) -> set[str]:
    """The types of a player's buildings."""
    return {box.TYPE_OF[building] for building in buildings_of(seat)}


def buildings_built(state: State) -> int:
    """The number of buildings in the cities of all players."""
    return sum([len(district) for seat in state.seats for district in astuple(seat.cities)])


def pile_size(state: State) -> int:
    """The buildings left face down."""
    return box.BUILDING_COUNT - len(state.face_up) - buildings_built(state)


def of_type(cities: Cities, building_type: str) -> list[tuple[str, str]]:
    """The buildings of one type, each with its city."""
    return [
        (building, city)
        for city, district in zip(box.CITIES, astuple(cities), strict=True)
        for building in district
        if box.TYPE_OF[building] == building_type
    ]


def in_city(cities: Cities, city: str) -> list[tuple[str, str]]:
    """The buildings in one city, each with the city."""
    district: Multiset = getattr(cities, city)
    return [(building, city) for building in district]


def total_cost(seat: Seat) -> int:
    """The total cost of a player's buildings."""
    return sum(map(box.COST_OF.__getitem__, chain(*astuple(seat.cities))))


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
    return left_of(box.OBJECTS, chain(state.objects_for_sale, *[seat.objects for seat in state.seats]))
