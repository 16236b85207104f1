"""Scoresheets of a great many games: make campaign NAME=sheets N=2000.

Plays N random games of every game, number of players and variant, and fills in the scoresheets of the last table, each
with as much detail as it can have (`tests/games/<game>/sheets.py`). Every one has to be accepted, with the result of
the game itself; and likewise as one that is still being typed in. Then one number is changed at a time:
where `possible` shows the other table to be possible, the sheet has to be accepted, and where it shows it to be
impossible, refused; the rest is counted.

Games are played in blocks of twenty. What a block does follows from its number, so a campaign can be broken off at any
time and goes on where it was: finished blocks stand in a file, a line each. With `--changes 0`
sheets are only filled in, not changed.
"""

import argparse
import json
import os
import re
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from random import Random
from time import process_time
from typing import Any

from capomastro.adjudicator import score_scoresheet
from capomastro.documents.problems import Problem
from capomastro.documents.reading import reader_of
from capomastro.engine.game import AnyGame
from tests.campaigns.resuming import Block, finished_blocks, run_blocks
from tests.support.documents import as_document, leaves
from tests.support.playouts import play_out
from tests.support.setups import Setup, folder_of, setups

BLOCK = 20
CHANGES = 2
"""Numbers that are changed in each sheet, one at a time: most of the time goes there."""
NUMBER = re.compile(r"\d+")
ABOUT_THE_DOCUMENT = ("/game", "/schema_version", "/name")


@cache
def every_setup() -> list[Setup]:
    return list(setups())


def maker(game: AnyGame) -> Any:
    """The module that fills in the sheets of a game, and knows which tables are possible."""
    return import_module(f"tests.games.{folder_of(game)}.sheets")


# --- one sheet -------------------------------------------------------------------------------------------------------


def judged(game: AnyGame, sheet: dict[str, Any]) -> tuple[str, Any]:
    """The verdict on a sheet in a word, and its answer or the problem."""
    try:
        answer = as_document(score_scoresheet(game, sheet))
    except Problem as problem:
        return ("refused" if problem.id == "impossible-scoresheet" else "misshapen"), problem
    return "accepted", answer


def why_not_counted(game: AnyGame, sheet: dict[str, Any], said: Any) -> str | None:
    """What is wrong with the answer if the sheet is counted even if it is impossible; `said` of it without that."""
    refused = [] if isinstance(said, dict) else as_document(list(said.errors))
    try:
        counted = as_document(score_scoresheet(game, sheet, even_if_impossible=True))
    except Problem as problem:
        missing = [error for error in as_document(list(problem.errors)) if error in refused]
        return (
            None if missing == as_document(list(problem.errors)) else "refused for what it was not refused for before"
        )
    return None if counted["findings"] == refused else "counted without what it is refused for"


def what_counts(result: dict[str, Any]) -> Any:
    """The part of a result that sheet and game must share: lines in any order, totals, places, winners, tie-breaks."""
    players = [
        (sorted((line["rule"], line["points"]) for line in player["lines"]), player["total"], player["place"])
        for player in result["players"]
    ]
    return players, result.get("winners"), result.get("tie_break"), result["undecided"]


def result_in(answer: dict[str, Any], result: dict[str, Any]) -> bool:
    """Whether an answer has this result, or has it among those of all draws."""
    answers = [answer["result"]] if "result" in answer else [one["result"] for one in answer["outcomes"]]
    return what_counts(result) in map(what_counts, answers)


def changed(sheet: dict[str, Any], random: Random) -> tuple[str, dict[str, Any]]:
    """The sheet with one number changed, by one more often than by more; numbers in tokens are numbers too.

    Also the place of the number; "" and the same sheet if it has none.
    """
    places = [
        (pointer, value)
        for pointer, value in leaves(sheet)
        if not pointer.endswith(ABOUT_THE_DOCUMENT)
        and (type(value) is int or (isinstance(value, str) and NUMBER.search(value)))
    ]
    if not places:
        return "", sheet
    pointer, value = random.choice(places)
    by = random.choice((-1, 1) * 4 + (-2, 2, -3, 3, 10))
    if isinstance(value, str):
        digits = random.choice(list(NUMBER.finditer(value)))
        value = f"{value[: digits.start()]}{int(digits.group()) + by}{value[digits.end() :]}"
    else:
        value += by
    other = json.loads(json.dumps(sheet))
    *way, last = pointer.split("/")[1:]
    there = other
    for name in way:
        there = there[int(name) if isinstance(there, list) else name]
    there[int(last) if isinstance(there, list) else last] = value
    return pointer, other


# --- a game, a block of games ----------------------------------------------------------------------------------------


