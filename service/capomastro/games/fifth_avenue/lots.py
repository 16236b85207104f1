"""What lies on the lots of the districts, and what may be laid there.

A district and the board stay the same for many moves, so what follows from them is found once and kept with them.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from functools import lru_cache, wraps
from typing import Any, Generic, TypeVar

from capomastro.engine.multisets import Multiset
from capomastro.games.fifth_avenue.components import COLOURLESS, COLOURS, DISTRICTS, DUMMY, MOST_BUSINESSES
from capomastro.games.fifth_avenue.state import EMPTY, District, Districts, Lot, Owner, Ring, State

Of = TypeVar("Of", District, Districts)
Found = TypeVar("Found")


def kept(find: Callable[[Of], Found]) -> Callable[[Of], Found]:
    """Keeps what is found of a district, or of all, with the object itself."""
    name = find.__name__

    @wraps(find)
    def found(of: Of) -> Found:
        known = of.__dict__
        if name not in known:
            known[name] = find(of)
        there: Found = known[name]
        return there

    return found


POINTS_BY_KINDS = (1, 2, 3, 5, 8)
"""Of one building, by the number of different businesses on the two neighbouring lots."""


# --- one district ----------------------------------------------------------------------------------------------------


class Once(Generic[Found]):
    """An attribute that is found when it is asked for first, and kept from then on."""

    def __init__(self, find: Callable[[Any], Found]) -> None:
        self.find = find
        self.name = find.__name__

    def __get__(self, of: Any, kind: type | None = None) -> Found:
        found: Found = self.find(of)
        of.__dict__[self.name] = found
        return found


class DistrictFacts:
    """What follows from a district; all of it in the order of the colours."""

    def __init__(self, district: District) -> None:
        self.district = district
        lots = [(colour, district[colour]) for colour in COLOURS]
        if district.colourless is not None:
            lots.append((COLOURLESS, district.colourless))
        self.lots = lots
        """Every lot with its colour."""
        self.built = [(colour, lot.owner, lot.buildings) for colour, lot in lots if lot.owner is not None]
        """The lots with buildings: colour, owner and number."""

    @Once
    def empty(self) -> tuple[str, ...]:
        """The coloured lots on which nothing lies."""
        return tuple([colour for colour, lot in self.lots if lot == EMPTY and colour != COLOURLESS])

    @Once
    def full(self) -> bool:
        """Whether a lot of any kind is empty."""
        return not self.empty and self.district.colourless != EMPTY

    @Once
    def with_business(self) -> tuple[str, ...]:
        """The coloured lots with businesses."""
        return tuple([colour for colour, lot in self.lots if lot.businesses and colour != COLOURLESS])

    @Once
    def accepting(self) -> tuple[str, ...]:
        """The lots on which another business may be placed."""
        return tuple([colour for colour, lot in self.lots if accepts_business(lot)])

    @Once
    def businesses(self) -> Multiset:
        """All businesses that lie there."""
        return tuple([business for _, lot in self.lots for business in lot.businesses])

    @Once
    def lot_of(self) -> Mapping[Owner, str]:
        """The first lot of each owner."""
        return {owner: colour for colour, owner, _ in reversed(self.built)}

    @Once
    def sound(self) -> bool:
        """Whether all this can lie there, whoever plays; the audit says what cannot."""
        colourless = self.district.colourless
        humans = [owner for _, owner, _ in self.built if owner != DUMMY]
        return (
            all(can_be(lot) for _, lot in self.lots)
            and (colourless is None or colourless.owner is None)
            and len(set(humans)) == len(humans)
        )


@kept
def facts(district: District) -> DistrictFacts:
    return facts_of_equal(district)


@lru_cache(maxsize=16384)
def facts_of_equal(district: District) -> DistrictFacts:
    """Equal districts of other documents have been looked at before."""
    return DistrictFacts(district)


def can_be(lot: Lot) -> bool:
    """Whether a lot holds one or two businesses, or buildings of one owner (of the dummy a single one), or nothing."""
    if lot.owner is None:
        return not lot.buildings and len(lot.businesses) <= MOST_BUSINESSES
    return not lot.businesses and lot.buildings > 0 and (lot.owner != DUMMY or lot.buildings == 1)


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


@kept
def opened(districts: Districts) -> tuple[tuple[str, District], ...]:
    """The districts that are not closed, in the order of the map."""
    return tuple([(name, district) for name in DISTRICTS if (district := districts[name]) is not None])


@kept
def closed_of(districts: Districts) -> frozenset[str]:
    """The districts in which a building stop was ordered."""
    return frozenset(DISTRICTS).difference([name for name, _ in opened(districts)])


@kept
def places_for_business(districts: Districts) -> tuple[tuple[str, str], ...]:
    """Every district and lot on which a business may be placed."""
    places: list[tuple[str, str]] = []
    for name, district in opened(districts):
        places += accepting_in(name, district)
    return tuple(places)


@lru_cache(maxsize=16384)
def accepting_in(name: str, district: District) -> tuple[tuple[str, str], ...]:
    return tuple([(name, colour) for colour in facts(district).accepting])


def places_for_first_building(districts: Districts, seat: int) -> tuple[tuple[str, str], ...]:
    """Every lot on which nothing lies, in districts where the seat has no building."""
    return tuple(
        [
            (name, colour)
            for name, district in opened(districts)
            if not has_building(district, seat)
            for colour in facts(district).empty
        ]
    )


@kept
def businesses_in(districts: Districts) -> Multiset:
    """All businesses in open districts."""
    return tuple([business for _, district in opened(districts) for business in facts(district).businesses])


@kept
def buildings_in(districts: Districts) -> Mapping[Owner, int]:
    """How many buildings everybody has in open districts."""
    totals: Counter[Owner] = Counter()
    for _, district in opened(districts):
        for _, owner, number in facts(district).built:
            totals[owner] += number
    return totals


def open_districts(state: State) -> tuple[tuple[str, District], ...]:
    return opened(state.districts)


def closed_districts(state: State) -> frozenset[str]:
    return closed_of(state.districts)


def buildings_on_lots(state: State) -> Mapping[Owner, int]:
    return buildings_in(state.districts)


def buildings_of(districts: Districts, owner: Owner) -> int:
    """How many buildings somebody has in open districts."""
    number = 0
    for _, district in opened(districts):
        for _, builder, buildings in facts(district).built:
            if builder == owner:
                number += buildings
    return number


def with_lot(state: State, name: str, colour: str, lot: Lot) -> Districts:
    """The districts with another content of one lot."""
    district = state.districts[name]
    assert district is not None
    return state.districts.with_district(name, district.with_lot(colour, lot))
