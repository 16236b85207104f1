"""Texts: moves and events as sentences in the language of the reader, made only on request."""

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import to_builtins

from capomastro.answers import MoveWithTexts
from capomastro.documents.wordings import event_text, move_text
from capomastro.engine import referee
from capomastro.engine.events import Event
from capomastro.engine.game import AnyGame
from capomastro.engine.moves import Move
from capomastro.engine.steps import Step


def texts_of_moves(game: AnyGame, state: Any, moves: Sequence[Move]) -> list[str]:
    """Each move as a sentence; `state` is any state of the game, for the names of its players."""
    return [move_text(game, move, state.names) for move in moves]


def events_with_texts(game: AnyGame, state: Any, events: Sequence[Event]) -> list[dict[str, Any]]:
    """The events as documents, each with its `text`; `state` is any state of the game."""
    return [{**to_builtins(event), "text": event_text(game, event, state.names)} for event in events]


def course_with_texts(game: AnyGame, steps: Iterable[Step]) -> list[MoveWithTexts]:
    """A game move by move, each move and event with its sentence."""
    return [
        MoveWithTexts(
            step.before.active_seat,
            referee.decision(game, step.before),
            step.move,
            move_text(game, step.move, step.after.names),
            events_with_texts(game, step.after, step.events),
            tuple(game.points_now(step.after)),
        )
        for step in steps
    ]
