"""Which game a question is about."""

from typing import Any

from capomastro.documents.problems import Problem
from capomastro.engine.game import AnyGame
from capomastro.games import all_games


def game_of(game_id: str) -> AnyGame:
    """The game of that id.

    Raises:
        Problem: `not-found`.
    """
    game = all_games().get(game_id)
    if game is None:
        raise Problem("not-found", f"There is no game {game_id[:40]!r}; the games are {', '.join(all_games())}.")
    return game


def game_in(document: Any, at: str = "") -> AnyGame:
    """The game a document says it is of.

    Raises:
        Problem: `shape` if it says none, `not-found` if there is no such game.
    """
    game = document.get("game") if isinstance(document, dict) else None
    if not isinstance(game, str):
        message = 'it must say which game it is of, like "game": "' + next(iter(all_games())) + '"'
        raise Problem("shape", "This is no document of a game.", [{"pointer": f"{at}/game", "message": message}])
    return game_of(game)
