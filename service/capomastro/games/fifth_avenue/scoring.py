"""All scoring: districts, the bonus for businesses, building stops, the end (rulebook: "Scoring a district", "End")."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import comb
from typing import Any, NamedTuple

from msgspec.structs import replace

from capomastro.engine import results
from capomastro.engine.chance import as_text
from capomastro.engine.events import Event
from capomastro.engine.multisets import Multiset, kinds
from capomastro.engine.results import Score, score_with
from capomastro.games.fifth_avenue import events
from capomastro.games.fifth_avenue.components import DISTRICTS, DUMMY, PARK_TILES
from capomastro.games.fifth_avenue.lots import District, Districts, Lot, Owner, Ring
from capomastro.games.fifth_avenue.state import Seat, State

POINTS_BY_KINDS = (1, 2, 3, 5, 8)
"""Points of a building, by the number of different businesses on the two neighbouring lots."""

BONUS = {3: (3, 4), 6: (4, 6), 9: (5, 8)}
"""By the number of placed businesses: the districts in which a player needs buildings, and the points for it."""

TIE_RULES = ("fifth-avenue.end.tie",)

DistrictsAndRings = Iterable[tuple[str, District, Ring]]
ScoredLots = Sequence[tuple[str, "ScoredLot"]]
"""Lots with buildings, each with its district."""

# --- a normal scoring ------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1024)
def neighbours(ring: Ring) -> dict[str, tuple[str, str]]:
    """The two lots adjoining each lot of a ring."""
    return {lot: (ring[index - 1], ring[(index + 1) % len(ring)]) for index, lot in enumerate(ring)}


def points_of_a_building(lots: Mapping[str, Lot], ring: Ring, lot: str) -> int:
    """The points of a building on `lot` in a normal scoring, by the different businesses on the two adjoining lots."""
    one, other = neighbours(ring)[lot]
    return POINTS_BY_KINDS[len({*lots[one].businesses, *lots[other].businesses})]


class ScoredLot(NamedTuple):
    """A lot with buildings in a normal scoring, with the points of each building."""

    lot: str
    owner: Owner
    buildings: int
    each: int


@lru_cache(maxsize=4096)
def scored_lots(district: District, ring: Ring) -> tuple[ScoredLot, ...]:
    """The normal scoring, lot by lot."""
    lots = district.facts.lots
    return tuple(
        [
            ScoredLot(lot, owner, buildings, points_of_a_building(lots, ring, lot))
            for lot, owner, buildings in district.facts.built
        ]
    )


def normal_totals(district: District, ring: Ring) -> Mapping[Owner, int]:
    """The points of every owner in a normal scoring."""
    totals: Counter[Owner] = Counter()
    for _, owner, buildings, each in scored_lots(district, ring):
        totals[owner] += buildings * each
    return totals


def totals_of_seats(district: District, ring: Ring, players: int) -> Sequence[int]:
    """The points of every seat in a normal scoring."""
    totals = [0] * players
    for _, owner, buildings, each in scored_lots(district, ring):
        if owner != DUMMY:
            totals[owner] += buildings * each
    return tuple(totals)


@lru_cache(maxsize=1024)
def totals_by_rings(districts: Districts, rings: tuple[Ring, ...], players: int) -> Mapping[str, Sequence[int]]:
    """The points of every seat in a normal scoring of each open district; `rings` in the order of the map."""
    ring_of = dict(zip(DISTRICTS, rings, strict=True))
    return {name: totals_of_seats(district, ring_of[name], players) for name, district in districts.open}


def totals_of_districts(state: State) -> Mapping[str, Sequence[int]]:
    """The points of every seat in a normal scoring of each open district; cached, since most moves change none."""
    rings = state.options.rings
    return totals_by_rings(state.districts, tuple([rings[name] for name in DISTRICTS]), len(state.seats))


class ScoreLine(results.ScoreLine, frozen=True):
    """The points on the track, or those of buildings: on a lot of a district, or in Central Park by its tiles."""

    district: str | None = None
    lot: str | None = None
    buildings: int | None = None
    each: int | None = None
    tiles: Multiset | None = None


Result = results.Result[ScoreLine]


def lot_line(district: str, scored: ScoredLot, rule: str) -> ScoreLine:
    """The score line of the buildings on one lot, whose owner is never the dummy."""
    lot, _, buildings, each = scored
    return ScoreLine(rule, buildings * each, district, lot, buildings, each)


# --- option D: a district --------------------------------------------------------------------------------------------


def with_points(seat: Seat, points: int) -> Seat:
    return replace(seat, score=seat.score + points)


def district_scored(state: State, name: str) -> tuple[tuple[Seat, ...], list[Event]]:
    """Every player who owns buildings in the district gets the points of a normal scoring."""
    seats, happened = list(state.seats), list[Event]()
    for scored in scored_lots(state.districts.known_open(name), state.options.rings[name]):
        owner = scored.owner
        if isinstance(owner, int):
            points = scored.buildings * scored.each
            seats[owner] = with_points(seats[owner], points)
            what = (name, scored.lot, scored.buildings, scored.each)
            happened.append(events.DistrictScored(owner, "fifth-avenue.scoring.district", points, *what))
    return tuple(seats), happened


# --- option B: the bonus for businesses ------------------------------------------------------------------------------


def bonus_scored(state: State, placed: int) -> tuple[tuple[Seat, ...], list[Event]]:
    """After the third, sixth and ninth placed tile: points for buildings in enough districts."""
    if placed not in BONUS:
        return state.seats, []
    needed, points = BONUS[placed]
    seats, happened = list(state.seats), list[Event]()
    owners = [lots.facts.lot_of for _, lots in state.districts.open]
    for index, seat in enumerate(state.seats):
        districts = sum([index in there for there in owners])
        if districts >= needed:
            seats[index] = with_points(seat, points)
            happened.append(events.BonusScored(index, points, "fifth-avenue.business.bonus", placed, districts))
    return tuple(seats), happened


# --- a building stop -------------------------------------------------------------------------------------------------


def stop_scored(state: State, name: str, winner: Owner) -> tuple[tuple[Seat, ...], list[Event]]:
    """The player who ordered it gets 1 point per building there; others get half of a normal scoring, rounded down."""
    district = state.districts.known_open(name)
    totals = normal_totals(district, state.options.rings[name])
    everything = sum([number for _, _, number in district.facts.built])
    seats, happened = list(state.seats), list[Event]()
    for index, seat in enumerate(state.seats):
        if index == winner:
            points = everything
            scored = events.StopScored(index, points, "fifth-avenue.stop.winner", name, buildings=everything)
        else:
            total = totals.get(index, 0)
            points = total // 2
            scored = events.StopScored(index, points, "fifth-avenue.stop.others", name, total=total)
        if points:
            seats[index] = with_points(seat, points)
            happened.append(scored)
    return tuple(seats), happened


# --- the end ---------------------------------------------------------------------------------------------------------


def park_line(buildings: int, tiles: Multiset) -> ScoreLine:
    """The score line of a player's buildings in Central Park: more kinds among the drawn tiles give more points."""
    each = POINTS_BY_KINDS[len(kinds(tiles))]
    return ScoreLine("fifth-avenue.end.central-park", buildings * each, buildings=buildings, each=each, tiles=tiles)


