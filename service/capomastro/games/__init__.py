"""The games, found by looking: every folder here is one, and its module `game` holds it as `GAME`."""

from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from capomastro.engine.game import Game


@cache
def all_games() -> dict[str, Game[Any]]:
    """Every game by its id, in alphabetical order."""
    folders = (module.name for module in iter_modules(__path__) if module.ispkg)
    games = (import_module(f"{__name__}.{folder}.game").GAME for folder in folders)
    return {game.id: game for game in sorted(games, key=lambda game: game.id)}
