"""Moves: lists the legal ones page by page, and judges a single one."""

from fractions import Fraction
from itertools import islice
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from capomastro.adjudicator.choices import (
    Chosen,
    digest_of,
    kinds_of_moves,
    outcomes_of,
    partial_in,
    what_is_open,
)
from capomastro.adjudicator.loading import load_state, load_state_and_moves
from capomastro.adjudicator.texts import texts_of_moves
from capomastro.adjudicator.views import require_seat, state_for
from capomastro.answers import Amount, LegalMoves, NearMove, UnavailableMove, Verdict
from capomastro.documents import json_text
from capomastro.documents.problems import Problem
from capomastro.documents.wordings import amount_name, explained, phrase, sentence
from capomastro.engine import referee
from capomastro.engine.chance import as_text
from capomastro.engine.game import AnyGame
from capomastro.engine.moves import ListedMoves, Move, Moves, type_of
from capomastro.engine.nearness import nearest
from capomastro.engine.referee import Asker

DEFAULT_LIMIT = 100
MAXIMUM_LIMIT = 1000
MAXIMUM_NEAREST = 100


def legal_moves(
    game: AnyGame,
    document: Any,
    limit: int = DEFAULT_LIMIT,
    cursor: str | None = None,
    all_payments: bool = False,
    explain: bool = False,
    texts: bool = False,
    seat: Asker = UNSET,
    kinds: bool = False,
    containing: Any = UNSET,
) -> LegalMoves:
    """One page of the legal moves, and their exact number; with `seat` of those that are this seat's to supply.

    `explain` adds why other kinds of moves are unavailable, `texts` each move as a sentence, `kinds` every kind of move
    with its parameters. `containing` is a partial move: only those are listed and counted that contain it.
    """
    state = load_state(game, document)
    require_seat(state, seat, "/seat")
    chosen = None if containing is UNSET else partial_in(game, state, containing)
    page = page_of_moves(game, state, limit, cursor, all_payments, texts, seat, chosen)
    if kinds:
        page = with_kinds(game, state, page, seat, all_payments)
    if not explain:
        return page
    state = state_for(game, state, seat)
    unavailable = (
        []
        if is_for_others(game, state, seat)
        else [
            UnavailableMove(type_of(kind), refusal.rule, sentence(game, refusal), refusal.values)
            for kind, refusal in referee.unavailable_kinds(game, state)
        ]
    )
    return msgspec.structs.replace(page, unavailable=unavailable)


def page_of_next_moves(
    game: AnyGame, state: Any, limit: int, texts: bool, seat: Asker, kinds: bool = False
) -> LegalMoves:
    """The first page of the moves of a decision, as it goes with other answers."""
    page = page_of_moves(game, state, limit, texts=texts, seat=seat)
    return with_kinds(game, state, page, seat) if kinds else page


def with_kinds(game: AnyGame, state: Any, page: LegalMoves, seat: Asker, all_payments: bool = False) -> LegalMoves:
    """A page of moves with the kinds of moves of its decision; none if others decide."""
    state = state_for(game, state, seat)
    kinds = [] if is_for_others(game, state, seat) else kinds_of_moves(game, state, all_payments)
    return msgspec.structs.replace(page, kinds=kinds)


def page_of_moves(
    game: AnyGame,
    state: Any,
    limit: int,
    cursor: str | None = None,
    all_payments: bool = False,
    texts: bool = False,
    seat: Asker = UNSET,
    chosen: Chosen | None = None,
) -> LegalMoves:
    """One page; with `seat` from what this seat (None: a spectator) may know, and empty if others decide.

    `chosen` is a partial move, by its kind: the page has those that contain it.
    """
    state = state_for(game, state, seat)
    decision = referee.decision(game, state)
    if is_for_others(game, state, seat):
        return LegalMoves(
            decision=decision,
            moves=[],
            texts=[] if texts else UNSET,
            total=0,
            complete=True,
            open=UNSET if chosen is None else {},
        )
    which = name_of_list(all_payments, chosen)
    start = start_of_page(state, cursor, which) if cursor is not None else 0
    complete = True
    probabilities: list[str] | UnsetType = UNSET
    outcomes: dict[Move, Fraction] = {}
    if decision.actor == "seat":
        moves = legal_moves_of(game, state, all_payments, chosen)
        hand = getattr(state.seats[decision.seat], "hand", None)
        complete = hand is None or not hand.unknown
    else:
        if decision.actor == "chance":
            outcomes = outcomes_of(game, state, chosen)
        moves = ListedMoves([*outcomes])
    page = list(islice(moves.starting_at(start), limit))
    if decision.actor == "chance":
        probabilities = [as_text(outcomes[move]) for move in page]
    end = start + len(page)
    return LegalMoves(
        decision=decision,
        moves=page,
        texts=texts_of_moves(game, state, page) if texts else UNSET,
        probabilities=probabilities,
        total=moves.total,
        complete=complete,
        next_cursor=cursor_of(state, end, which) if end < moves.total and limit else UNSET,
        open=UNSET if chosen is None else what_is_open(moves, *chosen),
    )


