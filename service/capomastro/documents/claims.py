"""Claimed results held against computed ones, line by line."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any

Json = Any
Line = Mapping[str, Json]
"""A line of a score."""

Comparison = dict[str, Json]
"""One line: `seat` where it is a player's, `what` it is, what is `claimed` and `computed`, and whether that `matches`.

`what` is "line", "total" or "place" of a seat, or the name of another member of results that the claim has; what only
one side has is null on the other.
"""


def compared(claim: Mapping[str, Json], result: Mapping[str, Json]) -> list[Comparison]:
    """All that `claim`, a result or just totals, says, beside what was computed: first seat by seat, then the rest."""
    if "totals" in claim:
        totals = [player["total"] for player in result["players"]]
        pairs = zip_longest(claim["totals"], totals)
        return [comparison("total", claimed, computed, seat) for seat, (claimed, computed) in enumerate(pairs)]
    found: list[Comparison] = []
    nobody: dict[str, Json] = {}
    pairs = zip_longest(claim.get("players", ()), result["players"], fillvalue=nobody)
    for seat, (claimed, computed) in enumerate(pairs):
        lines = aligned(claimed.get("lines", ()), computed.get("lines", ()))
        found += [comparison("line", mine, ours, seat) for mine, ours in lines]
        rest = {**computed, **claimed}.keys() - {"lines"} - ({"seat"} if claimed.get("seat") == seat else set())
        found += [comparison(what, claimed.get(what), computed.get(what), seat) for what in sorted(rest, reverse=True)]
    return found + [comparison(what, claim[what], result.get(what)) for what in claim if what != "players"]


def comparison(what: str, claimed: Json, computed: Json, seat: int | None = None) -> Comparison:
    of_seat = {} if seat is None else {"seat": seat}
    return {**of_seat, "what": what, "claimed": claimed, "computed": computed, "matches": claimed == computed}


def aligned(claimed: Sequence[Json], computed: Sequence[Json]) -> Iterator[tuple[Json, Json]]:
    """Lines of one score beside each other, in the order computed: the same, else about the same, else by one rule."""
    left = list(claimed)
    partners: list[Json] = [None] * len(computed)
    for alike in (identical, same_but_points, same_rule):
        for index, ours in enumerate(computed):
            if partners[index] is None:
                partners[index] = next((mine for mine in left if alike(mine, ours)), None)
                if partners[index] is not None:
                    left.remove(partners[index])
    yield from zip(partners, computed, strict=True)
    yield from ((mine, None) for mine in left)


def identical(one: Line, other: Line) -> bool:
    return one == other


def same_but_points(one: Line, other: Line) -> bool:
    return {**one, "points": 0} == {**other, "points": 0}


def same_rule(one: Line, other: Line) -> bool:
    return bool(one["rule"] == other["rule"])
