"""Plays games: at random, towards a goal, or with chosen draws.

>>> from capomastro.games import all_games
>>> [ply.move for ply in play_out(all_games()["palazzo"], 2, seed="7")][0]
DrawTile(tile='sandstone-3-1')
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from random import Random
from typing import Any, NamedTuple

import msgspec

from capomastro.engine import referee
from capomastro.engine.chance import Outcomes
from capomastro.engine.decisions import ChanceDecision
from capomastro.engine.events import Event
from capomastro.engine.game import AnyGame
from capomastro.engine.moves import Move, Moves
from capomastro.engine.players import Player, at_random
from tests.support.documents import as_document

MAXIMUM_PLIES = 20_000
"""No playout is as long: one that is has got stuck in a circle."""


class Step(NamedTuple):
    """The state before, the move, the state after it and what happened."""

    before: Any
    move: Move
    after: Any
    happened: list[Event]


class Ply(Step):
    """One step of a game."""

    @cached_property
    def events(self) -> list[dict[str, Any]]:
        """The events, as an HTTP client gets them; they are not to be changed."""
        events: list[dict[str, Any]] = as_document(self.happened)
        return events


Chance = Callable[[AnyGame, Any, str], Move]
"""Makes the move of chance, given the seed."""


def start(game: AnyGame, players: int, options: Mapping[str, Any] | None = None) -> Any:
    """The state before anything has been dealt; `options` as in a document, defaults filled in."""
    return game.start(players, msgspec.convert(dict(options or {}), game.options_type), None)


# --- players ---------------------------------------------------------------------------------------------------------


def by_seat(*players: Player) -> Player:
    """A player for each seat."""

    def choose(game: AnyGame, state: Any, moves: Moves, random: Random) -> Move:
        seat = referee.decision(game, state).seat
        assert seat is not None
        return players[seat](game, state, moves, random)

    return choose


def mixed(share: float, one: Player, other: Player) -> Player:
    """A player like `one` with probability `share`, otherwise like `other`: reaches goals on different ways."""

    def choose(game: AnyGame, state: Any, moves: Moves, random: Random) -> Move:
        return (one if random.random() < share else other)(game, state, moves, random)

    return choose


# --- chance ----------------------------------------------------------------------------------------------------------


def drawn(game: AnyGame, state: Any, seed: str) -> Move:
    """Chance as the service draws it."""
    return referee.draw(game, state, seed)


def wishing(worth: Callable[[AnyGame, Any, Move], float]) -> Chance:
    """Chance that draws one of the best possible outcomes."""

    def draw(game: AnyGame, state: Any, seed: str) -> Move:
        here = game.decision_at[type(state.stage)]
        assert isinstance(here, ChanceDecision)
        possible = {name: weight for name, weight in here.rule.outcomes(state).weights.items() if weight}
        worths = {name: worth(game, state, here.rule.move(name)) for name in possible}
        most = max(worths.values())
        best = Outcomes({name: weight for name, weight in possible.items() if worths[name] == most})
        move: Move = here.rule.move(best.draw(seed, state.ply))
        return move

    return draw


# --- playouts --------------------------------------------------------------------------------------------------------


def play_on(
    game: AnyGame, state: Any, seed: str = "0", player: Player = at_random, chance: Chance = drawn
) -> Iterator[Ply]:
    """Every ply from `state` to the end. Legality is not checked: that is for the tests."""
    random = Random(seed)
    for _ in range(MAXIMUM_PLIES):
        if referee.is_over(game, state):
            return
        if referee.is_at_chance(game, state):
            move = chance(game, state, seed)
        else:
            moves = referee.legal_moves(game, state)
            assert moves.total, f"stuck: no legal move at ply {state.ply} of seed {seed!r}"
            move = player(game, state, moves, random)
        after, happened = referee.play(game, state, move)
        yield Ply(state, move, after, happened)
        state = after
    raise AssertionError(f"seed {seed!r} goes round in circles")


def play_out(
    game: AnyGame,
    players: int,
    options: Mapping[str, Any] | None = None,
    seed: str = "0",
    player: Player = at_random,
    chance: Chance = drawn,
) -> Iterator[Ply]:
    """Every ply of a whole game, including the set-up."""
    return play_on(game, start(game, players, options), seed, player, chance)


def positions(game: AnyGame, players: int, options: Mapping[str, Any] | None = None, seed: str = "0") -> Iterator[Any]:
    """Every state of a random game, from the empty table to the end."""
    yield start(game, players, options)
    for ply in play_out(game, players, options, seed):
        yield ply.after


def points_in(events: Iterable[Mapping[str, Any]]) -> Counter[int]:
    """The points of every seat, added up from events."""
    points: Counter[int] = Counter()
    for event in events:
        if "points" in event:
            points[event["seat"]] += event["points"]
    return points
