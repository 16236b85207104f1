"""What is wrong with a state: one check per way in which it contradicts the box or itself, or a rule would fail."""

from collections.abc import Iterator

from capomastro.engine.audits import component_findings, why_no_seat
from capomastro.engine.refusals import Refusal, refuse
from capomastro.games.new_game import stages
from capomastro.games.new_game.components import TOKENS
from capomastro.games.new_game.state import State
from capomastro.games.new_game.supplies import shown


def findings(state: State) -> Iterator[Refusal]:
    """FILL IN: a check for every fault, in addition to these examples."""
    yield from component_findings("new-game.components.tokens", shown(state), TOKENS)
    if refusal := why_no_seat(state):
        yield refusal
    if not state.ply and (state.active_seat or not isinstance(state.stage, stages.ChooseAction)):
        yield refuse("new-game.turn.first", "/ply")
