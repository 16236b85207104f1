"""Plays random games of every game, player count and variant, with every ply audited: make campaign NAME=playouts.

A move that was offered and is refused, a position the audit finds fault with, points that are not the sum of the
events, a game that is stuck or goes round in circles ends the run with exit code 1 and the way to repeat it. At a
sample of the positions it also checks that every offered move is accepted, and a spoilt move exactly if it is offered.

With `--goal-directed` the players of the recorded games (`RECIPES` in `tests/games/<game>/showcase.py`) take turns
instead: they reach ends that random players hardly ever do.
"""

import argparse
import json
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from os import cpu_count
from random import Random
from time import perf_counter
from typing import Any, NamedTuple

from tests.support.mutations import mutations, vocabulary
from tests.support.oracle import everything_offered
from tests.support.playouts import Ply, play_out, points_in
from tests.support.recorded import showcase_of
from tests.support.setups import Setup, setups

from capomastro.engine import referee
from capomastro.engine.game import AnyGame
from capomastro.engine.players import Player, at_random
from capomastro.games import all_games

GAMES_PER_TASK = 20
SAMPLED_POSITIONS = 2
"""Per game: there, every offered move and many spoilt ones are tried."""
LONGEST_LIST = 2000


class Tally(NamedTuple):
    """What some games amounted to."""

    games: int = 0
    plies: int = 0
    decisions: int = 0
    shortest: int = sys.maxsize
    longest: int = 0
    shared_victories: int = 0
    moves_tried: int = 0

    def plus(self, other: "Tally") -> "Tally":
        return Tally(
            self.games + other.games,
            self.plies + other.plies,
            self.decisions + other.decisions,
            min(self.shortest, other.shortest),
            max(self.longest, other.longest),
            self.shared_victories + other.shared_victories,
            self.moves_tried + other.moves_tried,
        )


class Task(NamedTuple):
    """Random games number `first` … `last` - 1 of the set-up at place `setup` among all of them."""

    setup: int
    first: int
    last: int
    goal_directed: bool = False


@cache
def every_setup() -> list[Setup]:
    return list(setups())


@cache
def players_of(game: AnyGame, number: int) -> list[Player]:
    """The players that a game's records for that many are made with, each once."""
    showcase = showcase_of(game)
    players = [recipe.player for recipe in showcase.RECIPES if recipe.players == number] if showcase else []
    return list(dict.fromkeys(players)) or [at_random]


def play(task: Task) -> Tally:
    """The games of a task."""
    tally = Tally()
    setup = every_setup()[task.setup]
    players = players_of(setup.game, setup.players) if task.goal_directed else [at_random]
    for number in range(task.first, task.last):
        try:
            tally = tally.plus(play_one(setup, str(number), players[number % len(players)]))
        except Exception as error:
            raise RuntimeError(f"{setup}, seed {number!r}: {type(error).__name__}: {error}") from error
    return tally


def play_one(setup: Setup, seed: str, player: Player) -> Tally:
    """One game, every ply of it checked."""
    game = setup.game
    plies = []
    for ply in play_out(game, setup.players, setup.options, seed, player):
        refusal = referee.refusal(game, ply.before, ply.move)
        if refusal is not None:
            raise AssertionError(f"ply {ply.before.ply}: {ply.move} was offered and is refused: {refusal}")
        findings = list(game.audit(ply.after))
        if findings:
            raise AssertionError(f"ply {ply.before.ply}: after {ply.move} the audit finds {findings}")
        plies.append(ply)
    result = game.result(plies[-1].after)
    scored = points_in(event for ply in plies for event in ply.events)
    totals = [player.total for player in result.players]
    if totals != [scored[seat] for seat in range(setup.players)]:
        raise AssertionError(f"the totals are {totals}, the points of the events add up to {dict(scored)}")
    random = Random(seed)
    tried = sum(try_moves(game, ply, plies, random) for ply in random.sample(plies, SAMPLED_POSITIONS))
    return Tally(
        games=1,
        plies=len(plies),
        decisions=sum(not referee.is_at_chance(game, ply.before) for ply in plies),
        shortest=len(plies),
        longest=len(plies),
        shared_victories=len(result.winners or ()) > 1,
        moves_tried=tried,
    )


def try_moves(game: AnyGame, ply: Ply, plies: list[Ply], random: Random) -> int:
    """Tries every offered move of a position and many spoilt ones; how many."""
    offered = everything_offered(game, ply.before, LONGEST_LIST)
    if offered is None:
        return 0
    tokens = vocabulary(game, [each.move for each in random.sample(plies, min(50, len(plies)))])
    spoilt = set(mutations(game, ply.before, ply.move, tokens, random))
    for move in offered | spoilt:
        accepted = referee.refusal(game, ply.before, move) is None
        if accepted != (move in offered):
            raise AssertionError(
                f"ply {ply.before.ply}: {move} is {'accepted' if accepted else 'refused'}, see the list"
            )
    return len(offered | spoilt)


def tasks(setup: int, games: int, goal_directed: bool) -> Iterator[Task]:
    for first in range(0, games, GAMES_PER_TASK):
        yield Task(setup, first, min(games, first + GAMES_PER_TASK), goal_directed)


COLUMNS = ("game", "players", "games", "shared", "plies", "mean", "shortest", "longest", "tried", "seconds")


def row(values: tuple[Any, ...]) -> str:
    return f"{values[0]:14}" + "".join(f"{value:>10}" for value in values[1:])


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--games", type=int, default=2000, help="random games of each game, player count and variant")
    parser.add_argument("--game", action="append", choices=list(all_games()), help="only this game (can be repeated)")
    parser.add_argument("--goal-directed", action="store_true", help="with the players of the recorded games")
    parser.add_argument("--processes", type=int, default=cpu_count() or 1)
    wanted = parser.parse_args()
    print(row(COLUMNS))
    with ProcessPoolExecutor(wanted.processes) as pool:
        for place, setup in enumerate(every_setup()):
            if wanted.game and setup.game.id not in wanted.game:
                continue
            began = perf_counter()
            tally = Tally()
            try:
                for part in pool.map(play, tasks(place, wanted.games, wanted.goal_directed)):
                    tally = tally.plus(part)
            except RuntimeError as error:
                print(error, file=sys.stderr)
                pool.shutdown(cancel_futures=True)
                return 1
            seconds = f"{perf_counter() - began:.1f}"
            figures = (tally.games, tally.shared_victories, tally.plies, tally.plies // max(1, tally.games))
            extremes = (tally.shortest, tally.longest, tally.moves_tried, seconds)
            variant = json.dumps(setup.options) if setup.options else ""
            print(row((setup.game.id, setup.players, *figures, *extremes)), variant, flush=True)
    print("No position the audit finds fault with, points all in events, no game stuck, no offered move refused.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
