"""Random games of ours beside those of other people's engines."""

from __future__ import annotations

import random
from collections.abc import Iterable
from itertools import cycle

from tests.support.playouts import start

from bench.interleave import Figure, Goal, Report, interleave
from bench.reference_unit import Seconds
from bench.rivals import Budget, Game, available, playouts, versions
from capomastro.engine import referee
from capomastro.engine.decisions import ChanceDecision
from capomastro.engine.game import AnyGame
from capomastro.games import all_games

PURE_PYTHON, COMPILED = ("catanatron", "block_dominoes"), "gin_rummy"
REFERENCES = (*PURE_PYTHON, COMPILED)
GOAL, GOAL_LISTED = 2, 1.2
LISTED = ", listed"


def random_game(game: AnyGame, rng: random.Random, *, listing: bool, players: Iterable[int] | None = None) -> Game:
    """A random game by all the rules, the numbers of players (all, unless `players` says which) taking turns.

    At every decision the legal moves are counted and one is drawn by its index; with `listing` all are made.
    """
    numbers, uniform = cycle(players or game.players), rng.random

    def play() -> int:
        state = start(game, next(numbers))
        seed = str(rng.getrandbits(48))
        decisions = 0
        while (here := game.decision_at.get(type(state.stage))) is not None:
            if isinstance(here, ChanceDecision):
                state, _ = referee.play(game, state, referee.draw(game, state, seed))
                continue
            legal = referee.legal_moves(game, state)
            index = int(uniform() * legal.total)
            move = list(legal.starting_at(0))[index] if listing else legal.pick(index)
            state, _ = referee.play(game, state, move)
            decisions += 1
        return decisions

    return play


def reports(rounds: int, seconds: Seconds) -> list[Report]:
    """Decisions per second of every game, counted and listed, and of the rivals."""
    budget = Budget(seconds)
    field = available(budget)
    ours = {
        game.id + (LISTED if listing else ""): playouts(
            random_game(game, random.Random(f"1/{game.id}"), listing=listing), budget
        )
        for listing in (False, True)
        for game in all_games().values()
    }
    run = interleave(ours | field.contenders, rounds=rounds)
    installed = ", ".join(f"{name} {version}" for name, version in versions().items())
    return [
        Report(
            run,
            title=f"Random games ({installed})",
            figure=Figure.RATE,
            work="decision",
            references=REFERENCES,
            goals=[
                goal
                for game in all_games()
                for goal in (
                    *(Goal(game, GOAL, of=rival) for rival in PURE_PYTHON),
                    Goal(game, 1, of=COMPILED),
                    Goal(game + LISTED, GOAL_LISTED, of=PURE_PYTHON[0]),
                )
            ],
            missing=field.missing,
        )
    ]
