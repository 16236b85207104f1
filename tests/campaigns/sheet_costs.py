"""Looks for the scoresheets of at most 2 kB that take the most work: python -m tests.campaigns.sheet_costs.

It climbs: a sheet of a played game is changed, and what takes more work is changed further. Work is counted in calls of
functions, so it is the same on every machine; of the costliest sheet the CPU time is measured as well.
"""

import argparse
import json
import sys
from random import Random
from time import process_time
from typing import Any

from capomastro.adjudicator import score_scoresheet
from capomastro.documents.problems import Problem
from capomastro.engine.game import AnyGame
from capomastro.games import all_games
from tests.campaigns.corpus import Corpus, corpora
from tests.campaigns.mutating import a_place, spoilt, value_at
from tests.campaigns.sheets import changed, maker
from tests.support.damage import replaced
from tests.support.playouts import play_out

MAXIMUM_BYTES = 2_000
MAXIMUM_CPU = 0.05
"""Seconds."""
WARMING_UP = 50
"""Sheets before the first that counts: what is made once is made for them."""


def work(game: AnyGame, sheet: Any) -> int:
    """The number of calls of functions, in Python and C, until a sheet is scored or refused."""
    calls = 0

    def count(frame: Any, event: str, argument: Any) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        score(game, sheet)
    finally:
        sys.setprofile(None)
    return calls


def score(game: AnyGame, sheet: Any) -> None:
    try:
        score_scoresheet(game, sheet)
    except Problem:
        return


def fuller(random: Random, sheet: Any) -> Any:
    """A sheet with an array in it repeated, or filled with one of its items."""
    path, _ = a_place(random, sheet)
    value = value_at(sheet, path)
    if not isinstance(value, list) or not value:
        return sheet
    longer = value * random.randint(2, 4) if random.random() < 0.5 else [*value, *[random.choice(value)] * 5]
    return replaced(sheet, path, longer)


def variant(random: Random, sheet: Any, corpus: Corpus) -> Any:
    """A similar sheet."""
    way = random.randrange(3)
    if way == 0:
        return fuller(random, sheet)
    if way == 1:
        return spoilt(random, sheet, corpus)
    return changed(sheet, random)[1]


def costliest(game: AnyGame, seed: str, steps: int) -> tuple[int, Any]:
    """The most work that `steps` changes led to, and the sheet that takes it."""
    random, corpus = Random(seed), corpora()[game.id]
    plies = list(play_out(game, random.choice(game.players), seed=seed))
    sheets = [sheet for _, sheet in maker(game).sheets(plies, random)]
    for _ in range(WARMING_UP):
        score(game, variant(random, random.choice(sheets), corpus))
    most, best = max((work(game, sheet), json.dumps(sheet)) for sheet in sheets)
    for _ in range(steps):
        candidate = variant(random, json.loads(best), corpus)
        if isinstance(candidate, dict) and len(json.dumps(candidate)) <= MAXIMUM_BYTES:
            calls = work(game, candidate)
            if calls > most:
                most, best = calls, json.dumps(candidate)
    return most, json.loads(best)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.campaigns.sheet_costs")
    parser.add_argument("--steps", type=int, default=2_000, help="changes of a sheet")
    parser.add_argument("--climbs", type=int, default=5, help="sheets to begin with, of each game")
    given = parser.parse_args()
    slow = False
    for game in all_games().values():
        calls, sheet = max(
            (costliest(game, str(seed), given.steps) for seed in range(given.climbs)), key=lambda found: found[0]
        )
        times = []
        for _ in range(5):
            began = process_time()
            score(game, sheet)
            times.append(process_time() - began)
        slow |= min(times) > MAXIMUM_CPU
        print(f"{game.id}: {calls:,} calls, {1000 * min(times):.1f} ms of CPU: {json.dumps(sheet)}")
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
