"""How many machine instructions the interpreter executes for one call: a figure no neighbour and no clock can disturb.

    make campaign NAME=instructions                              # all of it; needs valgrind
    python -m bench.instructions --only palazzo

valgrind counts them (callgrind). Everything is prepared and warmed up while it does not count, so the figures have no
start-up in them. They depend on the interpreter and its compiler, and hardly on anything else: two runs differ by less
than one in a hundred, so a commit that makes something slower is seen. `bench/README.md` keeps those of each release.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

from bench.interleave import interpreter
from bench.one_move import answerer
from bench.positions import middle_of_games, request_to_move, spread
from bench.random_games import random_game
from bench.requests import answerers_at
from bench.server import positions_of
from bench.texts import answerer_with_texts, in_language, refusals
from capomastro.documents import json_text
from capomastro.engine.game import AnyGame
from capomastro.games import all_games

POSITIONS = 40
WARM_UP = 3
"""Rounds before it counts: caches fill, and the interpreter specialises what it executes often."""


class Counted(NamedTuple):
    """A dump of callgrind: its number, the game, what was counted, and how many units of it."""

    number: int
    game: str
    name: str
    units: int


Answerer = Callable[[bytes], bytes]
Round = Callable[[], int]
"""Does its work once, and returns how many units that was."""


def move(
    game: AnyGame,
    answerer: Callable[[AnyGame], Answerer] = answerer,
) -> Round:
    """A move in each of some positions."""
    answer = answerer(game)
    bodies = [request_to_move(position) for position in spread(middle_of_games(game), POSITIONS)]

    def round_() -> int:
        for body in bodies:
            answer(body)
        return len(bodies)

    return round_


def request(game: AnyGame) -> Round:
    """The same through the WSGI application, with its log line, without a server."""
    (answer,) = answerers_at(f"/v1/games/{game.id}/transitions", logged=True)
    bodies = [request_to_move(position) for position in positions_of(game)]

    def round_() -> int:
        for body in bodies:
            answer(body)
        return len(bodies)

    return round_


def picture(game: AnyGame) -> Round:
    """Pictures of the same positions, through the application as well."""
    (answer,) = answerers_at(f"/v1/games/{game.id}/pictures", logged=True)
    bodies = [json_text.encode({"state": position.state}) for position in positions_of(game)]

    def round_() -> int:
        for body in bodies:
            answer(body)
        return len(bodies)

    return round_


def playouts(game: AnyGame, *, listing: bool) -> Round:
    """Random games, in every round the same; the unit is a decision of a player."""

    def round_() -> int:
        play = random_game(game, Random(f"1/{game.id}"), listing=listing)
        return sum(play() for _ in game.players)

    return round_


def refused(game: AnyGame, language: str) -> Round:
    """Says every refusal of the game's illegal moves in the kit."""
    explanation, mine = in_language(language), [one for one in refusals() if one.game is game]

    def round_() -> int:
        for one in mine:
            explanation(one)
        return len(mine)

    return round_


def rounds_of(game: AnyGame) -> dict[str, Round]:
    """What is counted of a game."""
    return {
        "move": move(game),
        "move, with texts": move(game, answerer_with_texts),
        "refusal, English": refused(game, "en"),
        "refusal, Italian": refused(game, "it"),
        "request": request(game),
        "picture": picture(game),
        "decision, counted": playouts(game, listing=False),
        "decision, listed": playouts(game, listing=True),
    }


# --- under valgrind --------------------------------------------------------------------------------------------------


def control(*command: str) -> None:
    """Tells callgrind what to do with this process."""
    subprocess.run(["callgrind_control", *command, str(os.getpid())], check=True, capture_output=True)


def count(games: Sequence[str]) -> None:
    """Does every round while callgrind counts, which leaves a dump of each; prints what they are."""
    rounds = [(id, name, round_) for id in games for name, round_ in rounds_of(all_games()[id]).items()]
    for number, (id, name, round_) in enumerate(rounds):
        for _ in range(WARM_UP):
            round_()
        control("--instr=on")
        control("--zero")
        units = round_()
        control(f"--dump={number}")
        control("--instr=off")
        print(json.dumps(Counted(number, id, name, units)), flush=True)


def counted(games: Sequence[str]) -> dict[str, dict[str, float]]:
    """Instructions per unit, by game and by what was counted."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["valgrind", "--tool=callgrind", "--instr-atstart=no", f"--callgrind-out-file={folder}/out"]
        environment = {**os.environ, "PYTHONHASHSEED": "0"}
        child = [sys.executable, "-m", "bench.instructions", "--counting", *games]
        done = subprocess.run([*command, *child], env=environment, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"valgrind ends with {done.returncode}: {done.stderr[-2000:]}")
        totals = dict(total_of(file.read_text(errors="replace")) for file in Path(folder).iterdir())
    figures: dict[str, dict[str, float]] = {id: {} for id in games}
    for line in done.stdout.splitlines():
        number, game, name, units = Counted(*json.loads(line))
        figures[game][name] = totals[f"dump {number}"] / units
    return figures


def total_of(dump: str) -> tuple[str, int]:
    """What made callgrind write a dump, and how many instructions it counted."""
    trigger = re.search(r"^desc: Trigger: (.+)$", dump, re.MULTILINE)
    total = re.search(r"^totals: (\d+)", dump, re.MULTILINE)
    return (trigger[1] if trigger else ""), (int(total[1]) if total else 0)


def table(figures: Mapping[str, Mapping[str, float]]) -> str:
    """The figures as a table in Markdown, in thousands of instructions."""
    names = list(next(iter(figures.values())))
    lines = [f"| {interpreter()} | {' | '.join(figures)} |", "|---|" + "---|" * len(figures)]
    lines += [
        f"| {name} | {' | '.join(f'{figures[game].get(name, 0) / 1000:,.0f}' for game in figures)} |" for name in names
    ]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", action="append", choices=list(all_games()), help="only this game (can be repeated)")
    parser.add_argument("--counting", nargs="+", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.counting:
        count(arguments.counting)
        return
    print(table(counted(arguments.only or list(all_games()))))


if __name__ == "__main__":
    main()
