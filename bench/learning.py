"""Learning environments side by side: after make test-learning, .venv/bin/python -m bench.learning [--curve FILE].

Steps per second of CPU in random play, in turns: each environment plays `SECONDS`, then the next, `ROUNDS` times;
the median counts. A PettingZoo step includes the observation and the mask (`last()`), as an agent needs them; a step of
OpenSpiel is one action of a player, with its legal actions. `--curve` trains the agent of the example instead and draws
how it learns.
"""

import argparse
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from random import Random
from runpy import run_path
from statistics import median
from time import thread_time
from typing import Any

import pyspiel
from open_spiel.python.games import block_dominoes  # noqa: F401  # registers it

from capomastro.games import all_games
from capomastro.learning import openspiel, pettingzoo_env
from capomastro.learning.environments import Environment

SECONDS, ROUNDS = 0.15, 9
CLASSICS = (
    "chess_v6",
    "connect_four_v3",
    "go_v5",
    "hanabi_v5",
    "leduc_holdem_v4",
    "texas_holdem_no_limit_v6",
    "texas_holdem_v4",
    "tictactoe_v3",
)
EXAMPLE = Path(__file__).parents[1] / "examples" / "learn.py"


def steps_of_pettingzoo(env: Any) -> Iterator[None]:
    """Plays at random without end."""
    random = Random(7)
    while True:
        env.reset(seed=random.getrandbits(31))
        for _ in env.agent_iter():
            seen, _, is_over, is_cut, _ = env.last()
            if is_over or is_cut:
                env.step(None)
                continue
            env.step(int(random.choice(seen["action_mask"].nonzero()[0])))
            yield


def steps_of_ours(environment: Environment) -> Iterator[None]:
    """The same without PettingZoo: observation, mask, choice."""
    random = Random(7)
    while True:
        environment.reset(random.getrandbits(31))
        while not environment.is_over:
            environment.observation(environment.seat or 0)
            environment.mask()
            environment.step(random.choice(environment.choices))
            yield


def steps_of_openspiel(game: Any) -> Iterator[None]:
    random = Random(7)
    while True:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(random.choices(outcomes, chances)[0])
            else:
                state.apply_action(random.choice(state.legal_actions()))
                yield


def contestants() -> Iterator[tuple[str, Iterator[None]]]:
    """Random play without end in every environment that is installed."""
    for name, definition in all_games().items():
        yield f"capomastro {name}, PettingZoo", steps_of_pettingzoo(pettingzoo_env(name, 2))
        yield f"capomastro {name}", steps_of_ours(Environment(name, 2))
        yield f"capomastro {name}, OpenSpiel", steps_of_openspiel(pyspiel.load_game(openspiel.name_of(definition)))
    for name in CLASSICS:
        try:
            module = import_module(f"pettingzoo.classic.{name}")
        except ImportError as missing:
            print(f"{name}: not measured, {missing}")
        else:
            yield f"PettingZoo {name}", steps_of_pettingzoo(module.env())
    yield "OpenSpiel block_dominoes, Python", steps_of_openspiel(pyspiel.load_game("python_block_dominoes"))


def measure() -> None:
    running = dict(contestants())
    rates: dict[str, list[float]] = {name: [] for name in running}
    for _ in range(ROUNDS):
        for name, steps in running.items():
            next(steps)
            begun, number = thread_time(), 0
            while (passed := thread_time() - begun) < SECONDS:
                next(steps)
                number += 1
            rates[name].append(number / passed)
    for name, found in sorted(rates.items(), key=lambda each: -median(each[1])):
        print(f"| {name} | {median(found):,.0f} |")


def drawn(points: list[tuple[int, float]]) -> str:
    """The curve as SVG: games played, and the share won against the random player."""
    width, height, left, bottom = 480, 240, 50, 200
    most = points[-1][0]
    places = [(left + (width - left - 20) * games / most, bottom - 180 * share) for games, share in points]
    line = " ".join(f"{x:.0f},{y:.0f}" for x, y in places)
    heights = {share: bottom - 1.8 * share for share in (0, 25, 50, 75, 100)}
    marks = "".join(
        f'<path d="M{left} {y:.0f}H{width - 20}" stroke="#ccc"/>'
        f'<text x="{left - 8}" y="{y + 4:.0f}" text-anchor="end">{share} %</text>'
        for share, y in heights.items()
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" '
        f'font-size="12">'
        f'<rect width="{width}" height="{height}" fill="#fff"/>{marks}'
        f'<polyline points="{line}" fill="none" stroke="#a33" stroke-width="2"/>'
        f'<text x="{left}" y="{bottom + 20}">0</text>'
        f'<text x="{width - 20}" y="{bottom + 20}" text-anchor="end">{most} games against itself</text></svg>\n'
    )


def draw_curve(file: Path) -> None:
    """Trains the agent of the example and draws how often it beats the random player."""
    example = run_path(str(EXAMPLE))
    points = [(0, example["against_random"]())]
    for number in range(1, 17):
        example["train"](5)
        points.append((number * 5 * 32, example["against_random"]()))
        print(*points[-1], flush=True)
        file.write_text(drawn(points), "utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m bench.learning", description=__doc__)
    parser.add_argument("--curve", type=Path)
    arguments = parser.parse_args()
    if arguments.curve:
        draw_curve(arguments.curve)
    else:
        measure()
