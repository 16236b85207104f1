"""Transitions: plays moves, all or none, and shows what each viewer sees of them."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from msgspec import UNSET, UnsetType

from capomastro.adjudicator.descriptions import described
from capomastro.adjudicator.loading import load_state, move_of, refuse_too_long
from capomastro.adjudicator.moves import page_of_moves
from capomastro.adjudicator.texts import events_with_texts, texts_of_moves
from capomastro.adjudicator.views import refuse_viewers
from capomastro.answers import Transition, ViewedTransition
from capomastro.documents.problems import Problem
from capomastro.documents.wordings import explained, phrase
from capomastro.engine import records, referee
from capomastro.engine.decisions import ChanceMove, Decision, Move
from capomastro.engine.events import Event
from capomastro.engine.game import AnyGame, Derived
from capomastro.engine.refusals import Refusal


class Step(NamedTuple):
    """A move that was played, the only seat that saw what it revealed, the state after it, and its events."""

    move: Move
    witness: int | None
    state: Any
    events: list[Event]


class Played(NamedTuple):
    """The state after some moves, the moves, and their events: the members that every transition has.

    On request, `texts` are the moves as sentences, and the events are documents with sentences.
    """

    state: Any
    state_hash: str
    derived: Derived
    decision: Decision
    moves: Sequence[Move]
    events: Sequence[Any]
    texts: Sequence[str] | UnsetType = UNSET


class Course(NamedTuple):
    """Moves played from the state `before`; `witnesses` are the only seats that saw what they revealed, if any."""

    before: Any
    witnesses: Sequence[int | None]
    played: Played


def transition(
    game: AnyGame,
    state_document: Any,
    move_documents: Sequence[Any],
    seed: str | None = None,
    views: Sequence[int | None] | None = None,
    legal_moves_limit: int | None = None,
    texts: bool = False,
) -> Transition:
    """Plays moves, all or none; the seed draws chance that is not supplied; `texts` adds sentences."""
    placed = [("move", document, f"/moves/{index}") for index, document in enumerate(move_documents)]
    before = load_state(game, state_document, "/state", *placed)
    refuse_viewers(before, views or ())
    supplied = [move_of(game, document) for document in move_documents]
    course = course_of(game, before, steps(game, before, supplied, seed))
    state = course.played.state
    return Transition(
        *(played_with_texts(game, course.played) if texts else course.played),
        result=game.result(state) if referee.is_over(game, state) else UNSET,
        views=viewed(game, course, views, texts) if views is not None else UNSET,
        legal_moves=(
            page_of_moves(game, state, legal_moves_limit, texts=texts) if legal_moves_limit is not None else UNSET
        ),
    )


# --- playing ---------------------------------------------------------------------------------------------------------


def course_of(game: AnyGame, before: Any, played_steps: Iterable[Step]) -> Course:
    """Combines consecutive steps."""
    state = before
    moves: list[Move] = []
    witnesses: list[int | None] = []
    events: list[Event] = []
    for step in played_steps:
        state = step.state
        moves.append(step.move)
        witnesses.append(step.witness)
        events += step.events
    return Course(before, witnesses, Played(*described(game, state), moves, events))


def steps(game: AnyGame, state: Any, supplied: Sequence[Move], seed: str | None) -> Iterator[Step]:
    """Plays the supplied moves; the seed fills the gaps where chance decides.

    Raises:
        Problem: `illegal-move` or `too-long`.
    """
    for index, move in enumerate(supplied):
        if seed is not None and not isinstance(move, ChanceMove):
            for step in drawn_steps(game, state, seed):
                yield step
                state = step.state
        refuse_too_long(game, state, f"/moves/{index}")
        refusal = referee.refusal(game, state, move)
        if refusal is not None:
            raise illegal_move(game, refusal, index, len(supplied))
        step = played_step(game, state, move)
        yield step
        state = step.state
    if seed is not None:
        yield from drawn_steps(game, state, seed)


def illegal_move(game: AnyGame, refusal: Refusal, index: int, supplied: int) -> Problem:
    """The problem that the move with this index among the supplied ones is refused."""
    detail = phrase("illegal-move", number=index + 1, moves=supplied)
    return Problem("illegal-move", detail, [explained(game, refusal, f"/moves/{index}")])


def drawn_steps(game: AnyGame, state: Any, seed: str) -> Iterator[Step]:
    """Draws until a seat must decide or the game is over."""
    while referee.is_at_chance(game, state):
        step = played_step(game, state, referee.drawn(game, state, seed))
        yield step
        state = step.state


def played_step(game: AnyGame, state: Any, move: Move) -> Step:
    """Plays a legal move."""
    after, events = referee.play(game, state, move)
    return Step(move, referee.sole_witness(game, state), after, events)


def played_with_texts(game: AnyGame, played: Played) -> Played:
    """The same with its moves and events as sentences beside them."""
    texts = texts_of_moves(game, played.state, played.moves)
    return played._replace(events=events_with_texts(game, played.state, played.events), texts=texts)


# --- what each viewer sees -------------------------------------------------------------------------------------------


def viewed(game: AnyGame, course: Course, viewers: Sequence[int | None], texts: bool) -> list[ViewedTransition]:
    """The same transition for each viewer."""
    seen = [played_as_seen(game, course, seat) for seat in viewers]
    if texts:
        seen = [played_with_texts(game, played) for played in seen]
    return [ViewedTransition(seat, *played) for seat, played in zip(viewers, seen, strict=True)]


def played_as_seen(game: AnyGame, course: Course, seat: int | None) -> Played:
    """The same transition for one viewer, computed only from what they may know.

    If nothing is hidden from them, this is what was played; otherwise the moves are played again as they saw them.
    """
    view = game.view(course.before, seat)
    if view is course.before and all(witness in (None, seat) for witness in course.witnesses):
        return course.played
    witnessed = zip(course.played.moves, course.witnesses, strict=True)
    seen = [referee.as_seen(move, witness, seat) for move, witness in witnessed]
    state, events = records.followed(game, view, seen)
    return Played(*described(game, state), seen, events)
