"""Positions whose pictures are golden files: record, ply, viewing seat (None: all is visible), and what they show."""

from collections.abc import Iterator
from typing import Any

from capomastro.engine.events import Event
from capomastro.engine.moves import Move
from capomastro.games.new_game import events
from tests.support.pictures import Placed

POSITIONS: tuple[tuple[str, int, int | None, str], ...] = ()
"""FILL IN: at least twelve from the recorded games, with everything that can be drawn; `make generated` draws them."""


def further_tokens(document: Any) -> Iterator[tuple[str, str]]:
    """FILL IN: components that the state only counts, by place and token; none if it names them all."""
    return iter(())


def moved_by(event: Event, move: Move, after: Any) -> Iterator[Placed]:
    """FILL IN: what each kind of event moved, and its new place, as in this example."""
    match event:
        case events.TokenDrawn(token=token):
            yield "/stage/token", token
