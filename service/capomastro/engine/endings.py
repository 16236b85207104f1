"""The ends that a game can still have when only chance is left to decide."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from operator import itemgetter
from typing import Any

from capomastro.engine import referee
from capomastro.engine.chance import as_text
from capomastro.engine.decisions import ChanceDecision
from capomastro.engine.game import AnyGame


class SeatToDecide(Exception):
    """A seat still has a decision."""


def possible_ends(game: AnyGame, state: Any, probability: Fraction = Fraction(1)) -> Iterator[tuple[Any, Fraction]]:
    """Every finished state that can follow, with its probability.

    Raises:
        SeatToDecide: if chance can lead to a decision of a seat.
    """
    if referee.is_over(game, state):
        yield state, probability
        return
    decision = game.decision_at[type(state.stage)]
    if not isinstance(decision, ChanceDecision):
        raise SeatToDecide
    outcomes = decision.rule.outcomes(state)
    for component, weight in outcomes.weights.items():
        if weight:
            after, _ = referee.play(game, state, decision.rule.move(component))
            yield from possible_ends(game, after, probability * outcomes.probability(component))


def open_results(game: AnyGame, state: Any) -> Mapping[str, Any] | None:
    """The possible results with probabilities, if only chance is left to decide; None otherwise."""
    ends: dict[tuple[tuple[str, Any], ...], tuple[Any, Fraction]] = {}
    try:
        for end, probability in possible_ends(game, state):
            drawn = tuple(game.drawn_for_scoring(end).items())
            _, before = ends.get(drawn, (end, Fraction()))
            ends[drawn] = end, before + probability
    except SeatToDecide:
        return None
    return {
        "outcomes": [
            {**dict(drawn), "probability": as_text(probability), "result": game.result(end)}
            for drawn, (end, probability) in sorted(ends.items(), key=itemgetter(0))
        ]
    }
