"""Views: a state or a record as a seat or a spectator may know it."""

from collections.abc import Iterable
from typing import Any

from msgspec import UNSET

from capomastro.adjudicator.loading import illegal_in_record, load_record, load_state
from capomastro.adjudicator.texts import course_with_texts
from capomastro.answers import View
from capomastro.documents.problems import Problem
from capomastro.documents.wordings import phrase
from capomastro.engine import referee
from capomastro.engine.game import AnyGame


def refuse_absent_seat(state: Any, seat: int | None, at: str) -> None:
    """Raises `no-such-seat` if there is no such seat; None is no seat, and always there."""
    if seat is not None and seat not in range(len(state.seats)):
        detail = phrase("no-such-seat", seat=seat, last=len(state.seats) - 1)
        raise Problem("no-such-seat", detail, [{"pointer": at, "message": detail}])


def refuse_viewers(state: Any, seats: Iterable[int | None]) -> None:
    """Raises if one of several viewers does not exist."""
    for index, seat in enumerate(seats):
        refuse_absent_seat(state, seat, f"/views/{index}")


def view_of_state(game: AnyGame, document: Any, seat: int | None) -> View:
    """A state as a seat (None: a spectator) may know it."""
    state = load_state(game, document)
    refuse_absent_seat(state, seat, "/seat")
    return View(state=game.view(state, seat))


def view_of_record(game: AnyGame, document: Any, seat: int | None, texts: bool = False) -> View:
    """A record as a seat (None: a spectator) could have written it; `texts` adds sentences that reveal no more."""
    start, moves = load_record(game, document, under_current_rules=False, at="/record")
    refuse_absent_seat(start, seat, "/seat")
    state = start
    seen = []
    for index, move in enumerate(moves):
        refusal = referee.refusal(game, state, move)
        if refusal is not None:
            raise illegal_in_record(game, refusal, index)
        seen.append(referee.viewed_move(game, state, move, seat))
        state, _ = referee.play(game, state, move)
    return View(
        record={**document, "moves": seen},
        course=course_with_texts(game, game.view(start, seat), seen) if texts else UNSET,
    )
