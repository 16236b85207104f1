"""Plays a game with random legal moves: the same seed gives the same game in every release."""

from collections.abc import Iterator
from hashlib import sha256
from typing import Any, NamedTuple

from capomastro import adjudicator
from capomastro.engine import referee
from capomastro.engine.decisions import Decision, Move
from capomastro.engine.events import Event
from capomastro.engine.game import AnyGame


class Ply(NamedTuple):
    """One step: the decision, its number, the move, its events, and the state after it."""

    decision: Decision
    number: int
    move: Move
    events: list[Event]
    after: Any


def random_move(game: AnyGame, state: Any, seed: str) -> Move:
    """A legal move, each equally likely.

    Its index is the SHA-256 of the text "seed/ply/move", read as a big-endian number, modulo the number of moves.
    """
    moves = referee.legal_moves(game, state)
    number = int.from_bytes(sha256(f"{seed}/{state.ply}/move".encode()).digest(), "big")
    return moves.pick(number % moves.total)


def play_out(game: AnyGame, state: Any, seed: str) -> Iterator[Ply]:
    """Plays until the game is over; draws chance as the service does."""
    while not referee.is_over(game, state):
        decision = referee.decision(game, state)
        draw = referee.drawn if decision.actor == "chance" else random_move
        move = draw(game, state, seed)
        ply = state.ply
        state, events = referee.play(game, state, move)
        yield Ply(decision, ply, move, events, state)


def start(game: AnyGame, players: int, names: list[str] | None, options: Any) -> Any:
    """The state before anything has been dealt."""
    return game.start(players, adjudicator.load_options(game, players, options), adjudicator.load_names(players, names))
