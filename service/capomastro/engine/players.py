"""Players: they choose one of a seat's legal moves, from what that seat may know."""

from collections.abc import Callable, Mapping
from itertools import pairwise
from random import Random
from typing import Any

from capomastro.engine import referee
from capomastro.engine.game import AnyGame
from capomastro.engine.moves import Move, Moves

Player = Callable[[AnyGame, Any, Moves, Random], Move]
"""Chooses one of the legal moves of a state; there is at least one."""

MOST_WEIGHED = 60
"""The number of moves that a player weighs. Of more a sample is drawn, so that a move costs about the same anywhere."""


def at_random(game: AnyGame, state: Any, moves: Moves, random: Random) -> Move:
    """Chooses any legal move with equal probability; picks it by index, so that long lists are not built."""
    return moves.pick(random.randrange(moves.total))


def sample(moves: Moves, count: int, random: Random) -> list[Move]:
    """`count` moves of a longer list: one from each of `count` equal parts, so that all kinds are represented."""
    bounds = [part * moves.total // count for part in range(count + 1)]
    return [moves.pick(random.randrange(*part)) for part in pairwise(bounds)]


def preferring(worth: Callable[[AnyGame, Any, Move], float], look_at: int = MOST_WEIGHED) -> Player:
    """A player who chooses the best move, at random among equals; of more than `look_at` moves, out of a sample."""

    def choose(game: AnyGame, state: Any, moves: Moves, random: Random) -> Move:
        seen = sample(moves, look_at, random) if moves.total > look_at else list(moves.starting_at(0))
        worths = [worth(game, state, move) for move in seen]
        most = max(worths)
        return random.choice([move for move, value in zip(seen, worths, strict=True) if value == most])

    return choose


def wants(game: AnyGame, state: Any, move: Move) -> float:
    """How much the planning player wants a move."""
    return game.wants(state, move)


planning: Player = preferring(wants)
"""Plays what the game says a player who plans wants most."""

PLAYERS: Mapping[str, Player] = {"random": at_random, "planning": planning}
"""The players of the service, by name."""


def suggested(game: AnyGame, state: Any, player: str, seed: str) -> Move | None:
    """The move that a player chooses for the deciding seat; None if no legal move is known.

    The player sees only what that seat may know of `state`, so the hands of others do not affect the choice. Random
    choices depend on `player`, `seed` and the ply.
    """
    view = game.view(state, referee.decision(game, state).seat)
    moves = referee.legal_moves(game, view)
    if not moves.total:
        return None
    return PLAYERS[player](game, view, moves, Random(f"{seed}/{state.ply}"))
