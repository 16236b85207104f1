"""Scoresheets of a played game, and whether the table on a scoresheet is possible, for `make sheets`."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product
from random import Random
from typing import Any

from capomastro.engine.searches import TooManySteps
from capomastro.games.carrara.components import (
    ANNOUNCEMENT_POINTS,
    CITIES,
    COST_OF,
    MARKERS,
    OBJECT_OF,
    SCORINGS_NEEDED,
    TYPES,
)
from capomastro.games.carrara.origins import (
    FOR_SALE,
    RATES,
    STEPS,
    SUPPLY,
    Explanation,
    Holding,
    Origin,
    Search,
)
from capomastro.games.carrara.scoresheet import Scoresheet, holding_of
from capomastro.games.carrara.state import State
from capomastro.games.carrara.supplies import buildings_of
from tests.support.playouts import Ply

SEARCHED = "carrara.score.sheet-together"
"""The check that is a search, and is skipped if it takes too many steps."""


def sheets(plies: Sequence[Ply], random: Random) -> Iterator[tuple[str, dict[str, Any]]]:
    """A sheet with the objects by kind, and one with their number."""
    end: State = plies[-1].after
    for detail in ("kinds", "numbers"):
        yield (
            detail,
            {
                "game": "carrara",
                "schema_version": 1,
                "seats": [
                    {
                        "points": seat.points,
                        "objects": list(seat.objects) if detail == "kinds" else len(seat.objects),
                        "costs": [COST_OF[building] for building in buildings_of(seat)],
                        "coins": seat.coins,
                        "blocks": len(seat.blocks),
                    }
                    for seat in end.seats
                ],
            },
        )


def possible(sheet: Scoresheet, end: State, random: Random) -> bool | None:
    """True if the decision explains how it came about and each step is possible; None if it has no explanation."""
    holdings = [holding_of(seat) for seat in sheet.seats]
    try:
        found = Search(holdings, STEPS).explanation()
    except TooManySteps:
        return None
    return None if found is None else is_possible(found, holdings)


# --- an explanation, step by step ------------------------------------------------------------------------------------


def is_possible(found: Explanation, holdings: Sequence[Holding]) -> bool:
    """Whether buildings of these types, and scorings of them in some order, give exactly what everybody has."""
    every = [origin for own in found.origins for origin in own]
    tiles = [(origin.cost, origin.kind) for origin in every if origin.kind is not None]
    cities = [city for own in found.cities for city in own]
    given = Counter(origin.kind for origin in every for _ in range(gives(origin)))
    sold, nameless = Counter[str](), 0
    for seat, (own, holding) in enumerate(zip(found.origins, holdings, strict=True)):
        announced = seat == found.announcer
        points = sum(gives(origin) * origin.cost * origin.use.rate for origin in own)
        kinds = Counter(
            OBJECT_OF[TYPES[origin.kind]] for origin in own if origin.kind is not None for _ in range(gives(origin))
        )
        if holding.kinds is None:
            nameless += holding.objects - kinds.total()
        else:
            if not kinds <= Counter(holding.kinds):
                return False
            sold += Counter(holding.kinds) - kinds
        if not (
            points + ANNOUNCEMENT_POINTS * announced == holding.points
            and kinds.total() <= holding.objects
            and sorted(origin.cost for origin in own) == sorted(holding.costs)
            and can_be_scored(own, found.cities[seat], SCORINGS_NEEDED if announced else 0)
        ):
            return False
    return (
        len(set(tiles)) == len(tiles)
        and max(Counter(origin.cost for origin in every).values(), default=0) <= len(TYPES)
        and len(set(cities)) == len(cities)
        and max(given.values(), default=0) <= SUPPLY
        and max(sold.values(), default=0) <= 1
        and sold.total() + nameless <= FOR_SALE
    )


def gives(origin: Origin) -> int:
    """How often a building was scored."""
    return origin.use.by_type + (origin.use.by_city is not None)


def can_be_scored(own: Sequence[Origin], cities: Sequence[str], fewest: int) -> bool:
    """Whether one player can have made these scorings, each after some buildings and before others.

    Tried: every city for the buildings that only their type scored, and every order of the scorings.
    """
    types = sorted({origin.kind for origin in own if origin.use.by_type and origin.kind is not None})
    scored = [*types, *cities]
    if not fewest <= len(scored) <= MARKERS:
        return False
    for city in cities:
        if sum(origin.use.by_city == city for origin in own) < CITIES[city].minimum:
            return False
    once = [origin for origin in own if gives(origin) == 1]
    for chosen in product(*(possible_places(origin, cities) for origin in once)):
        first = {
            (city, origin.kind) if origin.use.by_type else (origin.kind, city)
            for origin, city in zip(once, chosen, strict=True)
            if origin.kind in types and city in cities
        }
        if comes_in_order(set(scored), first):
            return True
    return False


def possible_places(origin: Origin, cities: Sequence[str]) -> list[str]:
    """The cities that a building can be in: not one that its owner scored, unless its city scored the building."""
    if origin.use.by_city is not None:
        return [origin.use.by_city]
    there = [city for city in CITIES if RATES[city] == origin.use.rate]
    return [city for city in there if city not in cities][:1] or there


def comes_in_order(scored: set[Any], first: set[tuple[Any, Any]]) -> bool:
    """Whether the scorings have an order in which the one of each pair comes before the other."""
    while scored:
        ready = {one for one in scored if not any(after == one and before in scored for before, after in first)}
        if not ready:
            return False
        scored = scored - ready
    return True
