"""What the benches of our own games work on: positions from the middle of recorded games, and requests about them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple, TypeVar

from tests.support.playouts import Ply
from tests.support.recorded import Replay, records_of, replay_of

from capomastro.documents import json_text
from capomastro.engine.game import AnyGame
from capomastro.engine.moves import Move
from capomastro.engine.referee import is_at_chance

T = TypeVar("T")

POSITIONS = 120
"""Of each game, spread evenly over its recorded games."""


class Position(NamedTuple):
    """A state in which a seat decides, and the move that was made there."""

    state: Any
    move: Move


@cache
def replays_of(game: AnyGame) -> tuple[Replay, ...]:
    """The recorded games, the longest first."""
    found = (replay_of(file) for file in records_of(game.id))
    return tuple(sorted(found, key=lambda replay: (-len(replay.plies), replay.document["id"])))


def middle_of(replay: Replay) -> Sequence[Ply]:
    """The middle half of a recorded game."""
    quarter = len(replay.plies) // 4
    return replay.plies[quarter:-quarter]


def spread(items: Sequence[T], number: int) -> Sequence[T]:
    """At most `number` of the items, evenly spread."""
    return items[:: max(1, len(items) // number)][:number]


@cache
def middle_of_games(game: AnyGame, number: int = POSITIONS) -> tuple[Position, ...]:
    """Positions from the middle half of every recorded game in which a seat decides."""
    every = []
    for replay in replays_of(game):
        every += [Position(ply.before, ply.move) for ply in middle_of(replay) if not is_at_chance(game, ply.before)]
    return tuple(spread(every, number))


def request_to_move(position: Position) -> bytes:
    """The body of a request for a transition."""
    return json_text.encode({"state": position.state, "moves": [position.move]})
