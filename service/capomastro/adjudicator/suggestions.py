"""Suggestions: the move that a player of the service makes for the seat that decides."""

from typing import Any

from msgspec import UNSET

from capomastro.adjudicator.loading import load_state
from capomastro.adjudicator.texts import texts_of_moves
from capomastro.adjudicator.views import require_seat
from capomastro.answers import Suggestion
from capomastro.documents.problems import Problem
from capomastro.documents.wordings import phrase
from capomastro.engine import players, referee
from capomastro.engine.game import AnyGame
from capomastro.engine.moves import Move
from capomastro.engine.referee import Asker

PLAYERS = tuple(players.PLAYERS)
DEFAULT_PLAYER = "planning"


def suggestion(
    game: AnyGame,
    document: Any,
    player: str = DEFAULT_PLAYER,
    seed: str = "",
    texts: bool = False,
    seat: Asker = UNSET,
) -> Suggestion:
    """The move that a player makes for the seat that decides, by what this seat may know; none once the game is over.

    `texts` adds the move as a sentence. With `seat`, it must be this seat that decides.
    """
    state = load_state(game, document)
    require_seat(state, seat, "/seat")
    require_decision_of(game, state, seat)
    decision = referee.decision(game, state)
    move = suggested_move(game, state, player, seed)
    if move is None:
        return Suggestion(decision)
    return Suggestion(decision, move, texts_of_moves(game, state, [move])[0] if texts else UNSET)


def require_decision_of(game: AnyGame, state: Any, seat: Asker) -> None:
    """Raises `no-suggestion` if it is for another seat to decide than for the one that asks."""
    to_decide = referee.decision(game, state).seat
    if seat is not UNSET and to_decide is not None and seat != to_decide:
        detail = phrase("no-suggestion-for-others", seat=seat, to_decide=to_decide)
        raise Problem("no-suggestion", detail, [{"pointer": "/seat", "message": detail}])


def suggested_move(game: AnyGame, state: Any, player: str, seed: str, at: str = "/state") -> Move | None:
    """The move that a player makes for the seat that decides; None once the game is over.

    Raises:
        Problem: `no-suggestion`, if chance decides, or if no legal move is known because the hand is not.
    """
    decision = referee.decision(game, state)
    if decision.actor == "none":
        return None
    if decision.seat is None:
        detail = phrase("no-suggestion-at-chance")
        raise Problem("no-suggestion", detail, [{"pointer": f"{at}/stage", "message": detail}])
    move = players.suggested(game, state, player, seed)
    if move is None:
        detail = phrase("no-suggestion-without-hand", seat=decision.seat)
        pointer = f"{at}/seats/{decision.seat}/hand"
        raise Problem("no-suggestion", detail, [{"pointer": pointer, "message": detail}])
    return move
