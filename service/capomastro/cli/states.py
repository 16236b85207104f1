"""How a state, and a page of its moves, is shown."""

from collections.abc import Iterator, Mapping
from typing import Any

import click

from capomastro.cli.formatting import aligned, decision_line, move_text, outline, state_rows, table
from capomastro.cli.questions import say, say_heading
from capomastro.engine.game import AnyGame


def say_state(game: AnyGame, state: Any, decision: Any, derived: Any) -> None:
    """A state under a heading that says where it stands, and what follows from it."""
    decides = decision_line(decision, state.get("names"))
    say_heading(f"{game.title}, {len(state['seats'])} players, ply {state['ply']}; {decides}")
    click.echo()
    say(aligned([*state_rows(state), (0, "this follows", ""), *outline(derived, 1)]))


def page_lines(page: Mapping[str, Any]) -> Iterator[str]:
    """A page of moves, those of chance with their probabilities, and how many there are if these are not all."""
    rows = [
        [move_text(move), *probability]
        for move, *probability in zip(page["moves"], *filter(None, [page.get("probabilities")]), strict=True)
    ]
    if rows:
        yield from table(rows)
    if len(rows) < page["total"]:
        yield f"… {len(rows)} of {page['total']} moves"
