"""A state as text: a heading with the situation, the components on the table, and the derived figures."""

from collections.abc import Iterator, Mapping
from typing import Any

from capomastro.documents.wordings import phrase, title_of
from capomastro.engine.game import AnyGame
from capomastro.layout.formatting import aligned, decision_line, naming, outline_rows, state_rows


def heading(game: AnyGame, state: Mapping[str, Any], decision: Mapping[str, Any]) -> str:
    """`Palazzo, 2 players, ply 13; Ada (seat 0) decides: choose-action`."""
    decides = decision_line(game, decision, state.get("names"))
    return position_text(game, len(state["seats"]), state["ply"], decides)


def position_text(game: AnyGame, players: int, ply: int, decides: str) -> str:
    return f"{title_of(game)}, {phrase('players', players=players)}, {phrase('ply', ply=ply)}; {decides}"


def body(game: AnyGame, state: Mapping[str, Any], derived: Mapping[str, Any]) -> Iterator[str]:
    """The components on the table and in the hands, and the derived figures."""
    named = naming(game)
    yield from aligned([*state_rows(state, named), (0, phrase("derived"), ""), *outline_rows(derived, 1, named)])
