"""Samples: full states that agree with all that a seat knows."""

from typing import Any

from capomastro.adjudicator.loading import load_state
from capomastro.adjudicator.views import require_seat
from capomastro.answers import Samples
from capomastro.engine.game import AnyGame
from capomastro.engine.samples import sampled

MAXIMUM_SAMPLES = 100


def samples(game: AnyGame, document: Any, seat: int | None, seed: str, count: int = 1) -> Samples:
    """So many full states, each drawn with the probability that chance alone gives it, given the seat's view."""
    state = load_state(game, document)
    require_seat(state, seat, "/seat")
    return Samples(sampled(game, state, seat, seed, count))
