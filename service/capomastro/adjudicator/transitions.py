"""Transitions: moves played, all or nothing, and what each viewer sees of them."""

from collections.abc import Sequence
from typing import Any

from capomastro.adjudicator.answers import Answer, standing
from capomastro.adjudicator.loading import load_state, move_of, refuse_too_long
from capomastro.adjudicator.moves import page_of_moves
from capomastro.adjudicator.views import refuse_viewer
from capomastro.documents.problems import Problem
from capomastro.documents.wordings import explained
from capomastro.engine import records, referee
from capomastro.engine.decisions import ChanceMove, Event, Move
from capomastro.engine.game import AnyGame


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
    state, moves, events = advance(game, before, supplied, seed)
    answer = {**standing(game, state), "moves": moves, "events": events}
    if referee.is_over(game, state):
        answer["result"] = game.result(state)
    if views is not None:
        answer["views"] = [viewed_transition(game, before, moves, seat) for seat in views]
    if legal_moves_limit is not None:
        answer["legal_moves"] = page_of_moves(game, state, legal_moves_limit)
    return answer


def advance(
    game: AnyGame, state: Any, supplied: Sequence[Move], seed: str | None
) -> tuple[Any, list[Move], list[Event]]:
    """The state after the supplied moves, with the gaps of chance filled by the seed."""
    moves: list[Move] = []
    events: list[Event] = []
    for index, move in enumerate(supplied):
        if seed is not None and not isinstance(move, ChanceMove):
            state, drawn, happened = referee.draw_chance(game, state, seed)
            moves += drawn
            events += happened
        refuse_too_long(game, state, f"/moves/{index}")
        refusal = referee.refusal(game, state, move)
        if refusal is not None:
            raise Problem(
                "illegal-move",
                f"Move {index} of {len(supplied)} is not legal; no move has been played.",
                [explained(game, refusal, f"/moves/{index}")],
            )
        state, happened = referee.play(game, state, move)
        moves.append(move)
        events += happened
    if seed is not None:
        state, drawn, happened = referee.draw_chance(game, state, seed)
        moves += drawn
        events += happened
    return state, moves, events


def viewed_transition(game: AnyGame, before: Any, moves: Sequence[Move], seat: int | None) -> Answer:
    """The same transition for one viewer, computed from nothing but what he may know."""
    seen = list(records.viewed_moves(game, before, moves, seat))
    state, events = records.followed(game, game.view(before, seat), seen)
    return {"seat": seat, **standing(game, state), "moves": seen, "events": events}
