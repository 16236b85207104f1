"""Records: playing one again, as far as it is legal, and what a viewer may see of it."""

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from capomastro.engine import referee
from capomastro.engine.decisions import Event, Move
from capomastro.engine.game import Game
from capomastro.engine.refusals import Refusal


class Replayed(msgspec.Struct, frozen=True):
    """How far a record could be followed: the state there, the number of moves played, and why no further if so."""

    state: Any
    plies: int
    refusal: Refusal | None = None


def replay(game: Game[Any], state: Any, moves: Iterable[Move]) -> Replayed:
    """Plays `moves` from `state` until the end or the first that is not legal."""
    plies = 0
    for move in moves:
        refusal = referee.refusal(game, state, move)
        if refusal is not None:
            return Replayed(state, plies, refusal)
        state, _ = referee.play(game, state, move)
        plies += 1
    return Replayed(state, plies)


def viewed_moves(game: Game[Any], state: Any, moves: Iterable[Move], seat: int | None) -> Iterator[Move]:
    """Legal `moves` from `state` as `seat` (None: a spectator) sees them."""
    for move in moves:
        yield referee.viewed_move(game, state, move, seat)
        state, _ = referee.play(game, state, move)


def followed(game: Game[Any], state: Any, moves: Iterable[Move]) -> tuple[Any, list[Event]]:
    """The state after legal `moves`, and all events on the way."""
    events: list[Event] = []
    for move in moves:
        state, happened = referee.play(game, state, move)
        events += happened
    return state, events
