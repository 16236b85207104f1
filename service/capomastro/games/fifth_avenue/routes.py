"""The routes of commissioners on a map where closed districts are skipped."""

from collections.abc import Collection, Iterator
from functools import lru_cache
from itertools import pairwise

from capomastro.games.fifth_avenue.components import CENTRAL_PARK, CITY_HALL, COLUMN, ROUTES


@lru_cache(maxsize=1024)
def exits(space: str, closed: frozenset[str]) -> tuple[str, ...]:
    """The spaces one move from `space`; a closed district is replaced by its exits."""
    found: dict[str, None] = {}
    for following in ROUTES[space]:
        found.update(dict.fromkeys(exits(following, closed) if following in closed else (following,)))
    return tuple(found)


def paths_to(space: str) -> Iterator[tuple[str, ...]]:
    """Every path of a commissioner from City Hall to `space`: the districts passed, without `space`."""
    ways: list[tuple[str, ...]] = [(CITY_HALL,)]
    while ways:
        way = ways.pop()
        if way[-1] == space:
            yield way[1:-1]
        elif way[-1] != CENTRAL_PARK:
            ways += [(*way, following) for following in ROUTES[way[-1]]]


PATHS = {space: tuple(paths_to(space)) for space in ROUTES}
# A commissioner has at most one marker per column, so "from left to right" is a total order.
assert all(COLUMN[one] < COLUMN[other] for path in PATHS[CENTRAL_PARK] for one, other in pairwise(path))


ROUND = min(map(len, PATHS[CENTRAL_PARK])) + 2
"""The moves that bring a commissioner back to City Hall while no district is closed; the last starts the auctions."""


def passed_districts(path: tuple[str, ...], closed: Collection[str]) -> tuple[str, ...]:
    """The districts on this path that still have their markers: those that are not closed."""
    return tuple(district for district in path if district not in closed)
