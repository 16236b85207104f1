"""Transitions: plays moves, all or none, and shows what each viewer sees of them."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from msgspec import UNSET
from msgspec.structs import asdict, replace

from capomastro.adjudicator.descriptions import described
from capomastro.adjudicator.loading import load_state, move_of, require_continuable
from capomastro.adjudicator.moves import page_of_moves
from capomastro.adjudicator.texts import events_with_texts, texts_of_moves
from capomastro.adjudicator.views import require_seat, require_viewers
from capomastro.answers import Played, Transition, ViewedTransition
from capomastro.documents.problems import Problem
from capomastro.documents.wordings import explained, phrase
from capomastro.engine import referee
from capomastro.engine.decisions import Move
from capomastro.engine.game import AnyGame
from capomastro.engine.referee import Asker
from capomastro.engine.steps import Refused, Step, play_steps, state_after


class Course(NamedTuple):
    """Steps from the state `before`, and what was played in all."""

    before: Any
    steps: Sequence[Step]
    played: Played


def transition(
    game: AnyGame,
    state_document: Any,
    move_documents: Sequence[Any],
    seed: str | None = None,
    views: Sequence[int | None] | None = None,
    legal_moves_limit: int | None = None,
    texts: bool = False,
    seat: Asker = UNSET,
) -> Transition:
    """Plays moves, all or none; the seed draws chance that is not supplied; `texts` adds sentences.

    `seat` is who asks: all supplied moves must be theirs to supply, and they are the viewer unless `views` says more.
    """
    placed = [("move", document, f"/moves/{index}") for index, document in enumerate(move_documents)]
    before = load_state(game, state_document, "/state", *placed)
    require_seat(before, seat, "/seat")
    require_viewers(before, views or ())
    if views is None and seat is not UNSET:
        views = [seat]
    supplied = [move_of(game, document) for document in move_documents]
    course = course_of(game, before, supplied_steps(game, before, supplied, seed, seat))
    state = course.played.state
    return Transition(
        **asdict(played_with_texts(game, course.played) if texts else course.played),
        result=game.result(state) if referee.is_over(game, state) else UNSET,
        views=viewed(game, course, views, texts) if views is not None else UNSET,
        legal_moves=(
            page_of_moves(game, state, legal_moves_limit, texts=texts, seat=seat)
            if legal_moves_limit is not None
            else UNSET
        ),
    )


# --- playing ---------------------------------------------------------------------------------------------------------


def course_of(game: AnyGame, before: Any, played_steps: Iterable[Step]) -> Course:
    """Combines consecutive steps from the state `before`."""
    steps = list(played_steps)
    return Course(before, steps, played(game, before, steps, [step.move for step in steps]))


def played(game: AnyGame, before: Any, steps: Sequence[Step], moves: Sequence[Move]) -> Played:
    """What was played in all."""
    events = [event for step in steps for event in step.events]
    return Played(*described(game, state_after(before, steps)), moves, events)


def supplied_steps(
    game: AnyGame, state: Any, supplied: Sequence[Move], seed: str | None, seat: Asker = UNSET
) -> Iterator[Step]:
    """Plays the moves that `seat` supplies; the seed fills the gaps where chance decides.

    Raises:
        Problem: `illegal-move` or `too-long`.
    """
    done = 0
    try:
        for step in play_steps(game, state, supplied, seed, seat):
            if done < len(supplied) and step.move is supplied[done]:
                require_continuable(game, step.before, f"/moves/{done}")
                done += 1
            yield step
    except Refused as refused:
        require_continuable(game, refused.state, f"/moves/{refused.index}")
        detail = phrase("illegal-move", number=refused.index + 1, moves=len(supplied))
        errors = [explained(game, refused.refusal, f"/moves/{refused.index}")]
        raise Problem("illegal-move", detail, errors) from None


def played_with_texts(game: AnyGame, played: Played) -> Played:
    """The same with its moves and events as sentences beside them."""
    texts = texts_of_moves(game, played.state, played.moves)
    return replace(played, events=events_with_texts(game, played.state, played.events), texts=texts)


# --- what each viewer sees -------------------------------------------------------------------------------------------


def viewed(game: AnyGame, course: Course, viewers: Sequence[int | None], texts: bool) -> list[ViewedTransition]:
    """The same transition for each viewer."""
    seen = [played_as_seen(game, course, seat) for seat in viewers]
    if texts:
        seen = [played_with_texts(game, played) for played in seen]
    return [ViewedTransition(seat, **asdict(played)) for seat, played in zip(viewers, seen, strict=True)]


def played_as_seen(game: AnyGame, course: Course, seat: int | None) -> Played:
    """The same transition for one viewer, computed only from what they may know.

    If nothing is hidden from them, this is what was played; otherwise the moves are played again as they saw them.
    """
    view = game.view(course.before, seat)
    if view is course.before and all(step.witness in (None, seat) for step in course.steps):
        return course.played
    moves = [step.move_seen_by(seat) for step in course.steps]
    return played(game, view, list(play_steps(game, view, moves)), moves)
