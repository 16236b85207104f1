"""What is wrong with a state: one check per way in which it contradicts the box or itself, or a rule would fail."""

from collections.abc import Iterator

from capomastro.engine.multisets import surplus
from capomastro.engine.refusals import Refusal, refuse
from capomastro.games.new_game import stages
from capomastro.games.new_game.components import TOKENS
from capomastro.games.new_game.state import State
from capomastro.games.new_game.supplies import shown


def findings(state: State) -> Iterator[Refusal]:
    """FILL IN: a check for every fault, besides these examples."""
    for token in surplus(tuple(shown(state).elements()), TOKENS):
        yield refuse("new-game.components.tokens", "", component=token, box=TOKENS[token])
    if state.active_seat >= len(state.seats):
        yield refuse("new-game.turn.seats", "/active_seat", seat=state.active_seat, players=len(state.seats))
    if not state.ply and (state.active_seat or not isinstance(state.stage, stages.ChooseAction)):
        yield refuse("new-game.turn.first", "/ply")
