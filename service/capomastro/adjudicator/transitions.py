"""Transitions: plays moves, all or none, lets computers play on, and shows what each viewer sees of it."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from msgspec import UNSET
from msgspec.structs import asdict, replace

from capomastro.adjudicator.descriptions import described
from capomastro.adjudicator.loading import load_state_and_moves, require_continuable
from capomastro.adjudicator.moves import page_of_next_moves
from capomastro.adjudicator.pictures import IN_READING_ORDER, MAXIMUM_PICTURES, Arrangement, picture_of
from capomastro.adjudicator.texts import events_with_texts, texts_of_moves
from capomastro.adjudicator.views import require_seat, require_viewers
from capomastro.answers import DrawnStep, Played, Transition, ViewedTransition
from capomastro.documents.problems import Problem
from capomastro.documents.wordings import explained, phrase
from capomastro.engine import referee
from capomastro.engine.game import AnyGame
from capomastro.engine.moves import ChanceMove, Move
from capomastro.engine.players import suggested
from capomastro.engine.referee import Asker
from capomastro.engine.steps import Refused, Step, play_steps, state_after

MOST_PLAYED_ON = 40
"""The moves of computers after those supplied; then it is theirs to ask again."""


class Shown(NamedTuple):
    """How to draw the steps of a transition, and for whom (unset: a viewer who may know everything)."""

    layout: str
    viewer: Asker = UNSET
    arrangement: Arrangement = IN_READING_ORDER


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
    kinds: bool = False,
    computers: Sequence[str | None] = (),
    shown: Shown | None = None,
) -> Transition:
    """Plays moves, all or none; the seed draws chance that is not supplied; `texts` adds sentences.

    `seat` is who asks: all supplied moves must be theirs to supply, and they are the viewer unless `views` says more.
    `computers` play on after these moves: by seat a player of the service, or None for a person. `shown` adds
    the course step by step, with a picture of each.
    """
    placed = [("move", document, f"/moves/{index}") for index, document in enumerate(move_documents)]
    before, supplied = load_state_and_moves(game, state_document, placed)
    require_seat(before, seat, "/seat")
    require_viewers(before, views or ())
    for index in range(len(computers)):
        require_seat(before, index, f"/computers/{index}")
    if shown is not None:
        require_seat(before, shown.viewer, "/pictures_for")
    if views is None and seat is not UNSET:
        views = [seat]
    steps = list(supplied_steps(game, before, supplied, seed, seat))
    if computers:
        steps += played_on(game, state_after(before, steps), computers, seed)
    course = course_of(game, before, steps)
    state = course.played.state
    return Transition(
        **asdict(played_with_texts(game, course.played) if texts else course.played),
        result=game.result(state) if referee.is_over(game, state) else UNSET,
        views=viewed(game, course, views, texts) if views is not None else UNSET,
        legal_moves=(
            page_of_next_moves(game, state, legal_moves_limit, texts, seat, kinds)
            if legal_moves_limit is not None
            else UNSET
        ),
        steps=drawn_steps(game, course, shown, texts) if shown is not None else UNSET,
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


def played_on(game: AnyGame, state: Any, computers: Sequence[str | None], seed: str | None) -> Iterator[Step]:
    """The moves that computers make from `state` on, until somebody else decides: exactly those that `suggestions`
    gives one after the other for the same seed, and the draws between them. They stop where it would give none.
    """
    for _ in range(MOST_PLAYED_ON):
        seat = referee.decision(game, state).seat
        player = computers[seat] if seat is not None and seat < len(computers) else None
        if player is None or not game.can_be_continued(state):
            return
        move = suggested(game, state, player, seed or "")
        if move is None:
            return
        for step in play_steps(game, state, [move], seed):
            yield step
            state = step.after


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


def drawn_steps(game: AnyGame, course: Course, shown: Shown, texts: bool) -> list[DrawnStep]:
    """The last steps of a course, each a move of a seat with the draws after it, as the viewer sees them."""
    steps, viewer = course.steps, shown.viewer
    if viewer is not UNSET:
        view = game.view(course.before, viewer)
        steps = list(play_steps(game, view, [step.move_seen_by(viewer) for step in steps]))
    together: list[list[Step]] = []
    for step in steps:
        if together and isinstance(step.move, ChanceMove):
            together[-1].append(step)
        else:
            together.append([step])
    return [drawn_step(game, each, shown, texts) for each in together[-MAXIMUM_PICTURES:]]


def drawn_step(game: AnyGame, steps: Sequence[Step], shown: Shown, texts: bool) -> DrawnStep:
    """Steps that belong together, and a picture of what they lead to."""
    after, moves = steps[-1].after, [step.move for step in steps]
    events: Sequence[Any] = [event for step in steps for event in step.events]
    return DrawnStep(
        ply=after.ply,
        moves=moves,
        events=events_with_texts(game, after, events) if texts else events,
        texts=texts_of_moves(game, after, moves) if texts else UNSET,
        picture=picture_of(game, after, shown.layout, moves, shown.viewer, shown.arrangement),
    )


def played_as_seen(game: AnyGame, course: Course, seat: int | None) -> Played:
    """The same transition for one viewer, computed only from what they may know.

    If nothing is hidden from them, this is what was played; otherwise the moves are played again as they saw them.
    """
    view = game.view(course.before, seat)
    if view is course.before and all(step.witness in (None, seat) for step in course.steps):
        return course.played
    moves = [step.move_seen_by(seat) for step in course.steps]
    return played(game, view, list(play_steps(game, view, moves)), moves)
