"""All scoring: districts, the bonus for businesses, building stops, the end (rulebook: "Scoring a district", "End")."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations

from msgspec.structs import replace

from capomastro.engine import results
from capomastro.engine.events import Event
from capomastro.engine.multisets import Multiset, kinds
from capomastro.engine.results import Score, score_with
from capomastro.games.fifth_avenue import components as box
from capomastro.games.fifth_avenue import events, tokens
from capomastro.games.fifth_avenue.lots import District, Owner, buildings_by_owner, buildings_in, owners_in
from capomastro.games.fifth_avenue.state import Seat, State

BONUS = {3: (3, 4), 6: (4, 6), 9: (5, 8)}
"""By the number of placed businesses: the districts in which a player needs buildings, and the points for it."""

TIE_RULES = ("fifth-avenue.end.tie",)

# --- a normal scoring ------------------------------------------------------------------------------------------------


def neighbours(ring: tokens.Ring, lot: str) -> tuple[str, str]:
    """The two lots adjoining a lot of a ring."""
    place = ring.index(lot)
    return ring[place - 1], ring[(place + 1) % len(ring)]


def points_of_a_building(district: District, ring: tokens.Ring, lot: str) -> int:
    """The points of a building on `lot` in a normal scoring, by the different businesses on the two adjoining lots."""
    before, after = neighbours(ring, lot)
    return box.POINTS_BY_KINDS[len({*district[before].businesses, *district[after].businesses})]


ScoredLot = tuple[str, str, Owner, int, int]
"""A lot in a normal scoring: its district and colour, the owner and number of its buildings, the points of each."""


def scored_lots(districts: Iterable[tuple[str, District]], rings: Mapping[str, tokens.Ring]) -> list[ScoredLot]:
    """The normal scoring of open districts, lot by lot."""
    return [
        (name, lot, owner, buildings, points_of_a_building(district, rings[name], lot))
        for name, district in districts
        for lot, owner, buildings in buildings_in(district)
    ]


def totals_of_seats(district: District, ring: tokens.Ring, players: int) -> Sequence[int]:
    """The points of every seat in a normal scoring."""
    totals = [0] * players
    for lot, owner, buildings in buildings_in(district):
        if isinstance(owner, int) and owner < players:
            totals[owner] += buildings * points_of_a_building(district, ring, lot)
    return tuple(totals)


class ScoreLine(results.ScoreLine, frozen=True):
    """The points on the track, or what buildings score at the end."""

    district: tokens.District | None = None
    """The district, in a line of the final scoring of districts."""
    lot: tokens.Lot | None = None
    """The lot of the buildings."""
    buildings: tokens.ScoredBuildings | None = None
    each: tokens.PointsOfEach | None = None
    tiles: tokens.ParkTiles | None = None
    """The tiles by which Central Park is scored."""


Result = results.Result[ScoreLine]
"""Who won, and why. The lines are the points on the track, the buildings in each open district and those in Central
Park; the number of cards in hand breaks ties."""


# --- option D: a district --------------------------------------------------------------------------------------------


PointsScored = events.DistrictScored | events.BonusScored | events.StopScored
Scored = tuple[tuple[Seat, ...], list[Event]]
"""The seats with the points of a scoring, and its events."""


def with_points(state: State, scored: Iterable[PointsScored]) -> Scored:
    """Gives the seats the points of these events; those of 0 points are dropped."""
    seats, happened = list(state.seats), [event for event in scored if event.points]
    for event in happened:
        seats[event.seat] = replace(seats[event.seat], score=seats[event.seat].score + event.points)
    return tuple(seats), [*happened]


def score_district(state: State, name: str) -> Scored:
    """Every player who owns buildings in the district gets the points of a normal scoring."""
    district = (name, state.districts.known_open(name))
    scored = [
        events.DistrictScored(owner, "fifth-avenue.scoring.district", number * each, name, lot, number, each)
        for _, lot, owner, number, each in scored_lots([district], state.options.rings)
        if isinstance(owner, int)
    ]
    return with_points(state, scored)


# --- option B: the bonus for businesses ------------------------------------------------------------------------------


def score_bonus(state: State, placed: int) -> Scored:
    """After the third, sixth and ninth placed tile: points for buildings in enough districts."""
    if placed not in BONUS:
        return state.seats, []
    needed, points = BONUS[placed]
    scored, owners = [], [owners_in(district) for _, district in state.districts.open]
    for seat in range(len(state.seats)):
        number = sum([seat in present for present in owners])
        if number >= needed:
            scored.append(events.BonusScored(seat, points, "fifth-avenue.business.bonus", placed, number))
    return with_points(state, scored)


# --- a building stop -------------------------------------------------------------------------------------------------


def score_stop(state: State, name: str, winner: Owner) -> Scored:
    """The player who ordered it gets 1 point per building there; others get half of a normal scoring, rounded down."""
    district = state.districts.known_open(name)
    totals = totals_of_seats(district, state.options.rings[name], len(state.seats))
    everything = sum(buildings_by_owner(district).values())
    scored = [
        events.StopScored(seat, everything, "fifth-avenue.stop.winner", name, buildings=everything)
        if seat == winner
        else events.StopScored(seat, total // 2, "fifth-avenue.stop.others", name, total=total)
        for seat, total in enumerate(totals)
    ]
    return with_points(state, scored)


# --- the end ---------------------------------------------------------------------------------------------------------


def park_line(buildings: int, tiles: Multiset) -> ScoreLine:
    """The score line of a player's buildings in Central Park: more kinds among the drawn tiles give more points."""
    each = box.POINTS_BY_KINDS[len(kinds(tiles))]
    return ScoreLine("fifth-avenue.end.central-park", buildings * each, buildings=buildings, each=each, tiles=tiles)


def score_of(
    seat: int, track: int | None, lots: Sequence[ScoredLot], park: int, tiles: Multiset, hand_size: int | None
) -> Score[ScoreLine]:
    """A player's score at the end: points on the track, if known, the open districts once more, Central Park."""
    lines = [] if track is None else [ScoreLine("fifth-avenue.end.track", track)]
    lines += [
        ScoreLine("fifth-avenue.end.districts", number * each, district, lot, number, each)
        for district, lot, owner, number, each in lots
        if owner == seat
    ]
    if park:
        lines.append(park_line(park, tiles))
    return score_with(seat, lines, hand_size, "hand")


def tiles_for_scoring(state: State) -> Multiset:
    """The tiles drawn for Central Park; all of them if there were at most three."""
    return state.under_central_park if state.park_tiles is None else state.park_tiles


def scores(state: State, tiles: Multiset) -> list[Score[ScoreLine]]:
    """All players' scores if Central Park is scored by `tiles`."""
    lots = scored_lots(state.districts.open, state.options.rings)
    return [
        score_of(index, seat.score, lots, seat.central_park, tiles, seat.hand.size)
        for index, seat in enumerate(state.seats)
    ]


def possible_draws(under: Multiset) -> list[tuple[Multiset, Fraction]]:
    """Every multiset of tiles by which Central Park can be scored, given those under it, with its probability."""
    draws = Counter(combinations(under, min(box.PARK_TILES, len(under))))
    return [(tiles, Fraction(number, draws.total())) for tiles, number in sorted(draws.items())]
