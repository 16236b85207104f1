"""Records: writes them."""

from collections.abc import Sequence
from typing import Any

from capomastro.engine.game import SCHEMA_VERSION, AnyGame
from capomastro.engine.moves import Move
from capomastro.engine.results import AnyResult


def record_of(game: AnyGame, state: Any, moves: Sequence[Move], result: AnyResult | None = None) -> dict[str, Any]:
    """A record of all moves of a game; `state` is any of its states, for players, names and options."""
    document: dict[str, Any] = {
        "game": game.id,
        "schema_version": SCHEMA_VERSION,
        "rules_version": game.rules_version,
        "players": len(state.seats),
        "options": state.options,
        "moves": list(moves),
    }
    if state.names is not None:
        document["names"] = state.names
    if result is not None:
        document["result"] = result
    return document
