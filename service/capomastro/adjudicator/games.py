"""Finds the game that a question is about."""

from typing import Any

from capomastro.documents.phrases import quoted
from capomastro.documents.problems import Problem
from capomastro.documents.suggestions import did_you_mean, looks_like
from capomastro.documents.wordings import phrase
from capomastro.engine.game import AnyGame
from capomastro.games import all_games


def game_of(game_id: str) -> AnyGame:
    """The game with this id.

    Raises:
        Problem: `not-found`.
    """
    game = all_games().get(game_id)
    if game is None:
        detail = phrase("no-such-game", game=quoted(game_id[:40]), games=list(all_games()))
        raise Problem("not-found", detail + did_you_mean(game_id, all_games()))
    return game


def game_in(document: Any, at: str = "") -> AnyGame:
    """The game that a document names.

    Raises:
        Problem: `shape` if it names none, `not-found` if there is no such game.
    """
    game = document.get("game") if isinstance(document, dict) else None
    if not isinstance(game, str):
        detail = phrase("no-game-named") + looks_like(document, "")
        if not isinstance(document, dict):
            raise Problem("shape", detail, [{"pointer": at, "message": "must be an object"}])
        message = 'must name its game, such as "game": "' + next(iter(all_games())) + '"'
        raise Problem("shape", detail, [{"pointer": f"{at}/game", "message": message}])
    return game_of(game)
