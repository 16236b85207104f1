"""Spells all legal moves of a great many positions: make campaign NAME=spelling (N=10000 random positions a title).

Every legal move has exactly one spelling, and every path that the masks allow ends in a legal move: both are compared
as sets where there are at most `FEASIBLE` legal moves, with superfluous payments and without, both by listing and by
counting (`spelling.FEW`). Where there are more, moves drawn at random are spelled through the masks, and random paths
are followed to a legal move.
"""

import argparse
from collections import Counter
from collections.abc import Iterator
from itertools import chain, count, islice
from random import Random
from typing import Any
from unittest.mock import patch

from capomastro.engine import referee
from capomastro.engine.decisions import SeatDecision
from capomastro.engine.game import AnyGame
from capomastro.engine.moves import Move
from capomastro.engine.sources import FEW
from capomastro.games import all_games
from capomastro.learning import spelling
from capomastro.learning.alphabet import alphabet_of
from capomastro.learning.spelling import Prefix, empty_prefix
from tests.support.playouts import positions
from tests.support.recorded import full_replays
from tests.support.setups import setups

FEASIBLE = 400
PATHS = 5
"""Random moves and random paths in a position with more."""
MOST_SYMBOLS = 300


def paths(prefix: Prefix, spelled: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], Move]]:
    """Every path that the masks allow from a prefix on, and the move it ends in."""
    assert prefix.choices, "no path ends before a move is complete"
    for choice in prefix.choices:
        following = prefix.then(choice)
        if isinstance(following, Move):
            yield (*spelled, choice), following
        else:
            yield from paths(following, (*spelled, choice))


def follow(prefix: Prefix, ids: tuple[int, ...]) -> Move:
    """The move with a spelling, found by the masks."""
    following: Prefix | Move = prefix
    for choice in ids:
        assert not isinstance(following, Move), "no spelling begins another"
        assert choice in following.choices
        following = following.then(choice)
    assert isinstance(following, Move)
    return following


def a_path(prefix: Prefix, random: Random) -> Move:
    """The move at the end of a random path."""
    following: Prefix | Move = prefix
    while not isinstance(following, Move):
        following = following.then(random.choice(following.choices))
    return following


def check(game: AnyGame, state: Any, random: Random, few: int) -> int:
    """Checks the spellings of a state's legal moves, listing if these are `few`; returns how many were spelled."""
    alphabet, all_payments = alphabet_of(game), random.random() < 0.5
    legal = referee.legal_moves(game, state, all_payments)
    with patch.object(spelling, "FEW", few):
        prefix = empty_prefix(game, state, all_payments)
        if legal.total <= FEASIBLE:
            found = [*paths(prefix)]
            assert dict(found) == {alphabet.spelling(move): move for move in legal.starting_at(0)}
            assert len(found) == legal.total
            return legal.total
        for _ in range(PATHS):
            move = legal.pick(random.randrange(legal.total))
            assert follow(prefix, alphabet.spelling(move)) == move
            assert referee.refusal(game, state, a_path(prefix, random)) is None
        return 2 * PATHS


def decided_by_seats(game: AnyGame, states: Iterator[Any]) -> Iterator[Any]:
    return (state for state in states if isinstance(game.decision_at.get(type(state.stage)), SeatDecision))


def recorded_states(game: AnyGame) -> Iterator[Any]:
    return (ply.before for replay in full_replays(game) for ply in replay.plies)


def random_states(game: AnyGame) -> Iterator[Any]:
    """The positions of random games of all set-ups, without end."""
    of_game = [setup for setup in setups() if setup.game is game]
    return chain.from_iterable(
        positions(game, setup.players, setup.options, str(seed)) for seed in count() for setup in of_game
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="make campaign NAME=spelling", description=__doc__)
    parser.add_argument("--positions", type=int, default=10_000)
    wanted = parser.parse_args().positions
    for game in all_games().values():
        random, number = Random(game.id), Counter[str]()
        sources = {
            "recorded": recorded_states(game),
            "random": islice(decided_by_seats(game, random_states(game)), wanted),
        }
        for source, states in sources.items():
            for state in decided_by_seats(game, states):
                number[source] += 1
                number["moves"] += check(game, state, random, random.choice((1, 5, FEW)))
        print(f"{game.id}: {alphabet_of(game).size} symbols;", dict(number), flush=True)


if __name__ == "__main__":
    main()
