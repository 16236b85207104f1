"""What is left of the box."""

from capomastro.engine.piles import FaceDownPile, face_down
from capomastro.games.new_game import stages
from capomastro.games.new_game.components import TOKENS
from capomastro.games.new_game.state import State


def shown(state: State) -> list[str]:
    """The visible tokens."""
    drawn = [state.stage.token] if isinstance(state.stage, stages.KeepOrPutBack) else []
    return [*drawn, *(token for seat in state.seats for token in seat.tokens)]


def bag(state: State) -> FaceDownPile:
    """FILL IN: the supplies of the game, instead of this example: the tokens in the bag."""
    return face_down(TOKENS, shown(state))
