"""Records: writing one."""

from collections.abc import Sequence
from typing import Any

from capomastro.adjudicator.answers import Answer
from capomastro.engine.decisions import Move
from capomastro.engine.game import SCHEMA_VERSION, AnyGame
from capomastro.engine.results import Result


def record_of(game: AnyGame, start: Any, moves: Sequence[Move], result: Result | None = None) -> Answer:
    """A record of the moves played from a start."""
    document: Answer = {
        "game": game.id,
        "schema_version": SCHEMA_VERSION,
        "rules_version": game.rules_version,
        "players": len(start.seats),
        "options": start.options,
        "moves": list(moves),
    }
    if start.names is not None:
        document["names"] = start.names
    if result is not None:
        document["result"] = result
    return document
