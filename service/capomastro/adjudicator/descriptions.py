"""The members with which several answers describe a state."""

from typing import Any, NamedTuple

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
    """Describes a state in an answer."""
    return DescribedState(state, json_text.state_hash(state), game.derived(state), referee.decision(game, state))
