"""Players of Campanile with a goal, and rigged draws, for records and golden playthroughs."""

from capomastro.engine.game import AnyGame
from capomastro.engine.moves import Move
from capomastro.engine.players import Player, planning, preferring
from capomastro.games.campanile import moves
from capomastro.games.campanile.components import FINITO, INTERMEZZO, LAST_CARDS
from capomastro.games.campanile.deck import deck
from capomastro.games.campanile.state import State
from tests.support.playouts import Chance, mixed, wishing

abstaining: Player = preferring(lambda game, state, move: isinstance(move, moves.NoMarker))
"""Never places a marker."""


moving: Player = preferring(
    lambda game, state, move: (
        2 * isinstance(move, moves.MoveMarker)
        + isinstance(move, moves.PlaceMarker)
        + 2 * (isinstance(move, moves.PlayCard) and move.floors == 2)
    )
)
"""Raises by two floors and moves medium markers around."""

seldom: Player = mixed(0.85, abstaining, planning)
"""Few markers, so that ties are likely."""


def last_of_all(game: AnyGame, state: State, move: Move) -> float:
    """The Finito as late as possible."""
    return isinstance(move, moves.RevealCard) and move.card != FINITO


def as_soon_as_can_be(game: AnyGame, state: State, move: Move) -> float:
    """The Finito as the first of the last eleven cards."""
    return isinstance(move, moves.RevealCard) and move.card == FINITO


def intermezzo_late(game: AnyGame, state: State, move: Move) -> float:
    """An Intermezzo at an unknown place shows when it must, and the Finito directly behind it."""
    if not isinstance(move, moves.RevealCard):
        return 0
    if move.card == INTERMEZZO:
        return -1
    return 2 * (move.card == FINITO and deck(state).size == LAST_CARDS)


finito_last: Chance = wishing(last_of_all)
finito_first: Chance = wishing(as_soon_as_can_be)
both_together: Chance = wishing(intermezzo_late)
