"""Compares claimed results with computed ones, line by line."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from json import dumps
from typing import Any, NamedTuple

from msgspec import UNSET

from capomastro.documents.phrases import ShapeError, excerpt, number_and_noun
from capomastro.engine.results import ClaimedLine

Json = Any
Line = Mapping[str, Json]
"""A line of a score."""


class Claim(NamedTuple):
    """What a record claims of its end: a whole result, the totals by seat, or both."""

    result: Mapping[str, Json] | None
    totals: Sequence[int] | None


MAXIMUM_ECHOED = 1000
"""Maximum length of a name, or of a claimed value as JSON, that is repeated; of a longer one there is an excerpt."""
MAXIMUM_UNKNOWN = 20
"""Maximum number of members that no result has that are compared, of a result or of a player in it."""
SEATS = ("winners", "undecided")
"""The members of a result that are lists of seats."""


def faults(record: Mapping[str, Json]) -> Iterator[ShapeError]:
    """What cannot be in a claim about a game with so many players, in a record that matches its schema."""
    players = record["players"]
    if "totals" in record:
        yield from faults_of_number(record["totals"], players, "/totals")
    result = record.get("result")
    if result is None:
        return
    yield from faults_of_number(result["players"], players, "/result/players")
    yield from faults_of_seats([player["seat"] for player in result["players"]], players, "/result/players/{}/seat")
    for index, player in enumerate(result["players"]):
        if (place := player["place"]) is not None and place > players:
            yield ShapeError(f"/result/players/{index}/place", f"{place} is more than {players}")
    for member in SEATS:
        yield from faults_of_seats(result.get(member, ()), players, f"/result/{member}/{{}}")
    yield from faults_of_seats(
        [entry["seat"] for entry in result.get("missing", ())], players, "/result/missing/{}/seat"
    )
    for index, comparison in enumerate(result["tie_break"]):
        at = f"/result/tie_break/{index}"
        yield from faults_of_seats(comparison["seats"], players, f"{at}/seats/{{}}")
        yield from faults_of_number(comparison["values"], len(comparison["seats"]), f"{at}/values")


def faults_of_number(items: Sequence[Json], players: int, at: str) -> Iterator[ShapeError]:
    """Whether there are as many items as players."""
    if len(items) != players:
        yield ShapeError(at, f"has {number_and_noun(len(items), 'item')}, {players} needed, one for each player")


def faults_of_seats(seats: Iterable[int], players: int, at: str) -> Iterator[ShapeError]:
    """Which of some seats do not exist, or are there twice; `at` has a slot for the index."""
    seen: set[int] = set()
    for index, seat in enumerate(seats):
        if seat >= players:
            yield ShapeError(at.format(index), f"{seat} is more than {players - 1}, the last seat")
        elif seat in seen:
            yield ShapeError(at.format(index), f"{seat} is there twice")
        seen.add(seat)


def claim_of(result: Mapping[str, Json] | None, totals: Sequence[int] | None) -> Claim | None:
    """A claim; None if nothing is claimed."""
    return None if result is None and totals is None else Claim(result, totals)


def claim_in(record: Mapping[str, Json]) -> Claim | None:
    """What a record claims; None if it claims nothing."""
    return claim_of(record.get("result"), record.get("totals"))


def compared_claim(claim: Claim, result: Mapping[str, Json]) -> list[ClaimedLine]:
    """Compares everything that a record claims with what was computed."""
    of_result = [] if claim.result is None else compared(with_comparisons_as_in(result, claim.result), result)
    return [*of_result, *([] if claim.totals is None else compared_totals(claim.totals, result))]


def with_comparisons_as_in(result: Mapping[str, Json], claim: Mapping[str, Json]) -> Mapping[str, Json]:
    """A claimed result with the comparisons that break ties in the order of the computed ones, each by seat.

    The order in which they and their seats are listed means nothing.
    """
    order = [tied(tie) for tie in result["tie_break"]]
    ties = [by_seats(tie) for tie in claim.get("tie_break", ())]
    ties.sort(key=lambda tie: order.index(tied(tie)) if tied(tie) in order else len(order))
    return {**claim, "tie_break": ties} if ties else claim


def by_seats(tie: Mapping[str, Json]) -> Mapping[str, Json]:
    """A comparison with its values in the order of the seats."""
    values = dict(zip(tie["seats"], tie["values"], strict=True))
    return {**tie, "seats": sorted(values), "values": [values[seat] for seat in sorted(values)]}


def compared_totals(totals: Sequence[int], result: Mapping[str, Json]) -> list[ClaimedLine]:
    """Compares claimed totals with the computed ones, seat by seat."""
    pairs = zip_longest(totals, [player["total"] for player in result["players"]])
    return [comparison("total", claimed, computed, seat=seat) for seat, (claimed, computed) in enumerate(pairs)]


def compared(claim: Mapping[str, Json], result: Mapping[str, Json]) -> list[ClaimedLine]:
    """Compares a claimed result with the computed one: first seat by seat, then the rest."""
    found: list[ClaimedLine] = []
    possible = completed(result, claim)
    claimed_by_seat, computed_by_seat = by_seat(claim.get("players", ())), by_seat(result["players"])
    possible_by_seat = by_seat(possible["players"])
    for seat in sorted({*claimed_by_seat, *computed_by_seat}):
        claimed, computed = claimed_by_seat.get(seat, {}), computed_by_seat.get(seat, {})
        lines = pairs_of_lines(claimed.get("lines", ()), computed.get("lines", ()))
        found += [comparison("line", *pair, seat=seat) for pair in lines]
        rest = (
            {*computed, *names_in(claimed, computed)} - {"lines"} - ({"seat"} if claimed.get("seat") == seat else set())
        )
        sides = (claimed, computed, possible_by_seat.get(seat, {}))
        found += [
            comparison(what, *(side.get(what) for side in sides), seat=seat) for what in sorted(rest, reverse=True)
        ]
    for what in names_in(claim, result):
        values = [side.get(what) for side in (claim, result, possible)]
        if what in SEATS:  # the order in which seats are listed means nothing
            values = [None if seats is None else sorted(seats) for seats in values]
        if what != "players":
            found.append(comparison(what, *values))
    return found


def completed(result: Mapping[str, Json], claim: Mapping[str, Json]) -> Mapping[str, Json]:
    """A computed result with what it leaves open as claimed: values that break ties, and the places that follow.

    It stays as it is if it leaves nothing open, or if the claimed values contradict a place that is certain.
    """
    ties, claimed_ties = result["tie_break"], claim.get("tie_break", ())
    if not any(None in tie["values"] for tie in ties) or [*map(tied, ties)] != [*map(tied, claimed_ties)]:
        return result
    ties = [
        {**tie, "values": [*map(first_known, tie["values"], claimed["values"])]}
        for tie, claimed in zip(ties, claimed_ties, strict=True)
    ]
    ranks = {player["seat"]: [player["total"]] for player in result["players"]}
    for tie in ties:
        for seat, value in zip(tie["seats"], tie["values"], strict=True):
            ranks[seat].append(value)
    claimed_by_seat = by_seat(claim.get("players", ()))
    players = []
    for player in result["players"]:
        seat, certain = player["seat"], player["place"]
        following = place_of(ranks[seat], ranks.values())
        if None not in (certain, following) and certain != following:
            return result
        claimed_place = claimed_by_seat.get(seat, {}).get("place")
        players.append({**player, "place": first_known(certain, following, claimed_place)})
    return {
        "winners": [player["seat"] for player in players if player["place"] == 1],
        **result,
        "players": players,
        "tie_break": ties,
        "undecided": [player["seat"] for player in players if player["place"] is None],
        "missing": [entry for entry in claim.get("missing", ()) if entry in result.get("missing", ())],
    }


def tied(comparison: Mapping[str, Json]) -> tuple[str, Sequence[int]]:
    """Who is compared, by which rule."""
    return comparison["rule"], comparison["seats"]


def first_known(*values: Json) -> Json:
    """The first of some values that is not None; None if all are."""
    return next((value for value in values if value is not None), None)


def place_of(rank: list[Json], ranks: Collection[list[Json]]) -> int | None:
    """The place of a total with the values that break its tie; None if values of this tie are unknown."""
    if any(None in rival for rival in ranks if rival[0] == rank[0]):
        return None
    return 1 + sum(rival > rank for rival in ranks)


def names_in(claimed: Mapping[str, Json], computed: Mapping[str, Json]) -> Iterator[str]:
    """The names of claimed members; of those that nothing computed has, only the first ones."""
    unknown = 0
    for name in claimed:
        if name not in computed:
            unknown += 1
        if name in computed or unknown <= MAXIMUM_UNKNOWN:
            yield name


def by_seat(players: Sequence[Mapping[str, Json]]) -> dict[int, Mapping[str, Json]]:
    """The entries of a result by the seats that they name: a claimed one may list them by place."""
    return {entry.get("seat", index): entry for index, entry in enumerate(players)}


def comparison(what: str, claimed: Json, computed: Json, *possible: Json, seat: int | None = None) -> ClaimedLine:
    """A claimed value beside the computed one; it matches that, or what else is `possible`.

    An empty list says as much as its absence: answers leave out what is empty, other programs may not.
    """
    matches = claimed in (computed, *possible) or (claimed == [] and computed is None)
    return ClaimedLine(
        seat=UNSET if seat is None else seat,
        what=what if len(what) <= MAXIMUM_ECHOED else excerpt(what),
        claimed=claimed if matches or len(dumps(claimed)) <= MAXIMUM_ECHOED else excerpt(claimed),
        computed=computed,
        matches=matches,
    )


def pairs_of_lines(claimed: Sequence[Json], computed: Sequence[Json]) -> Iterator[tuple[Json, Json]]:
    """Pairs the lines of one score, in computed order: identical ones, then same but for points, then same rule."""
    left = list(claimed)
    partners: list[Json] = [None] * len(computed)
    for alike in (identical, same_but_points, same_rule):
        for index, line in enumerate(computed):
            if partners[index] is None:
                partners[index] = next((claim for claim in left if alike(claim, line)), None)
                if partners[index] is not None:
                    left.remove(partners[index])
    yield from zip(partners, computed, strict=True)
    yield from ((claim, None) for claim in left)


def identical(claimed: Line, computed: Line) -> bool:
    return claimed == computed


def same_but_points(claimed: Line, computed: Line) -> bool:
    return {**claimed, "points": 0} == {**computed, "points": 0}


def same_rule(claimed: Line, computed: Line) -> bool:
    return bool(claimed["rule"] == computed["rule"])
