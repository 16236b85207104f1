"""The members with which several answers describe a state."""

from typing import Any, NamedTuple

from capomastro.adjudicator.loading import is_known_to_one_seat, sound_states
from capomastro.documents import json_text
from capomastro.engine import referee
from capomastro.engine.decisions import Decision
from capomastro.engine.game import AnyGame, Derived


class DescribedState(NamedTuple):
    """A state, what follows from it, and who decides next."""

    state: Any
    state_hash: str
    derived: Derived
    decision: Decision


def described(game: AnyGame, state: Any) -> DescribedState:
    """Describes a state in an answer; it is recognised when it comes back, unless only one player can have it."""
    state_hash = json_text.state_hash(state)
    if not is_known_to_one_seat(state):
        sound_states.add(state_hash)
    return DescribedState(state, state_hash, game.derived(state), referee.decision(game, state))
