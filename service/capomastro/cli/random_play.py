"""Plays a game with random legal moves: the same seed gives the same game in every release."""

from collections.abc import Iterator
from hashlib import sha256
from typing import Any

from capomastro import adjudicator
from capomastro.engine import referee
from capomastro.engine.game import AnyGame
from capomastro.engine.moves import Move
from capomastro.engine.steps import Step, play_step


def random_move(game: AnyGame, state: Any, seed: str) -> Move:
    """A legal move, each equally likely.

    Its index is the SHA-256 of the text "seed/ply/move", read as a big-endian number, modulo the number of moves.
    """
    moves = referee.legal_moves(game, state)
    number = int.from_bytes(sha256(f"{seed}/{state.ply}/move".encode()).digest(), "big")
    return moves.pick(number % moves.total)


def play_out(game: AnyGame, state: Any, seed: str) -> Iterator[Step]:
    """Plays until the game is over; draws chance as the service does."""
    while not referee.is_over(game, state):
        draw = referee.draw if referee.is_at_chance(game, state) else random_move
        step = play_step(game, state, draw(game, state, seed))
        yield step
        state = step.after


def start(game: AnyGame, players: int, names: list[str] | None, options: Any) -> Any:
    """The state before anything has been dealt."""
    return game.start(players, adjudicator.load_options(game, players, options), adjudicator.load_names(players, names))
