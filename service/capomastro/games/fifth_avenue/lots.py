"""What lies on the lots of the districts, and what may be laid there."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain

from capomastro.games.fifth_avenue.components import COLOURS, DISTRICTS, LOTS_BY_NUMBER, MOST_BUSINESSES
from capomastro.games.fifth_avenue.state import EMPTY, District, Lot, Owner, Ring, State

POINTS_BY_KINDS = (1, 2, 3, 5, 8)
"""Of one building, by the number of different businesses on the two neighbouring lots."""


@lru_cache(maxsize=1024)
def neighbours(ring: Ring) -> dict[str, tuple[str, str]]:
    """The two lots adjoining each lot of a ring."""
    return {lot: (ring[index - 1], ring[(index + 1) % len(ring)]) for index, lot in enumerate(ring)}


def kinds_beside(district: District, ring: Ring, lot: str) -> int:
    """How many different kinds of business lie on the two lots beside `lot`."""
    one, other = neighbours(ring)[lot]
    return len({*district[one].businesses, *district[other].businesses})


def in_order(districts: Mapping[str, District | None]) -> Iterator[tuple[str, District]]:
    """Open districts in the order of the map, whatever the order of a document."""
    for name in DISTRICTS:
        district = districts[name]
        if district is not None:
            yield name, district


def open_districts(state: State) -> Iterator[tuple[str, District]]:
    return in_order(state.districts)


def built_lots(district: District) -> Iterator[tuple[str, Owner, int]]:
    """The lots with buildings: colour, owner, number."""
    for colour in LOTS_BY_NUMBER[len(district)]:
        lot = district[colour]
        if lot.owner is not None:
            yield colour, lot.owner, lot.buildings


def has_building(district: District, owner: Owner) -> bool:
    return any(lot.owner == owner for lot in district.values())


def empty_lots(district: District, ring: Sequence[str] = COLOURS) -> list[str]:
    """The coloured lots on which nothing lies, in the order of `ring`."""
    return [colour for colour in ring if colour in COLOURS and district[colour] == EMPTY]


def is_full(district: District) -> bool:
    """Whether every lot holds a building or a business: the winner of its auction can order a stop."""
    return not any(lot == EMPTY for lot in district.values())


def accepts_business(lot: Lot) -> bool:
    """An empty lot, or one with a single business; never one with a building."""
    return lot.owner is None and len(lot.businesses) < MOST_BUSINESSES


def business_places(state: State) -> list[tuple[str, str]]:
    """Every district and lot on which a business may be placed."""
    return [
        (name, colour)
        for name, district in open_districts(state)
        for colour in LOTS_BY_NUMBER[len(district)]
        if (lot := district[colour]).owner is None and len(lot.businesses) < MOST_BUSINESSES
    ]


def points_of_lots(district: District, ring: Ring) -> list[tuple[str, Owner, int, int]]:
    """The normal scoring: each lot with buildings, their owner, their number, and the points of each building."""
    return [
        (colour, owner, number, POINTS_BY_KINDS[kinds_beside(district, ring, colour)])
        for colour, owner, number in built_lots(district)
    ]


def normal_totals(district: District, ring: Ring) -> Mapping[Owner, int]:
    """What every owner gets in a normal scoring."""
    totals: Counter[Owner] = Counter()
    for _, owner, number, points in points_of_lots(district, ring):
        totals[owner] += number * points
    return totals


def with_lot(state: State, name: str, colour: str, lot: Lot) -> dict[str, District | None]:
    district = state.districts[name]
    assert district is not None
    return {**state.districts, name: {**district, colour: lot}}


def businesses_on_lots(state: State) -> Iterator[str]:
    return chain.from_iterable(lot.businesses for _, district in open_districts(state) for lot in district.values())


def buildings_on_lots(state: State) -> Mapping[Owner, int]:
    """How many buildings everybody has in open districts."""
    totals: Counter[Owner] = Counter()
    for _, district in open_districts(state):
        for _, owner, number in built_lots(district):
            totals[owner] += number
    return totals
