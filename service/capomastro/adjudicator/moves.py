"""Moves: which are legal, page by page, and the verdict on a single one."""

from fractions import Fraction
from itertools import islice
from typing import Any

from capomastro.adjudicator.answers import Answer
from capomastro.adjudicator.loading import load_state, move_of
from capomastro.documents import json_text
from capomastro.documents.problems import Problem
from capomastro.documents.wordings import explained, sentence
from capomastro.engine import referee
from capomastro.engine.chance import as_text
from capomastro.engine.decisions import ChanceDecision
from capomastro.engine.game import AnyGame

DEFAULT_LIMIT = 100
MAXIMUM_LIMIT = 1000


def legal_moves(
    game: AnyGame,
    document: Any,
    limit: int = DEFAULT_LIMIT,
    cursor: str | None = None,
    all_payments: bool = False,
    explain: bool = False,
) -> Answer:
    """One page of the legal moves, their exact number, and on request why other kinds of move are unavailable."""
    state = load_state(game, document)
    answer = page_of_moves(game, state, limit, cursor, all_payments)
    if explain:
        answer["unavailable"] = [
            {"type": referee.type_of(kind), "rule": refusal.rule, "message": sentence(game, refusal)}
            for kind, refusal in referee.unavailable_kinds(game, state)
        ]
    return answer


def page_of_moves(
    game: AnyGame, state: Any, limit: int, cursor: str | None = None, all_payments: bool = False
) -> Answer:
    decision = referee.decision(game, state)
    start = start_of_page(state, cursor, all_payments) if cursor is not None else 0
    complete = True
    if decision.actor == "seat":
        moves = referee.legal_moves(game, state, all_payments)
        total = moves.total
        page: list[Any] = list(islice(moves.starting_at(start), limit))
        hand = getattr(state.seats[decision.seat], "hand", None)
        complete = hand is None or not hand.unknown
    else:
        every = chance_items(game, state) if decision.actor == "chance" else []
        total, page = len(every), every[start : start + limit]
    answer = {"decision": decision, "moves": page, "total": total, "complete": complete}
    if start + len(page) < total:
        answer["next_cursor"] = cursor_of(state, start + len(page), all_payments)
    return answer


def chance_items(game: AnyGame, state: Any) -> list[Answer]:
    """Every acceptable outcome with its exact probability; an unseen one as null, which we never draw."""
    here = game.decision_at[type(state.stage)]
    assert isinstance(here, ChanceDecision)
    outcomes = here.rule.outcomes(state)
    total = outcomes.total
    items = [
        {"move": here.rule.move(component), "probability": as_text(Fraction(weight, total))}
        for component, weight in outcomes.weights.items()
    ]
    if here.rule.goes_unseen_to(state) is not None:
        items.append({"move": here.rule.move(None), "probability": as_text(Fraction(0))})
    return items


def cursor_of(state: Any, index: int, all_payments: bool) -> str:
    """Where the next page starts, bound to the state and the list it is a page of."""
    return f"{index}-{'all' if all_payments else 'minimal'}-{json_text.state_hash(state)[:16]}"


def start_of_page(state: Any, cursor: str, all_payments: bool) -> int:
    """The index a cursor stands for.

    Raises:
        Problem: `cursor`, if it is not one of this list.
    """
    index = cursor.partition("-")[0]
    if not (index.isascii() and index.isdigit() and len(index) < 20) or cursor != cursor_of(
        state, int(index), all_payments
    ):
        raise Problem(
            "cursor",
            "The cursor was not made for this state and these payments.",
            [{"pointer": "/cursor", "message": "made for another list"}],
        )
    return int(index)


def verdict(game: AnyGame, state_document: Any, move_document: Any) -> Answer:
    """Whether a move is legal, and if not which rule it breaks."""
    state = load_state(game, state_document, "/state", ("move", move_document, "/move"))
    refusal = referee.refusal(game, state, move_of(game, move_document))
    if refusal is None:
        return {"legal": True}
    return {"legal": False, "refusal": explained(game, refusal, "/move")}