def faults_of_game(setup: Setup, seed: str, counted: Counter[str], changes: int = CHANGES) -> Iterator[dict[str, Any]]:
    """Plays a game and yields every fault of its sheets, with the evidence; counts the verdicts."""
    game, random = setup.game, Random(seed)
    make = maker(game)
    plies = list(play_out(game, setup.players, setup.options, seed))
    end = plies[-1].after
    result = as_document(game.result(end))
    counted["games"] += 1
    for detail, sheet in make.sheets(plies, random):
        where = {"setup": str(setup), "seed": seed, "detail": detail}
        became, answer = judged(game, sheet)
        counted[f"played: {became}"] += 1
        if became != "accepted":
            yield {**where, "fault": f"a sheet of a played game is {became}", "sheet": sheet, "said": str(answer)}
            continue
        if not result_in(answer, result):
            yield {**where, "fault": "another result than that of the game", "sheet": sheet}
        became, _ = judged(game, {**sheet, "unfinished": True})
        if became != "accepted":
            yield {**where, "fault": f"a sheet of a played game, as an unfinished one, is {became}", "sheet": sheet}
        for _ in range(changes):
            pointer, other = changed(sheet, random)
            became, said = judged(game, other)
            if became != "misshapen" and (fault := why_not_counted(game, other, said)):
                yield {**where, "fault": fault, "changed": pointer, "sheet": other}
            shown = None
            if became != "misshapen":
                shown = make.possible(reader_of(game, "scoresheet")(other), end, random)
            counted[f"changed: {became}{SHOWN[shown]}"] += 1
            if (became, shown) in (("accepted", False), ("refused", True)):
                fault = f"{became}, but {'possible' if shown else 'impossible'}"
                yield {**where, "fault": fault, "changed": pointer, "sheet": other}


SHOWN = {True: ", shown to be possible", False: ", shown to be impossible", None: ""}


def block(place: int, number: int, games: int = BLOCK, changes: int = CHANGES) -> dict[str, Any]:
    """Plays one block of games of a set-up."""
    began = process_time()
    counted: Counter[str] = Counter()
    setup = every_setup()[place]
    faults = [
        fault
        for seed in range(number * BLOCK, number * BLOCK + games)
        for fault in faults_of_game(setup, str(seed), counted, changes)
    ]
    return {
        "setup": str(setup),
        "block": number,
        "changes": changes,
        "counted": counted,
        "faults": faults,
        "cpu": round(process_time() - began, 2),
    }


# --- the campaign ----------------------------------------------------------------------------------------------------


def to_play(finished: list[dict[str, Any]], games: int, changes: int = CHANGES) -> list[tuple[int, int]]:
    """The blocks still to be played, by set-up; a block of each set-up after the other.

    One is finished if as many numbers were changed in its sheets, or more.
    """
    done = {(one["setup"], one["block"]) for one in finished if one["changes"] >= changes}
    return [
        (place, number)
        for number in range(-(-games // BLOCK))
        for place, setup in enumerate(every_setup())
        if (str(setup), number) not in done
    ]


def campaign(games: int, processes: int, progress: Path, changes: int = CHANGES) -> list[Block]:
    """Plays up to this many games of every set-up, counting those of earlier runs."""
    finished = finished_blocks(progress)

    def shown(fresh: list[Block]) -> str:
        return f"{sum(len(one['faults']) for one in (*finished, *fresh))} faults"

    tasks = [(*each, BLOCK, changes) for each in to_play(finished, games, changes)]
    return [*finished, *run_blocks(block, tasks, processes, progress, shown)]


def summary(finished: list[dict[str, Any]]) -> Iterator[str]:
    """The verdicts on the sheets, by game."""
    by_game: dict[str, Counter[str]] = {}
    for one in finished:
        by_game.setdefault(one["setup"].split()[0], Counter()).update(one["counted"])
    for game, counted in sorted(by_game.items()):
        yield game
        yield from (f"  {what}: {number:,}" for what, number in sorted(counted.items()))
    yield f"{sum(one['cpu'] for one in finished):,.0f} s CPU"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--games", type=int, default=2000, help="games of each game, number of players and variant")
    parser.add_argument("--changes", type=int, default=CHANGES, help="numbers that are changed in each sheet; 0: none")
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    parser.add_argument("--progress", type=Path, default=Path(".sheets.ndjson"), help="the file of finished blocks")
    given = parser.parse_args()
    finished = campaign(given.games, given.processes, given.progress, given.changes)
    print("\n".join(summary(finished)))
    faults = [fault for one in finished for fault in one["faults"]]
    for fault in faults[:20]:
        print(json.dumps(fault))
    print(f"{len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
