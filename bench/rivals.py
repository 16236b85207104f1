"""Playouts of other people's rule engines, to be measured in the same run as ours.

All play the same way: whole games; at every player decision the legal actions are listed and one of them is drawn
uniformly; chance is played inside the time, but only player decisions count. Each is driven through its public
interface on the fastest way it offers (no second check of an action that was just listed). A rival that is not there is
reported by name; it does not stop the others.

    python -m bench.rivals
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import import_module, metadata
from typing import TypeAlias

from bench.interleave import Figure, Missing, Report, Sample, Sampler, argument_parser, interleave, publish
from bench.reference_unit import Seconds, clock


@dataclass(frozen=True, slots=True)
class Budget:
    """A limit: no new game begins after these seconds or, if given, decisions. Games in progress are finished."""

    seconds: Seconds = 0.3
    decisions: int | None = None


Game: TypeAlias = Callable[[], int]
"""Plays one whole random game and returns how many player decisions it had."""


def play(game: Game, budget: Budget) -> Sample:
    """Play whole games until the budget is spent: how many player decisions, in how many seconds of CPU time.

    At least one game is played, and our own games can be measured with this as well.
    """
    limit = sys.maxsize if budget.decisions is None else budget.decisions
    decisions = 0
    begin = clock()
    end = begin + budget.seconds
    while True:
        decisions += game()
        now = clock()
        if now >= end or decisions >= limit:
            return Sample(decisions, now - begin)


def playouts(game: Game, budget: Budget) -> Sampler:
    """A contender for `interleave` that plays `game` within `budget` at each of its turns; its work is decisions."""
    return lambda: play(game, budget)


# --- The rivals ------------------------------------------------------------------------------------------------------
# Their packages are imported by name: none is needed to check or to run the rest, and most have no types.


def catanatron(rng: random.Random, players: int = 4) -> Game:
    """Settlers of Catan in pure Python. Rolling the dice is an action of a player here, and counts as one."""
    package, turns_limit = import_module("catanatron"), import_module("catanatron.game").TURNS_LIMIT
    new_game, new_player = package.Game, package.Player
    colours = list(package.Color)[:players]
    uniform = rng.random

    def game() -> int:
        # The seed is that of the module `random`, from which the rival takes its dice; ours is a generator of its own.
        board = new_game([new_player(colour) for colour in colours], seed=rng.getrandbits(48) + 1)
        state, execute = board.state, board.execute
        decisions = 0
        while board.winning_color() is None and state.num_turns < turns_limit:
            actions = state.playable_actions
            execute(actions[int(uniform() * len(actions))], validate_action=False)
            decisions += 1
        return decisions

    return game


def open_spiel(rng: random.Random, name: str, registered_by: str | None = None) -> Game:
    """A sequential game of OpenSpiel, by its name there; `registered_by` is the module that brings a Python game in.

    For games in which all chance outcomes of a node are equally likely, as in the two used here.
    """
    pyspiel = import_module("pyspiel")
    if registered_by is not None:
        import_module(registered_by)
    new_state = pyspiel.load_game(name).new_initial_state
    uniform = rng.random

    def game() -> int:
        state = new_state()
        decisions = 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                state.apply_action(outcomes[int(uniform() * len(outcomes))][0])
            else:
                actions = state.legal_actions()
                state.apply_action(actions[int(uniform() * len(actions))])
                decisions += 1
        return decisions

    return game


def python_chess(rng: random.Random) -> Game:
    """Chess in pure Python, to the end that needs no claim: no legal move, 75 moves, five repetitions, no material."""
    new_board = import_module("chess").Board
    uniform = rng.random

    def game() -> int:
        board = new_board()
        decisions = 0
        while True:
            moves = list(board.legal_moves)
            if not moves or board.is_insufficient_material():
                return decisions
            # A position that occurs for the fifth time first occurred at least 16 reversible plies ago.
            clock = board.halfmove_clock
            if clock >= 150 or (clock >= 16 and board.is_fivefold_repetition()):
                return decisions
            board.push(moves[int(uniform() * len(moves))])
            decisions += 1

    return game


@dataclass(frozen=True, slots=True)
class Rival:
    """A rival: its name in the tables, the distribution to install, and what makes a game of it (or raises)."""

    name: str
    distribution: str
    prepare: Callable[[random.Random], Game]


RIVALS = (
    Rival("catanatron", "catanatron", catanatron),
    Rival("catanatron-2p", "catanatron", lambda rng: catanatron(rng, players=2)),
    Rival(
        "block_dominoes",
        "open_spiel",
        lambda rng: open_spiel(rng, "python_block_dominoes", "open_spiel.python.games.block_dominoes"),
    ),
    Rival("gin_rummy", "open_spiel", lambda rng: open_spiel(rng, "gin_rummy")),
    Rival("python-chess", "chess", python_chess),
)


@dataclass(frozen=True, slots=True)
class AvailableRivals:
    """The rivals that can be measured here, by name, and those that cannot, each with the reason."""

    contenders: dict[str, Sampler]
    missing: list[Missing]


def available(budget: Budget, *, seed: int = 1, rivals: Iterable[Rival] = RIVALS) -> AvailableRivals:
    """Find out which of `rivals` are installed and play (each is tried with one game), ready for `interleave`.

    Every rival draws from a generator of its own, seeded with `seed` and its name.
    """
    field = AvailableRivals({}, [])
    for rival in rivals:
        try:
            game = rival.prepare(random.Random(f"{seed}/{rival.name}"))
            game()
        except ModuleNotFoundError as error:
            reason = f"not installed (pip install {rival.distribution}): {error}"
            field.missing.append(Missing(rival.name, reason))
        except Exception as error:  # noqa: BLE001 - whatever it is is the rival's; the others go on
            message = next(iter(str(error).splitlines()), "")
            reason = f"{rival.distribution} {_version(rival)} does not play: {type(error).__name__}: {message}"
            field.missing.append(Missing(rival.name, reason))
        else:
            field.contenders[rival.name] = playouts(game, budget)
    return field


def versions() -> dict[str, str]:
    """The installed version of every rival's distribution, or "none"."""
    return {rival.distribution: _version(rival) for rival in RIVALS}


def _version(rival: Rival) -> str:
    try:
        return metadata.version(rival.distribution)
    except metadata.PackageNotFoundError:
        return "none"


def main() -> None:
    """Measure the rivals alone."""
    arguments = argument_parser(__doc__).parse_args()
    field = available(Budget(arguments.seconds))
    installed = ", ".join(f"{name} {version}" for name, version in versions().items())
    if not field.contenders:
        for entry in field.missing:
            print(f"missing  {entry.name}: {entry.reason}")
        return
    run = interleave(field.contenders, rounds=arguments.rounds)
    report = Report(
        run,
        title=f"Playouts of rivals ({installed})",
        figure=Figure.RATE,
        work="decision",
        references=("catanatron", "block_dominoes"),
        missing=field.missing,
    )
    publish([report], as_json=arguments.json)


if __name__ == "__main__":
    main()
