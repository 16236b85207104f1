"""What several answers have in common."""

from typing import Any

from capomastro.adjudicator.loading import sound_states
from capomastro.documents import json_text
from capomastro.engine import referee
from capomastro.engine.game import AnyGame

Answer = dict[str, Any]


def standing(game: AnyGame, state: Any) -> Answer:
    """What every answer says of the state it leads to; it will be recognised when it comes back."""
    state_hash = json_text.state_hash(state)
    sound_states.add(state_hash)
    return {
        "state": state,
        "state_hash": state_hash,
        "derived": game.derived(state),
        "decision": referee.decision(game, state),
    }
