"""The games, found by scanning this package: each folder is one, whose module `game` defines `GAME` once finished."""

from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from capomastro.engine.game import AnyGame


@cache
def all_games() -> dict[str, AnyGame]:
    """Every finished game by its id, in alphabetical order."""
    folders = (module.name for module in iter_modules(__path__) if module.ispkg)
    modules = (import_module(f"{__name__}.{folder}.game") for folder in folders)
    games = (module.GAME for module in modules if hasattr(module, "GAME"))
    return {game.id: game for game in sorted(games, key=lambda game: game.id)}
