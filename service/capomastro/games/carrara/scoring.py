"""Scoring: the pay of scored buildings, and the end (rulebook: "Action III: score", "Final scoring", "Ties")."""

from collections.abc import Iterable, Sequence

from capomastro.engine import results
from capomastro.engine.multisets import Multiset
from capomastro.engine.results import Score, exactly
from capomastro.games.carrara import components as box
from capomastro.games.carrara import supplies, tokens
from capomastro.games.carrara.state import State

OBJECT_POINTS = 3
COINS_FOR_A_POINT = 5

TIE_RULES = ("carrara.scoring.tie",)

# --- during the game -------------------------------------------------------------------------------------------------


def proceeds(scored: Iterable[tuple[str, str]]) -> dict[str, int]:
    """The points and coins that buildings pay, each with its city: cost times the rate of the city."""
    pay = {"points": 0, "coins": 0}
    for building, name in scored:
        city = box.CITIES[name]
        pay[city.pays] += box.COST_OF[building] * city.rate
    return pay


# --- at the end ------------------------------------------------------------------------------------------------------


class ScoreLine(results.ScoreLine, frozen=True):
    """A player's points by one rule: the points on the track, or one of the three parts of the final scoring."""

    number: tokens.ObjectCount | None = None
    """The number of objects."""
    objects: tokens.Objects | None = None
    """The objects; absent if the scoresheet gave only their number."""
    costs: tokens.Costs | None = None
    """The costs of the buildings."""
    coins: tokens.Coins | None = None
    """The coins left."""


Result = results.Result[ScoreLine]
"""Who won, and why. The lines are the points on the track, then the final scoring; the number of blocks left breaks
ties."""


def object_line(objects: Multiset | int) -> ScoreLine:
    """The points for objects, by kind or as a number."""
    number = objects if isinstance(objects, int) else len(objects)
    by_kind = None if isinstance(objects, int) else objects
    return ScoreLine("carrara.scoring.objects", OBJECT_POINTS * number, number=number, objects=by_kind)


def building_line(costs: Sequence[int]) -> ScoreLine:
    return ScoreLine("carrara.scoring.buildings", sum(costs), costs=tuple(costs))


def coin_line(coins: int) -> ScoreLine:
    return ScoreLine("carrara.scoring.coins", coins // COINS_FOR_A_POINT, coins=coins)


def final_lines(objects: Multiset | int, costs: Sequence[int], coins: int) -> list[ScoreLine]:
    """The lines added to the points on the track."""
    return [object_line(objects), building_line(costs), coin_line(coins)]


def track_line(points: int) -> ScoreLine:
    """The points scored during the game."""
    return ScoreLine("carrara.scoring.track", points)


def additions(state: State) -> list[list[ScoreLine]]:
    """The points that the final scoring adds, by seat."""
    return [
        final_lines(seat.objects, sorted(box.COST_OF[building] for building in supplies.buildings_of(seat)), seat.coins)
        for seat in state.seats
    ]


def scores(state: State) -> list[Score[ScoreLine]]:
    """All players' scores at the end; the number of blocks left, of any colour, breaks ties."""
    return [
        Score(index, (track_line(seat.points), *lines), (exactly(len(seat.blocks)),))
        for index, (seat, lines) in enumerate(zip(state.seats, additions(state), strict=True))
    ]