def legal_moves_of(game: AnyGame, state: Any, all_payments: bool, chosen: Chosen | None) -> Moves:
    """The legal moves of the seat that decides; of those with a kind and members `chosen`, if there are any."""
    if chosen is None:
        return referee.legal_moves(game, state, all_payments)
    return referee.completions(game, state, *chosen, all_payments)


def is_for_others(game: AnyGame, state: Any, seat: Asker) -> bool:
    """Whether the next move is not for `seat` to supply, if it is known who asks."""
    return seat is not UNSET and not referee.is_to_decide(game, state, seat)


def name_of_list(all_payments: bool, chosen: Chosen | None) -> str:
    """Distinguishes the lists of moves of one state."""
    payments = "all" if all_payments else "minimal"
    return payments if chosen is None else f"{payments}-{digest_of(*chosen)}"


def cursor_of(state: Any, index: int, which: str) -> str:
    """The cursor for the page that starts at `index`; it is valid for this state and list only."""
    return f"{index}-{which}-{json_text.state_hash(state)[:16]}"


def start_of_page(state: Any, cursor: str, which: str) -> int:
    """The index in a cursor.

    Raises:
        Problem: `cursor`, if it belongs to another list.
    """
    index = cursor.partition("-")[0]
    if not (index.isascii() and index.isdigit() and len(index) < 20) or cursor != cursor_of(state, int(index), which):
        detail = phrase("cursor")
        raise Problem("cursor", detail, [{"pointer": "/cursor", "message": detail}])
    return int(index)


# --- verdicts --------------------------------------------------------------------------------------------------------


def verdict(
    game: AnyGame,
    state_document: Any,
    move_document: Any,
    maximum_nearest: int | None = None,
    texts: bool = False,
    seat: Asker = UNSET,
    amounts: bool = False,
) -> Verdict:
    """Whether a move is legal, asked by `seat`; if not, the rule it breaks and, on request, the nearest legal moves.

    `texts` adds these moves as sentences, `amounts` what the move adds up to, and what it needs.
    """
    state, (move,) = load_state_and_moves(game, state_document, [("move", move_document, "/move")])
    require_seat(state, seat, "/seat")
    refusal = referee.why_not_asked_by(game, state, move, seat)
    if refusal is None:
        judged = Verdict(legal=True)
    else:
        near = near_moves(game, state, move, maximum_nearest, seat) if maximum_nearest is not None else UNSET
        judged = Verdict(legal=False, refusal=explained(game, refusal, "/move"), nearest=near)
    if amounts:
        judged = msgspec.structs.replace(judged, amounts=amounts_of(game, state, move, seat))
    return verdict_with_texts(game, state, move, judged) if texts else judged


def amounts_of(game: AnyGame, state: Any, move: Move, seat: Asker = UNSET) -> list[Amount]:
    """What a move, legal or not, adds up to; with `seat` only of this seat's own decisions."""
    if is_for_others(game, state, seat):
        return []
    return [
        Amount(
            name=amount.name,
            text=amount_name(amount.name),
            value=amount.value,
            **{
                name: number
                for name in ("before", "added", "needs", "have")
                if (number := getattr(amount, name)) is not None
            },
        )
        for amount in referee.amounts(game, state_for(game, state, seat), move)
    ]


def verdict_with_texts(game: AnyGame, state: Any, move: Move, judged: Verdict) -> Verdict:
    """A verdict, with the move and the nearest ones as sentences beside them."""
    (text,) = texts_of_moves(game, state, [move])
    near = judged.nearest
    nearest_texts = texts_of_moves(game, state, [found.move for found in near]) if near is not UNSET else UNSET
    return msgspec.structs.replace(judged, text=text, nearest_texts=nearest_texts)


def near_moves(game: AnyGame, state: Any, move: Move, maximum: int, seat: Asker = UNSET) -> list[NearMove]:
    """The legal moves nearest to an illegal one, nearest first; with `seat` those that are this seat's to supply."""
    if is_for_others(game, state, seat):
        return []
    state = state_for(game, state, seat)
    return [NearMove(near.move, near.distance, near.differs) for near in nearest(game, state, move, maximum)]
