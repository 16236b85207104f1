"""Transitions: moves played, all or nothing, and what each viewer sees of them."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from capomastro.adjudicator.answers import Answer, standing
from capomastro.adjudicator.loading import load_state, move_of, refuse_too_long
from capomastro.adjudicator.moves import page_of_moves
from capomastro.adjudicator.views import refuse_viewer
from capomastro.documents.problems import Problem
from capomastro.documents.wordings import explained
from capomastro.engine import records, referee
from capomastro.engine.decisions import ChanceMove, Move
from capomastro.engine.events import Event
from capomastro.engine.game import AnyGame


class Step(NamedTuple):
    """A move that was played, the seat that alone saw what it revealed, the state it led to, and what happened."""

    move: Move
    witness: int | None
    state: Any
    events: list[Event]


def transition(
    game: AnyGame,
    state_document: Any,
    move_documents: Sequence[Any],
    seed: str | None = None,
    views: Sequence[int | None] | None = None,
    legal_moves_limit: int | None = None,
) -> Answer:
    """Plays moves, all or nothing; chance that is not supplied is drawn by the seed."""
    placed = [("move", document, f"/moves/{index}") for index, document in enumerate(move_documents)]
    before = load_state(game, state_document, "/state", *placed)
    for index, seat in enumerate(views or ()):
        refuse_viewer(before, seat, f"/views/{index}")
    supplied = [move_of(game, document) for document in move_documents]
    state = before
    moves: list[Move] = []
    witnesses: list[int | None] = []
    events: list[Event] = []
    for step in steps(game, before, supplied, seed):
        state = step.state
        moves.append(step.move)
        witnesses.append(step.witness)
        events += step.events
    played = {**standing(game, state), "moves": moves, "events": events}
    answer = {**played}
    if referee.is_over(game, state):
        answer["result"] = game.result(state)
    if views is not None:
        answer["views"] = [
            {"seat": seat, **viewed_transition(game, before, moves, witnesses, seat, played)} for seat in views
        ]
    if legal_moves_limit is not None:
        answer["legal_moves"] = page_of_moves(game, state, legal_moves_limit)
    return answer


def steps(game: AnyGame, state: Any, supplied: Sequence[Move], seed: str | None) -> Iterator[Step]:
    """Plays the supplied moves, with the gaps of chance filled by the seed.

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
            raise Problem(
                "illegal-move",
                f"Move {index} of {len(supplied)} is not legal; no move has been played.",
                [explained(game, refusal, f"/moves/{index}")],
            )
        step = played_step(game, state, move)
        yield step
        state = step.state
    if seed is not None:
        yield from drawn_steps(game, state, seed)


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


def viewed_transition(
    game: AnyGame,
    before: Any,
    moves: Sequence[Move],
    witnesses: Sequence[int | None],
    seat: int | None,
    played: Answer,
) -> Answer:
    """The same transition for one viewer, computed from nothing but what they may know.

    If nothing is hidden from them that is what was `played`; else the moves are played once more, as they saw them.
    """
    view = game.view(before, seat)
    if view is before and all(witness in (None, seat) for witness in witnesses):
        return played
    seen = [referee.as_seen(move, witness, seat) for move, witness in zip(moves, witnesses, strict=True)]
    state, events = records.followed(game, view, seen)
    return {**standing(game, state), "moves": seen, "events": events}
