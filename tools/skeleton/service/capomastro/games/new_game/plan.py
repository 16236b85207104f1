"""The planning player of New Game: FILL IN, in one sentence, what they aim for."""

from capomastro.engine.moves import Move
from capomastro.engine.stages import stage_of
from capomastro.games.new_game import moves, stages
from capomastro.games.new_game.components import POINTS_OF
from capomastro.games.new_game.state import State


def wants(state: State, move: Move) -> float:
    """How much the planning player wants a move. FILL IN: every kind of move, instead of these examples."""
    match move:
        case moves.Draw():
            return 1
        case moves.Keep():
            return POINTS_OF[stage_of(state, stages.KeepOrPutBack).token]
        case _:
            return 0
