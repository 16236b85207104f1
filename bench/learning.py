"""Learning environments side by side: after make test-learning, .venv/bin/python -m bench.learning [--curve FILE].

Random play of two in every environment, in turns on one core (`bench.interleave`), four ways:

- decisions: whole moves. Ours are drawn from those counted (`bench.random_games`); elsewhere a step is a decision.
- OpenSpiel: a step is an action of a player, drawn from `legal_actions`; chance between is played, not counted.
- OpenSpiel with tensors: before each such step the observation (`make_observation`) and the mask of legal actions.
- PettingZoo: a step with observation and mask (`last()`), as agents of it need them.

A step of ours is one symbol; a decision of ours takes several. `--only palazzo` measures one title and the reference.
`--curve` trains the agent of the example instead and draws how it learns.
"""

from collections.abc import Iterator
from importlib import import_module
from itertools import islice
from pathlib import Path
from random import Random
from runpy import run_path
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.observation import make_observation

from bench.interleave import Figure, Run, Sample, Sampler, argument_parser, conditions, interleave
from bench.random_games import random_game
from bench.reference_unit import clock
from bench.rivals import Budget, playouts
from capomastro.games import all_games
from capomastro.learning import openspiel, pettingzoo_env

DECISIONS, SPIEL, TENSORS, ZOO = WAYS = ("decisions", "OpenSpiel", "with tensors", "PettingZoo")

REFERENCE = "block_dominoes"
SPIEL_GAMES = (REFERENCE, "team_dominoes", "liars_poker", "tic_tac_toe")
"""Python games of OpenSpiel, named as their modules."""
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
STEPS_BETWEEN_CLOCKS = 10


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


def steps_of_openspiel(game: Any, *, with_tensors: bool) -> Iterator[None]:
    random, observation = Random(7), make_observation(game)
    while True:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(random.choices(outcomes, chances)[0])
                continue
            if with_tensors:
                observation.set_from(state, state.current_player())
                (actions,) = np.nonzero(state.legal_actions_mask())
                state.apply_action(int(random.choice(actions)))
            else:
                state.apply_action(random.choice(state.legal_actions()))
            yield


def turns(steps: Iterator[None], seconds: float) -> Sampler:
    """A contender that goes on with its steps for so long at each of its turns."""

    def turn() -> Sample:
        begun, number = clock(), 0
        while (passed := clock() - begun) < seconds:
            for _ in islice(steps, STEPS_BETWEEN_CLOCKS):
                number += 1
        return Sample(number, passed)

    return turn


def of_title(name: str, seconds: float) -> dict[str, Sampler]:
    """A title of ours, in each way."""
    game, spiel = all_games()[name], pyspiel.load_game(openspiel.name_of(all_games()[name]))
    return {
        DECISIONS: playouts(random_game(game, Random(7), listing=False, players=(2,)), Budget(seconds)),
        SPIEL: turns(steps_of_openspiel(spiel, with_tensors=False), seconds),
        TENSORS: turns(steps_of_openspiel(spiel, with_tensors=True), seconds),
        ZOO: turns(steps_of_pettingzoo(pettingzoo_env(name, 2)), seconds),
    }


def of_openspiel(name: str, seconds: float) -> dict[str, Sampler]:
    import_module(f"open_spiel.python.games.{name}")
    game = pyspiel.load_game(f"python_{name}")
    return {
        SPIEL: turns(steps_of_openspiel(game, with_tensors=False), seconds),
        TENSORS: turns(steps_of_openspiel(game, with_tensors=True), seconds),
    }


def of_pettingzoo(name: str, seconds: float) -> dict[str, Sampler]:
    return {ZOO: turns(steps_of_pettingzoo(import_module(f"pettingzoo.classic.{name}").env()), seconds)}


def environments(seconds: float, only: str | None) -> Iterator[tuple[str, dict[str, Sampler]]]:
    """Every environment that is installed, in each way."""
    for name in [only] if only else all_games():
        yield name, of_title(name, seconds)
    for name in [REFERENCE] if only else SPIEL_GAMES:
        yield f"python_{name}", of_openspiel(name, seconds)
    for name in () if only else CLASSICS:
        try:
            yield name, of_pettingzoo(name, seconds)
        except ImportError as missing:
            print(f"{name}: not measured, {missing}")


def table(run: Run, measured: dict[str, dict[str, Sampler]]) -> Iterator[str]:
    """Rates by environment and way, those of OpenSpiel also as multiples of the reference."""
    yield f"| | {' | '.join(WAYS)} |"
    yield "| --- |" + " --- |" * len(WAYS)
    for name, ways in measured.items():
        cells = []
        for way in WAYS:
            cell = f"{run.figures(f'{name}, {way}', Figure.RATE).median:,.0f}" if way in ways else ""
            if way in (SPIEL, TENSORS) and cell:
                ratio = run.ratios(f"{name}, {way}", f"python_{REFERENCE}, {way}", Figure.RATE)
                cell += f" ({ratio.median:.2f})"
            cells.append(cell)
        yield f"| {name} | {' | '.join(cells)} |"


def measure(rounds: int, seconds: float, only: str | None) -> None:
    measured = dict(environments(seconds, only))
    run = interleave(
        {f"{name}, {way}": sampler for name, ways in measured.items() for way, sampler in ways.items()}, rounds=rounds
    )
    print(*table(run, measured), "", conditions(run), sep="\n")


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
    parser = argument_parser(__doc__, seconds=0.15)
    parser.add_argument("--only", choices=all_games())
    parser.add_argument("--curve", type=Path)
    arguments = parser.parse_args()
    if arguments.curve:
        draw_curve(arguments.curve)
    else:
        measure(arguments.rounds, arguments.seconds, arguments.only)
