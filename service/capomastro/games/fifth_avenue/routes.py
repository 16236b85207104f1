"""Where a commissioner can go on a map on which closed districts are skipped."""

from collections.abc import Collection, Iterator
from functools import lru_cache
from itertools import pairwise

from capomastro.games.fifth_avenue.components import CENTRAL_PARK, CITY_HALL, COLUMN, ROUTES


@lru_cache(maxsize=1024)
def exits(space: str, closed: frozenset[str]) -> tuple[str, ...]:
    """The spaces one move from `space`: whoever could enter a closed district can go to its exits instead."""
    found: dict[str, None] = {}
    for following in ROUTES[space]:
        found.update(dict.fromkeys(exits(following, closed) if following in closed else (following,)))
    return tuple(found)


def paths_to(space: str) -> Iterator[tuple[str, ...]]:
    """Every way of a commissioner from City Hall to `space`: the districts passed, without `space`."""
    ways: list[tuple[str, ...]] = [(CITY_HALL,)]
    while ways:
        way = ways.pop()
        if way[-1] == space:
            yield way[1:-1]
        elif way[-1] != CENTRAL_PARK:
            ways += [(*way, following) for following in ROUTES[way[-1]]]


PATHS = {space: tuple(paths_to(space)) for space in ROUTES}
# Of one commissioner there is one marker at most in a column, so that "from left to right" is an order.
assert all(COLUMN[one] < COLUMN[other] for path in PATHS[CENTRAL_PARK] for one, other in pairwise(path))


def passed_districts(path: tuple[str, ...], closed: Collection[str]) -> tuple[str, ...]:
    """Where a commissioner on this way has left markers that still lie there."""
    return tuple(district for district in path if district not in closed)
