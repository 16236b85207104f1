"""Scoring: districts, businesses placed, building stops, and the end (rulebook: "Scoring a district", "End")."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from math import comb

from capomastro.engine.multisets import Multiset, kinds
from capomastro.engine.results import Line, Score, TieBreak, exactly
from capomastro.games.fifth_avenue.components import PARK_TILES
from capomastro.games.fifth_avenue.lots import POINTS_BY_KINDS, District, Ring, ScoredLot, scored_lots
from capomastro.games.fifth_avenue.state import State

BONUS = {3: (3, 4), 6: (4, 6), 9: (5, 8)}
"""After so many placed businesses: in how many districts one has to have buildings, and the points for it."""

TIE_RULES = ("fifth-avenue.end.tie",)

DistrictsAndRings = Iterable[tuple[str, District, Ring]]
ScoredLots = Sequence[tuple[str, ScoredLot]]
"""Lots with buildings, each with its district."""


def lot_line(district: str, scored: ScoredLot, rule: str) -> Line:
    """What the buildings on one lot are worth to their owner, who never is the dummy."""
    lot, _, buildings, each = scored
    return {
        "rule": rule,
        "points": buildings * each,
        "district": district,
        "lot": lot,
        "buildings": buildings,
        "each": each,
    }


def park_line(buildings: int, tiles: Multiset) -> Line:
    """The buildings of one player in Central Park: each is worth more the more kinds lie among the drawn tiles."""
    each = POINTS_BY_KINDS[len(kinds(tiles))]
    return {
        "rule": "fifth-avenue.end.central-park",
        "points": buildings * each,
        "buildings": buildings,
        "each": each,
        "tiles": list(tiles),
    }


def all_scored(districts: DistrictsAndRings) -> ScoredLots:
    """Every lot that counts once more at the end."""
    return [(name, scored) for name, district, ring in districts for scored in scored_lots(district, ring)]


def score_of(seat: int, track: int, lots: ScoredLots, park: int, tiles: Multiset, hand_size: int | None) -> Score:
    """A player's score at the end: what he had on the track, the open districts once more, Central Park."""
    lines: list[Line] = [{"rule": "fifth-avenue.end.track", "points": track}]
    own = [(district, scored) for district, scored in lots if scored.owner == seat]
    lines += [lot_line(district, scored, "fifth-avenue.end.districts") for district, scored in own]
    if park:
        lines.append(park_line(park, tiles))
    tie_break = TieBreak(0, None) if hand_size is None else exactly(hand_size)
    return Score(seat, tuple(lines), (tie_break,), ("the number of hand cards",) if hand_size is None else ())


def tiles_for_scoring(state: State) -> Multiset:
    """The tiles drawn for Central Park; if there were no more than three, all of them."""
    return state.under_central_park if state.park_tiles is None else state.park_tiles


def scores(state: State, tiles: Multiset) -> list[Score]:
    """Everybody's score if Central Park is scored by `tiles`."""
    lots = all_scored([(name, district, state.options.rings[name]) for name, district in state.districts.open])
    return [
        score_of(index, seat.score, lots, seat.central_park, tiles, seat.hand.size)
        for index, seat in enumerate(state.seats)
    ]


@lru_cache(maxsize=4096)
def possible_draws(drawn: Multiset, under: Multiset) -> tuple[tuple[Multiset, Fraction], ...]:
    """Every multiset of tiles Central Park can be scored by, given those drawn and those still under it."""
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


def final_lines(scored: Sequence[Score]) -> Iterator[tuple[int, Line]]:
    """What the end adds to the points on the track."""
    for score in scored:
        for line in score.lines:
            if line["rule"] != "fifth-avenue.end.track":
                yield score.seat, line
