"""Compares claimed results with computed ones, line by line."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any, NamedTuple

from msgspec import UNSET

from capomastro.engine.results import ClaimedLine

Json = Any
Line = Mapping[str, Json]
"""A line of a score."""


class Claim(NamedTuple):
    """What a record claims of its end: a whole result, the totals by seat, or both."""

    result: Mapping[str, Json] | None
    totals: Sequence[int] | None


NO_CLAIM = Claim(None, None)


def claim_in(record: Mapping[str, Json]) -> Claim | None:
    """What a record claims; None if it claims nothing."""
    claim = Claim(record.get("result"), record.get("totals"))
    return None if claim == NO_CLAIM else claim


def compared_claim(claim: Claim, result: Mapping[str, Json]) -> list[ClaimedLine]:
    """Compares everything that a record claims with what was computed."""
    of_result = [] if claim.result is None else compared(claim.result, result)
    return [*of_result, *([] if claim.totals is None else compared_totals(claim.totals, result))]


def compared_totals(totals: Sequence[int], result: Mapping[str, Json]) -> list[ClaimedLine]:
    """Compares claimed totals with the computed ones, seat by seat."""
    pairs = zip_longest(totals, [player["total"] for player in result["players"]])
    return [comparison("total", claimed, computed, seat) for seat, (claimed, computed) in enumerate(pairs)]


def compared(claim: Mapping[str, Json], result: Mapping[str, Json]) -> list[ClaimedLine]:
    """Compares a claimed result with the computed one: first seat by seat, then the rest."""
    found: list[ClaimedLine] = []
    nobody: dict[str, Json] = {}
    pairs = zip_longest(claim.get("players", ()), result["players"], fillvalue=nobody)
    for seat, (claimed, computed) in enumerate(pairs):
        lines = aligned(claimed.get("lines", ()), computed.get("lines", ()))
        found += [comparison("line", mine, ours, seat) for mine, ours in lines]
        rest = {**computed, **claimed}.keys() - {"lines"} - ({"seat"} if claimed.get("seat") == seat else set())
        found += [comparison(what, claimed.get(what), computed.get(what), seat) for what in sorted(rest, reverse=True)]
    return found + [comparison(what, claim[what], result.get(what)) for what in claim if what != "players"]


def comparison(what: str, claimed: Json, computed: Json, seat: int | None = None) -> ClaimedLine:
    return ClaimedLine(
        seat=UNSET if seat is None else seat,
        what=what,
        claimed=claimed,
        computed=computed,
        matches=claimed == computed,
    )


def aligned(claimed: Sequence[Json], computed: Sequence[Json]) -> Iterator[tuple[Json, Json]]:
    """Pairs the lines of one score, in computed order: identical ones, then same but for points, then same rule."""
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