def all_scored(districts: DistrictsAndRings) -> ScoredLots:
    """Every lot that scores again at the end."""
    return [(name, scored) for name, district, ring in districts for scored in scored_lots(district, ring)]


def score_of(
    seat: int, track: int | None, lots: ScoredLots, park: int, tiles: Multiset, hand_size: int | None
) -> Score[ScoreLine]:
    """A player's score at the end: points on the track, if known, the open districts once more, Central Park."""
    lines = [] if track is None else [ScoreLine("fifth-avenue.end.track", track)]
    own = [(district, scored) for district, scored in lots if scored.owner == seat]
    lines += [lot_line(district, scored, "fifth-avenue.end.districts") for district, scored in own]
    if park:
        lines.append(park_line(park, tiles))
    return score_with(seat, lines, hand_size, "the number of hand cards")


def tiles_for_scoring(state: State) -> Multiset:
    """The tiles drawn for Central Park; all of them if there were at most three."""
    return state.under_central_park if state.park_tiles is None else state.park_tiles


def scores(state: State, tiles: Multiset) -> list[Score[ScoreLine]]:
    """All players' scores if Central Park is scored by `tiles`."""
    lots = all_scored([(name, district, state.options.rings[name]) for name, district in state.districts.open])
    return [
        score_of(index, seat.score, lots, seat.central_park, tiles, seat.hand.size)
        for index, seat in enumerate(state.seats)
    ]


Draws = Sequence[tuple[Multiset, Fraction]]
"""Tiles drawn for Central Park, each with its probability."""


@lru_cache(maxsize=4096)
def possible_draws(drawn: Multiset, under: Multiset) -> Draws:
    """Every multiset of tiles by which Central Park can be scored, given those drawn and those still under it."""
    missing = min(PARK_TILES - len(drawn), len(under))
    there = sorted(Counter(under).items())
    ways: list[tuple[Multiset, int]] = [((), 1)]
    for kind, count in there:
        ways = [
            (tiles + (kind,) * number, weight * comb(count, number))
            for tiles, weight in ways
            for number in range(min(count, missing - len(tiles)) + 1)
        ]
    total = comb(len(under), missing)
    complete = ((tuple(sorted(drawn + tiles)), weight) for tiles, weight in ways if len(tiles) == missing)
    return tuple((tiles, Fraction(weight, total)) for tiles, weight in sorted(complete))


def outcomes_of(draws: Draws, result_by: Callable[[Multiset], Result]) -> dict[str, Any]:
    """Every draw with its probability and the result."""
    outcomes = [
        {"tiles": tiles, "probability": as_text(probability), "result": result_by(tiles)}
        for tiles, probability in draws
    ]
    return {"outcomes": outcomes}


def final_lines(scored: Sequence[Score[ScoreLine]]) -> Iterator[tuple[int, ScoreLine]]:
    """The score lines added to the points on the track at the end."""
    for score in scored:
        for line in score.lines:
            if line.rule != "fifth-avenue.end.track":
                yield score.seat, line
