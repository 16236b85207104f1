"""Views: a state or a record as a seat or a spectator may know it."""

from collections.abc import Iterable
from typing import Any

from msgspec import UNSET

from capomastro.adjudicator.loading import illegal_in_record, load_record, load_state
from capomastro.adjudicator.texts import course_with_texts
from capomastro.answers import View
from capomastro.documents.problems import Problem
from capomastro.documents.wordings import phrase
from capomastro.engine.game import AnyGame
from capomastro.engine.referee import Asker
from capomastro.engine.steps import Refused, play_steps


def require_seat(state: Any, seat: Asker, at: str) -> None:
    """Raises `no-such-seat` if there is no such seat; None and UNSET stand for nobody and pass."""
    if seat is None or seat is UNSET:
        return
    is_number = type(seat) is int  # True and 1.0 are none
    if not is_number or seat not in range(len(state.seats)):
        detail = phrase("no-such-seat", seat=seat if is_number else repr(seat), last=len(state.seats) - 1)
        raise Problem("no-such-seat", detail, [{"pointer": at, "message": detail}])


def require_viewers(state: Any, seats: Iterable[int | None]) -> None:
    """Raises if one of several viewers does not exist."""
    for index, seat in enumerate(seats):
        require_seat(state, seat, f"/views/{index}")


def state_for(game: AnyGame, state: Any, seat: Asker) -> Any:
    """What `seat` may know of a state; all of it, if nobody in particular asks."""
    return state if seat is UNSET else game.view(state, seat)


def view_of_state(game: AnyGame, document: Any, seat: int | None) -> View:
    """A state as a seat (None: a spectator) may know it."""
    state = load_state(game, document)
    require_seat(state, seat, "/seat")
    return View(state=game.view(state, seat))


def view_of_record(game: AnyGame, document: Any, seat: int | None, texts: bool = False) -> View:
    """A record as a seat (None: a spectator) could have written it; `texts` adds sentences that reveal no more."""
    start, moves = load_record(game, document, under_current_rules=False, at="/record")
    require_seat(start, seat, "/seat")
    try:
        seen = [step.move_seen_by(seat) for step in play_steps(game, start, moves)]
    except Refused as refused:
        raise illegal_in_record(game, refused) from None
    return View(
        record={**document, "moves": seen},
        course=course_with_texts(game, play_steps(game, game.view(start, seat), seen)) if texts else UNSET,
    )
