"""Records: writes them."""

from collections.abc import Sequence
from typing import Any

from capomastro.engine.decisions import Move
from capomastro.engine.game import SCHEMA_VERSION, AnyGame
from capomastro.engine.results import AnyResult


def record_of(game: AnyGame, start: Any, moves: Sequence[Move], result: AnyResult | None = None) -> dict[str, Any]:
    """A record of the moves played from the state `start`."""
    document: dict[str, Any] = {
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
