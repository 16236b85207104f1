"""A state as text: a heading that says where it stands, what lies on the table, and the derived figures."""

from collections.abc import Iterator, Mapping
from typing import Any

from capomastro.documents.wordings import phrase
from capomastro.engine.game import AnyGame
from capomastro.layout.formatting import aligned, decision_line, outline, state_rows


def heading(game: AnyGame, state: Mapping[str, Any], decision: Mapping[str, Any]) -> str:
    """`Palazzo, 2 players, ply 13; Ada (seat 0) decides: choose-action`."""
    decides = decision_line(game, decision, state.get("names"))
    return position_text(game, len(state["seats"]), state["ply"], decides)


def position_text(game: AnyGame, players: int, ply: int, decides: str) -> str:
    return f"{game.title}, {phrase('players', players=players)}, {phrase('ply', ply=ply)}; {decides}"


def body(state: Mapping[str, Any], derived: Mapping[str, Any]) -> Iterator[str]:
    """What lies on the table and in the hands, and the derived figures."""
    yield from aligned([*state_rows(state), (0, phrase("derived"), ""), *outline(derived, 1)])
