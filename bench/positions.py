"""What the benches of our own games work on: positions from the middle of recorded games, and requests about them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from gc import get_objects
from typing import Any, NamedTuple, TypeVar

from tests.support.playouts import Ply
from tests.support.recorded import Replay, records_of, replay_of

from bench.interleave import Sample, Sampler
from bench.reference_unit import Seconds, clock
from capomastro.documents import json_text
from capomastro.engine import memory
from capomastro.engine.decisions import Move
from capomastro.engine.game import AnyGame
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


def forget() -> None:
    """Clears every bounded cache of rules and documents: facts about positions, not tables."""
    for cached in bounded_caches():
        cached.cache_clear()
    memory.forget()


@cache
def bounded_caches() -> Sequence[Any]:
    """The bounded caches, found by inspection; unbounded ones do not depend on positions."""
    return [
        each
        for each in get_objects()
        if type(each) is type(bounded_caches)
        and each.__module__.startswith("capomastro.")
        and each.cache_parameters()["maxsize"] is not None
    ]


def calls_uncached(
    function: Callable[[T], object],
    arguments: Iterable[T],
    *,
    seconds: Seconds,
) -> Sampler:
    """A contender like `calls_over`, with caches cleared before each call: every argument is new."""
    items = tuple(arguments)

    def sample() -> Sample:
        done, elapsed = 0, 0.0
        while elapsed < seconds:
            for item in items:
                forget()
                begin = clock()
                function(item)
                elapsed += clock() - begin
            done += len(items)
        return Sample(done, elapsed)

    return sample
