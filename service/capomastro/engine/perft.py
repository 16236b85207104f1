"""Perft: counts the sequences of decisions to some depth, the classical way to compare two engines.

One step is one decision of a seat, however few moves it has. A seed draws chance in between (`engine/chance.py`), which
is not a step. A game that ends earlier does not count.
"""

from collections.abc import Iterator
from typing import Any

from capomastro.engine import referee
from capomastro.engine.game import AnyGame
from capomastro.engine.moves import Move
from capomastro.engine.steps import draw_steps, state_after


def perft(game: AnyGame, state: Any, depth: int, seed: str, all_payments: bool = False) -> int:
    """The number of sequences of `depth` decisions of seats from `state`; moves at the last depth are only counted."""
    if depth == 0:
        return 1
    state = state_after(state, draw_steps(game, state, seed))
    if referee.is_over(game, state):
        return 0
    moves = referee.legal_moves(game, state, all_payments)
    if depth == 1:
        return moves.total
    after = (referee.play(game, state, move)[0] for move in moves.starting_at(0))
    return sum(perft(game, each, depth - 1, seed, all_payments) for each in after)


def divide(game: AnyGame, state: Any, depth: int, seed: str, all_payments: bool = False) -> Iterator[tuple[Move, int]]:
    """Each legal move of the first decision with the number of sequences of `depth` >= 1 that begin with it."""
    state = state_after(state, draw_steps(game, state, seed))
    if not referee.is_over(game, state):
        for move in referee.legal_moves(game, state, all_payments).starting_at(0):
            after, _ = referee.play(game, state, move)
            yield move, perft(game, after, depth - 1, seed, all_payments)
