"""The lots of the districts: their contents, and what may be placed there.

A district and the board stay the same for many moves, so derived facts are computed once and kept with them.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import compress
from typing import Literal

import msgspec
from msgspec.structs import astuple, replace

from capomastro.engine.multisets import Multiset
from capomastro.engine.once import Once
from capomastro.games.fifth_avenue.components import COLOURLESS, DISTRICTS, DUMMY, LOTS_OF_BOARD, MAXIMUM_BUSINESSES

Owner = int | Literal["dummy"]
"""A seat, or the dummy."""
Ring = tuple[str, ...]
"""The lots of a district in the order in which they adjoin; the last adjoins the first."""

# --- lots and districts ----------------------------------------------------------------------------------------------


class Lot(msgspec.Struct, frozen=True, omit_defaults=True, cache_hash=True, gc=False):
    """One or two businesses, or buildings of one owner, or nothing."""

    businesses: Multiset = ()
    owner: Owner | None = None
    buildings: int = 0


EMPTY = Lot()


class District(msgspec.Struct, frozen=True, omit_defaults=True, cache_hash=True, dict=True):
    """The lots by colour; the colourless one exists only on the board with six lots."""

    orange: Lot
    green: Lot
    purple: Lot
    grey: Lot
    brown: Lot
    colourless: Lot | None = None

    def __getitem__(self, colour: str) -> Lot:
        lot: Lot = getattr(self, colour)
        return lot

    def with_lot(self, colour: str, lot: Lot) -> "District":
        return replace(self, **{colour: lot})

    @Once
    def facts(self) -> "DistrictFacts":
        """Facts derived from the district; shared with equal districts of other documents."""
        return district_facts_of_equal(self)


FIELDS = ("west_34th", "east_34th", "west_42nd", "times_square", "east_42nd", "west_52nd", "east_52nd")
"""The fields of `Districts`, in the order of `DISTRICTS`, whose names cannot be field names."""
EVERY_DISTRICT = frozenset(DISTRICTS)


class Districts(
    msgspec.Struct, frozen=True, cache_hash=True, dict=True, rename=dict(zip(FIELDS, DISTRICTS, strict=True))
):
    """The districts by name; None where a building stop was ordered."""

    west_34th: District | None
    east_34th: District | None
    west_42nd: District | None
    times_square: District | None
    east_42nd: District | None
    west_52nd: District | None
    east_52nd: District | None

    def __getitem__(self, name: str) -> District | None:
        return self.facts.districts[name]

    def at(self, space: str) -> District | None:
        """The open district on a space of the map; None if there is none."""
        return self.facts.districts.get(space)

    def known_open(self, name: str) -> District:
        """A district that is known to be open."""
        district = self[name]
        assert district is not None
        return district

    def with_district(self, name: str, district: District | None) -> "Districts":
        """The board after a move; its facts are computed at once, since an equal board is hardly ever in the cache."""
        changed = Districts(*(self.facts.districts | {name: district}).values())
        changed.__dict__["facts"] = BoardFacts(changed)
        return changed

    def with_lot(self, name: str, colour: str, lot: Lot) -> "Districts":
        return self.with_district(name, self.known_open(name).with_lot(colour, lot))

    @Once
    def facts(self) -> "BoardFacts":
        """Facts derived from all districts; shared with equal boards of other documents."""
        return board_facts_of_equal(self)

    def unsorted_multisets(self) -> Iterable[Multiset]:
        """For `canonical_form`, which would otherwise go through all 35 lots of every document."""
        return self.facts.unsorted

    @property
    def open(self) -> tuple[tuple[str, District], ...]:
        """The districts that are not closed, in the order of the map."""
        return self.facts.open

    @property
    def closed(self) -> frozenset[str]:
        """The districts in which a building stop was ordered."""
        return self.facts.closed

    @property
    def accepting(self) -> tuple[tuple[str, str], ...]:
        """Every district and lot on which a business may be placed."""
        return self.facts.accepting

    @property
    def businesses(self) -> Multiset:
        """All businesses in open districts."""
        return self.facts.businesses

    @property
    def buildings(self) -> Mapping[Owner, int]:
        """The number of buildings that everybody has in open districts."""
        return self.facts.buildings

    def buildings_of(self, owner: Owner) -> int:
        """The number of buildings of `owner`, without counting those of others."""
        return sum([number for _, district in self.open for _, who, number in district.facts.built if who == owner])


# --- what follows from a district ------------------------------------------------------------------------------------


class DistrictFacts:
    """Facts derived from a district, in the order of the colours."""

    def __init__(self, district: District) -> None:
        """Computes what is needed for every district of every document in one pass over its lots."""
        lots = dict(zip(LOTS_OF_BOARD[district.colourless is not None], astuple(district), strict=False))
        built: list[tuple[str, Owner, int]] = []
        accepting: list[str] = []
        businesses: Multiset = ()
        sound = True
        for colour, lot in lots.items():
            there, owner = lot.businesses, lot.owner
            if there:
                businesses += there
                sound = sound and owner is None and not lot.buildings and len(there) <= MAXIMUM_BUSINESSES
            elif lot.buildings and owner is None:
                sound = False
            if owner is not None:
                built.append((colour, owner, lot.buildings))
            elif accepts_business(lot):
                accepting.append(colour)
        self.lots: Mapping[str, Lot] = lots
        """The lots by colour."""
        self.built = built
        """The lots with buildings: colour, owner and number."""
        self.accepting = accepting
        """The lots on which another business may be placed."""
        self.businesses = businesses
        """All businesses in the district."""
        self.lots_sound = sound
        """Whether the contents of every lot, taken separately, are possible."""

    @Once
    def sound(self) -> bool:
        """Whether the contents of the district are possible, whoever plays; the audit explains what is not."""
        return self.lots_sound and (not self.built or can_be_built(self.built))

    @Once
    def unsorted(self) -> tuple[Multiset, ...]:
        """The businesses of lots that are not in ascending order."""
        there = [lot.businesses for lot in self.lots.values() if len(lot.businesses) > 1]
        return tuple([businesses for businesses in there if [*businesses] != sorted(businesses)])

    @Once
    def empty(self) -> tuple[str, ...]:
        """The empty coloured lots."""
        return tuple([colour for colour, lot in self.lots.items() if lot == EMPTY and colour != COLOURLESS])

    @Once
    def full(self) -> bool:
        """Whether no lot of any kind is empty."""
        return EMPTY not in self.lots.values()

    @Once
    def with_business(self) -> tuple[str, ...]:
        """The coloured lots with businesses."""
        return tuple([colour for colour, lot in self.lots.items() if lot.businesses and colour != COLOURLESS])

    @Once
    def lot_of(self) -> Mapping[Owner, str]:
        """The first lot of each owner."""
        return {owner: colour for colour, owner, _ in reversed(self.built)}


class BoardFacts:
    """Facts derived from all districts together."""

    def __init__(self, districts: Districts) -> None:
        every = astuple(districts)
        self.districts: dict[str, District | None] = dict(zip(DISTRICTS, every, strict=True))
        """The districts by name: those of the first document with equal ones, with their facts."""
        self.open: tuple[tuple[str, District], ...] = tuple(compress(zip(DISTRICTS, every, strict=True), every))

    @Once
    def closed(self) -> frozenset[str]:
        return EVERY_DISTRICT.difference(dict(self.open))

    @Once
    def accepting(self) -> tuple[tuple[str, str], ...]:
        return tuple([(name, colour) for name, district in self.open for colour in district.facts.accepting])

    @Once
    def businesses(self) -> Multiset:
        return tuple([business for _, district in self.open for business in district.facts.businesses])

    @Once
    def unsorted(self) -> tuple[Multiset, ...]:
        return tuple([businesses for _, district in self.open for businesses in district.facts.unsorted])

    @Once
    def buildings(self) -> Mapping[Owner, int]:
        totals: Counter[Owner] = Counter()
        for _, district in self.open:
            for _, owner, number in district.facts.built:
                totals[owner] = totals.get(owner, 0) + number
        return totals

    @Once
    def districts_of(self) -> Mapping[Owner, int]:
        """The number of open districts in which everybody has a building."""
        return Counter([owner for _, district in self.open for owner in district.facts.lot_of])

    @Once
    def sound(self) -> bool:
        """Whether every district is sound."""
        return all(district.facts.sound for _, district in self.open)

    @Once
    def six_lots(self) -> frozenset[bool]:
        """The sides of the board that the districts match."""
        return frozenset([district.colourless is not None for _, district in self.open])

    @Once
    def without_starting_business(self) -> Mapping[bool, tuple[str, ...]]:
        """The districts without a starting business; with six lots (True), it belongs on the colourless one."""
        lots = [(name, district.facts, district.colourless) for name, district in self.open]
        return {
            False: tuple([name for name, known, _ in lots if not known.businesses]),
            True: tuple([name for name, _, colourless in lots if colourless and not colourless.businesses]),
        }


def can_be_built(built: Iterable[tuple[str, Owner, int]]) -> bool:
    """Whether buildings are on coloured lots: those of a player on one lot, those of the dummy one per lot."""
    humans = set()
    for colour, owner, buildings in built:
        if not buildings or colour == COLOURLESS or owner in humans or (owner == DUMMY and buildings > 1):
            return False
        if owner != DUMMY:
            humans.add(owner)
    return True


@lru_cache(maxsize=4096)
def district_facts_of_equal(district: District) -> DistrictFacts:
    """Cached, because a move changes at most one district."""
    return DistrictFacts(district)


@lru_cache(maxsize=1024)
def board_facts_of_equal(districts: Districts) -> BoardFacts:
    """Cached, because most moves leave all districts unchanged."""
    return BoardFacts(districts)


def accepts_business(lot: Lot) -> bool:
    """An empty lot, or one with a single business; never one with a building."""
    return lot.owner is None and len(lot.businesses) < MAXIMUM_BUSINESSES


def has_building(district: District, owner: Owner) -> bool:
    return owner in district.facts.lot_of


def is_full(district: District) -> bool:
    """Whether every lot holds a building or a business: the winner of its auction can order a stop."""
    return district.facts.full


def places_for_first_building(districts: Districts, seat: int) -> tuple[tuple[str, str], ...]:
    """Every empty lot in districts where the seat has no building."""
    return tuple(
        [
            (name, colour)
            for name, district in districts.open
            if not has_building(district, seat)
            for colour in district.facts.empty
        ]
    )
