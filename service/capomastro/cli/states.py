"""Prints states and pages of moves."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import click

from capomastro.cli.shared import print_heading, print_lines
from capomastro.documents.wordings import phrase
from capomastro.engine.game import AnyGame
from capomastro.layout import states
from capomastro.layout.formatting import move_text, printable, table


def print_state(game: AnyGame, state: Any, decision: Any, derived: Any) -> None:
    """Prints a heading with the decision due, the state, and the derived figures."""
    print_heading(states.heading(game, state, decision))
    click.echo()
    print_lines(states.body(game, state, derived))


def page_lines(page: Mapping[str, Any], text: Callable[[Mapping[str, Any]], str] = move_text) -> Iterator[str]:
    """A page of moves, and the total if there are more."""
    lines = move_lines(page, text)
    yield from lines
    if len(lines) < page["total"]:
        yield phrase("page", shown=len(lines), total=page["total"])


def move_lines(page: Mapping[str, Any], text: Callable[[Mapping[str, Any]], str]) -> list[str]:
    """The moves of a page, each as `text` writes it, for chance with probabilities.

    If the page has sentences, they stand before it.
    """
    sentences = [printable(sentence) for sentence in page.get("texts", ())]
    written = [text(move) for move in page["moves"]]
    rows = list(zip(*filter(None, [sentences, written, page.get("probabilities")]), strict=True))
    return table(rows) if rows else []
