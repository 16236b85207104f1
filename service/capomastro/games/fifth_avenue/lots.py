"""What lies on the lots of the districts, and what may be laid there.

Most of it is looked up: a district or a board is the same for many moves, so what follows from it is found once.
"""

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from capomastro.engine.multisets import Multiset
from capomastro.games.fifth_avenue.components import COLOURLESS, COLOURS, DISTRICTS, MOST_BUSINESSES
from capomastro.games.fifth_avenue.state import EMPTY, District, Districts, Lot, Owner, Ring, State

POINTS_BY_KINDS = (1, 2, 3, 5, 8)
"""Of one building, by the number of different businesses on the two neighbouring lots."""


# --- one district ----------------------------------------------------------------------------------------------------


class DistrictFacts(NamedTuple):
    """What follows from a district; all of it in the order of the colours.

    `built`: colour, owner and number of buildings. `empty`: coloured lots on which nothing lies. `full`: whether a lot
    of any kind is empty. `with_business`: coloured lots with businesses. `accepting`: lots for another business.
    """

    lots: tuple[tuple[str, Lot], ...]
    built: tuple[tuple[str, Owner, int], ...]
    empty: tuple[str, ...]
    full: bool
    with_business: tuple[str, ...]
    accepting: tuple[str, ...]
    businesses: Multiset
    lot_of: Mapping[Owner, str]
    """The first lot of each owner."""


@lru_cache(maxsize=16384)
def facts(district: District) -> DistrictFacts:
    lots = [(colour, district[colour]) for colour in COLOURS]
    if district.colourless is not None:
        lots.append((COLOURLESS, district.colourless))
    built = tuple((colour, lot.owner, lot.buildings) for colour, lot in lots if lot.owner is not None)
    return DistrictFacts(
        tuple(lots),
        built,
        tuple(colour for colour in COLOURS if district[colour] == EMPTY),
        all(lot != EMPTY for _, lot in lots),
        tuple(colour for colour in COLOURS if district[colour].businesses),
        tuple(colour for colour, lot in lots if accepts_business(lot)),
        tuple(business for _, lot in lots for business in lot.businesses),
        {owner: colour for colour, owner, _ in reversed(built)},
    )


def accepts_business(lot: Lot) -> bool:
    """An empty lot, or one with a single business; never one with a building."""
    return lot.owner is None and len(lot.businesses) < MOST_BUSINESSES


def has_building(district: District, owner: Owner) -> bool:
    return owner in facts(district).lot_of


def is_full(district: District) -> bool:
    """Whether every lot holds a building or a business: the winner of its auction can order a stop."""
    return facts(district).full


@lru_cache(maxsize=1024)
def neighbours(ring: Ring) -> dict[str, tuple[str, str]]:
    """The two lots adjoining each lot of a ring."""
    return {lot: (ring[index - 1], ring[(index + 1) % len(ring)]) for index, lot in enumerate(ring)}


def kinds_beside(district: District, ring: Ring, lot: str) -> int:
    """How many different kinds of business lie on the two lots beside `lot`."""
    one, other = neighbours(ring)[lot]
    return len({*district[one].businesses, *district[other].businesses})


@lru_cache(maxsize=16384)
def points_of_lots(district: District, ring: Ring) -> tuple[tuple[str, Owner, int, int], ...]:
    """The normal scoring: each lot with buildings, their owner, their number, and the points of each building."""
    return tuple(
        (colour, owner, number, POINTS_BY_KINDS[kinds_beside(district, ring, colour)])
        for colour, owner, number in facts(district).built
    )


@lru_cache(maxsize=16384)
def normal_totals(district: District, ring: Ring) -> Mapping[Owner, int]:
    """What every owner gets in a normal scoring."""
    totals: Counter[Owner] = Counter()
    for _, owner, number, points in points_of_lots(district, ring):
        totals[owner] += number * points
    return totals


# --- the board -------------------------------------------------------------------------------------------------------


class BoardFacts(NamedTuple):
    """What follows from all districts, in the order of the map.

    `open`: those that are not closed. `accepting`: district and lot for another business. `businesses`: all that lie
    there. `buildings`: of every owner.
    """

    open: tuple[tuple[str, District], ...]
    closed: frozenset[str]
    accepting: tuple[tuple[str, str], ...]
    businesses: Multiset
    buildings: Mapping[Owner, int]


@lru_cache(maxsize=16384)
def board(districts: Districts) -> BoardFacts:
    there = tuple((name, district) for name in DISTRICTS if (district := districts[name]) is not None)
    buildings: Counter[Owner] = Counter()
    for _, district in there:
        for _, owner, number in facts(district).built:
            buildings[owner] += number
    return BoardFacts(
        there,
        frozenset(DISTRICTS).difference(name for name, _ in there),
        tuple((name, colour) for name, district in there for colour in facts(district).accepting),
        tuple(business for _, district in there for business in facts(district).businesses),
        buildings,
    )


def open_districts(state: State) -> tuple[tuple[str, District], ...]:
    return board(state.districts).open


def closed_districts(state: State) -> frozenset[str]:
    return board(state.districts).closed


def buildings_on_lots(state: State) -> Mapping[Owner, int]:
    """How many buildings everybody has in open districts."""
    return board(state.districts).buildings


def with_lot(state: State, name: str, colour: str, lot: Lot) -> Districts:
    """The districts with another content of one lot."""
    district = state.districts[name]
    assert district is not None
    return state.districts.with_district(name, district.with_lot(colour, lot))
