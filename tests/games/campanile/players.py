"""Players of Campanile with a goal, and chance that is steered, for records and golden playthroughs."""

from capomastro.engine.decisions import Move
from capomastro.engine.game import AnyGame
from capomastro.games.campanile import moves
from capomastro.games.campanile.components import FINITO, INTERMEZZO, LAST_CARDS, SIZES
from capomastro.games.campanile.deck import deck_size
from capomastro.games.campanile.rows import influence, left_of
from capomastro.games.campanile.scoring import final_scoring, ranking
from capomastro.games.campanile.state import PlaceMarker, State
from tests.support.playouts import Chance, Player, mixed, preferring, wishing


def standing(state: State, seat: int) -> int:
    """The points of `seat` less those of the best other, if the Finito came now."""
    points = [0] * len(state.seats)
    for tower in final_scoring(state).towers:
        for contender in tower.contenders:
            points[contender.seat] += contender.token or 0
    return points[seat] - max(points[:seat] + points[seat + 1 :])


def wants(game: AnyGame, state: State, move: Move) -> float:
    """How much a player who plans wants a move: to be ahead as the towers stand, with markers left for later."""
    match move:
        case moves.PlayCard():
            mine = sum(influence(row) for row in state.towers[move.card].rows if row.seat == move.seat)
            others = sum(influence(row) for row in state.towers[move.card].rows if row.seat != move.seat)
            can_place = left_of(state, move.seat, SIZES[move.floors]) > 0
            return (2 * mine - others) * move.floors + move.floors * can_place
        case moves.PlaceMarker() | moves.MoveMarker() | moves.NoMarker():
            placing = next(rule for kind, rule in game.decision_at[PlaceMarker].rules.items() if kind is type(move))
            after, _ = placing.play(state, move)
            return standing(after, move.seat) + 0.5 * isinstance(move, moves.MoveMarker)
        case moves.TakeCard():
            ranks = ranking(state.options.tower_order, state.towers)
            return any(row.seat == move.seat for row in state.towers[move.card].rows) * (5 - ranks.index(move.card))
        case _:
            return 0


planning: Player = preferring(wants)
"""Raises where they have influence, places a marker where it puts them ahead, takes cards of their own towers."""

abstaining: Player = preferring(lambda game, state, move: isinstance(move, moves.NoMarker))
"""Never places a marker."""


moving: Player = preferring(
    lambda game, state, move: (
        2 * isinstance(move, moves.MoveMarker)
        + isinstance(move, moves.PlaceMarker)
        + 2 * (isinstance(move, moves.PlayCard) and move.floors == 2)
    )
)
"""Raises by two floors and moves medium markers about."""

seldom: Player = mixed(0.85, abstaining, planning)
"""Few markers, so that ties are likely."""


def last_of_all(game: AnyGame, state: State, move: Move) -> float:
    """The Finito as late as can be."""
    return isinstance(move, moves.RevealCard) and move.card != FINITO


def as_soon_as_can_be(game: AnyGame, state: State, move: Move) -> float:
    """The Finito as the first of the last eleven cards."""
    return isinstance(move, moves.RevealCard) and move.card == FINITO


def intermezzo_late(game: AnyGame, state: State, move: Move) -> float:
    """An Intermezzo that lies anywhere shows when it must, and the Finito directly behind it."""
    if not isinstance(move, moves.RevealCard):
        return 0
    if move.card == INTERMEZZO:
        return -1
    return 2 * (move.card == FINITO and deck_size(state) == LAST_CARDS)


finito_last: Chance = wishing(last_of_all)
finito_first: Chance = wishing(as_soon_as_can_be)
both_together: Chance = wishing(intermezzo_late)
