"""The lots of the districts: their contents, and what may be placed there."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import chain, compress, product
from typing import Annotated, Literal

import msgspec
from msgspec import Meta
from msgspec.structs import astuple, replace

from capomastro.engine.members import titled
from capomastro.engine.multisets import IN_ANY_ORDER, Multiset
from capomastro.games.fifth_avenue import components as box
from capomastro.games.fifth_avenue import tokens

Owner = tokens.SeatIndex | Literal["dummy"]
"""A seat, or the dummy."""


@titled("Content of a lot", "lot-content")
class Lot(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """The contents of a lot: one or two businesses, or buildings of one owner, or nothing."""

    businesses: Annotated[tuple[tokens.Business, ...], IN_ANY_ORDER, Meta(max_length=box.MAXIMUM_BUSINESSES)] = ()
    """The businesses, in any order; sorted in answers."""
    owner: Owner | None = None
    """The owner of the buildings there: a seat, or the dummy in the game for two."""
    buildings: tokens.BuildingCount = 0
    """The number of buildings there."""


EMPTY = Lot()
NO_LOTS = (None,) * len(box.LOTS)
PLACES = [*product(box.DISTRICTS, box.LOTS)]
"""Every district and lot of the board."""


@titled("District", "lots")
class District(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A district that is open: its lots by colour."""

    orange: Lot
    """The orange lot."""
    green: Lot
    """The green lot."""
    purple: Lot
    """The purple lot."""
    grey: Lot
    """The grey lot."""
    brown: Lot
    """The brown lot."""
    colourless: Lot | None = None
    """The colourless lot. Only on the board with six lots."""

    def __getitem__(self, colour: str) -> Lot:
        lot: Lot = getattr(self, colour)
        return lot

    def with_lot(self, colour: str, lot: Lot) -> "District":
        return replace(self, **{colour: lot})

    @property
    def lots(self) -> Iterator[tuple[str, Lot]]:
        """Every lot with its colour, in the order of the colours."""
        return zip(box.LOTS_OF_BOARD[self.colourless is not None], astuple(self), strict=False)


FIELDS = ("west_34th", "east_34th", "west_42nd", "times_square", "east_42nd", "west_52nd", "east_52nd")
"""The fields of `Districts`, in the order of `DISTRICTS`, whose names cannot be field names."""
FIELD_OF = dict(zip(box.DISTRICTS, FIELDS, strict=True))


class Districts(msgspec.Struct, frozen=True, gc=False, rename=dict(zip(FIELDS, box.DISTRICTS, strict=True))):
    """The seven districts; null where a building stop was ordered."""

    west_34th: District | None
    """The lots of 34th-street-west; null if it is closed."""
    east_34th: District | None
    """The lots of 34th-street-east; null if it is closed."""
    west_42nd: District | None
    """The lots of 42nd-street-west; null if it is closed."""
    times_square: District | None
    """The lots of times-square; null if it is closed."""
    east_42nd: District | None
    """The lots of 42nd-street-east; null if it is closed."""
    west_52nd: District | None
    """The lots of 52nd-street-west; null if it is closed."""
    east_52nd: District | None
    """The lots of 52nd-street-east; null if it is closed."""

    def __getitem__(self, name: str) -> District | None:
        district: District | None = getattr(self, FIELD_OF[name])
        return district

    def known_open(self, name: str) -> District:
        """A district that is known to be open."""
        district = self[name]
        assert district is not None
        return district

    def with_district(self, name: str, district: District | None) -> "Districts":
        return replace(self, **{FIELD_OF[name]: district})

    def with_lot(self, name: str, colour: str, lot: Lot) -> "Districts":
        return self.with_district(name, self.known_open(name).with_lot(colour, lot))

    @property
    def open(self) -> list[tuple[str, District]]:
        """The districts that are not closed, with their names, in the order of the map."""
        return [(name, district) for name, district in zip(box.DISTRICTS, astuple(self), strict=True) if district]

    @property
    def closed(self) -> list[str]:
        """The districts in which a building stop was ordered."""
        return [name for name, district in zip(box.DISTRICTS, astuple(self), strict=True) if district is None]

    @property
    def lots_for_business(self) -> list[tuple[str, str]]:
        """Where a business may be placed: every lot that is empty or has a single one, never one with a building."""
        lots = chain.from_iterable([astuple(district) if district else NO_LOTS for district in astuple(self)])
        most = box.MAXIMUM_BUSINESSES
        return [*compress(PLACES, [lot and lot.owner is None and len(lot.businesses) < most for lot in lots])]


# --- contents --------------------------------------------------------------------------------------------------------


def businesses_in(*districts: District | None) -> Multiset:
    """All businesses in these districts."""
    lots = [lot for district in districts if district for lot in astuple(district) if lot and lot.businesses]
    return tuple([tile for lot in lots for tile in lot.businesses])


def businesses_on(districts: Districts) -> Multiset:
    """All businesses in open districts."""
    return businesses_in(*astuple(districts))


def buildings_in(district: District) -> list[tuple[str, Owner, int]]:
    """The lots with buildings: colour, owner and number."""
    lots = zip(box.COLOURS, astuple(district), strict=False)
    return [(colour, lot.owner, lot.buildings) for colour, lot in lots if lot.owner is not None and lot.buildings]


def buildings_by_owner(*districts: District | None) -> Mapping[Owner, int]:
    """The number of buildings that everybody has in these districts."""
    totals: defaultdict[Owner, int] = defaultdict(int)
    for district in districts:
        for lot in astuple(district) if district else ():
            if lot and lot.owner is not None:
                totals[lot.owner] += lot.buildings
    return totals


def buildings_on(districts: Districts) -> Mapping[Owner, int]:
    """The number of buildings that everybody has in open districts."""
    return buildings_by_owner(*astuple(districts))


def owners_in(district: District) -> list[Owner | None]:
    """The owners of the buildings on each lot; None where there are none."""
    return [lot.owner for lot in astuple(district) if lot]


def colour_of_lot(district: District, owner: Owner) -> str | None:
    """The colour of the lot with buildings of `owner`; the first one, if the dummy has several."""
    owners = owners_in(district)
    return box.LOTS[owners.index(owner)] if owner in owners else None


def has_building(district: District, owner: Owner) -> bool:
    return owner in owners_in(district)


# --- room ------------------------------------------------------------------------------------------------------------


def is_full(district: District) -> bool:
    """Whether no coloured lot is empty (a colourless one never is): the winner of its auction can order a stop."""
    return not empty_lots(district)


def empty_lots(district: District) -> tuple[str, ...]:
    """The empty coloured lots."""
    return tuple([colour for colour in box.COLOURS if getattr(district, colour) == EMPTY])


def business_lots(district: District) -> tuple[str, ...]:
    """The coloured lots with businesses."""
    return tuple([colour for colour in box.COLOURS if getattr(district, colour).businesses])
