"""Samples: full states that agree with all that a seat knows."""

from typing import Any

from capomastro.adjudicator.loading import illegal_in_record, load_record, load_state
from capomastro.adjudicator.views import require_seat
from capomastro.answers import Samples
from capomastro.engine.game import AnyGame
from capomastro.engine.samples import Sampler, sampler_of_course
from capomastro.engine.steps import Refused

MAXIMUM_SAMPLES = 100


def samples(game: AnyGame, document: Any, seat: int | None, seed: str, count: int = 1) -> Samples:
    """So many full states, each drawn with the probability that chance alone gives it, given the seat's view."""
    state = load_state(game, document)
    require_seat(state, seat, "/seat")
    return Samples(Sampler(game, state, seat).samples(seed, count))


def samples_of_record(game: AnyGame, document: Any, seat: int | None, seed: str, count: int = 1) -> Samples:
    """The same of the last state of a record, given all that the seat has seen in the course of the game."""
    start, moves = load_record(game, document, under_current_rules=False, at="/record")
    require_seat(start, seat, "/seat")
    try:
        sampler = sampler_of_course(game, start, moves, seat)
    except Refused as refused:
        raise illegal_in_record(game, refused) from None
    return Samples(sampler.samples(seed, count))
