"""The player counts and variants to test.

`VARIANTS` in `tests/games/<game>/variants.py` lists the options to test other than the defaults, as documents. Options
that do not fit a player count are skipped.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NamedTuple

import msgspec

from capomastro.engine.game import AnyGame
from capomastro.games import all_games


class Setup(NamedTuple):
    """A way to begin a game."""

    game: AnyGame
    players: int
    options: dict[str, Any]

    def __str__(self) -> str:
        chosen = [f"{name}={value}" for name, value in self.options.items()]
        return " ".join([self.game.id, f"{self.players} players", *chosen])


def folder_of(game: AnyGame) -> str:
    """The name of the game's folder, in the package and in the tests."""
    return type(game).__module__.split(".")[-2]


def variants_of(game: AnyGame) -> list[dict[str, Any]]:
    """The options to test: the defaults, and those that the game's tests list."""
    name = f"tests.games.{folder_of(game)}"
    try:
        found = find_spec(f"{name}.variants")
    except ModuleNotFoundError:  # the game has no folder of tests yet
        found = None
    if found is None:
        return [{}]
    listed: list[dict[str, Any]] = import_module(f"{name}.variants").VARIANTS
    return [{}, *listed]


def fits(game: AnyGame, players: int, options: dict[str, Any]) -> bool:
    """Whether the options suit that number of players."""
    return game.why_not_options(players, msgspec.convert(options, game.options_type)) is None


def setups() -> Iterator[Setup]:
    """Every player count of every game with every variant that fits it."""
    for game in all_games().values():
        for players in game.players:
            for options in variants_of(game):
                if fits(game, players, options):
                    yield Setup(game, players, options)


@cache
def few_setups() -> Sequence[Setup]:
    """As few as have every player count and every variant of every game."""
    chosen: list[Setup] = []
    every = list(setups())
    uncovered = {part for setup in every for part in parts_of(setup)}
    while uncovered:
        chosen.append(max(every, key=lambda setup: len(parts_of(setup) & uncovered)))
        uncovered -= parts_of(chosen[-1])
    return chosen


def parts_of(setup: Setup) -> set[tuple[str, str]]:
    """What a setup covers: the player count, and the variant, of its game."""
    return {(setup.game.id, str(setup.players)), (setup.game.id, str(setup.options))}
