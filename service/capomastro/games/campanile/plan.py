"""A player of Campanile who plans: raises where they have influence, and places a marker where it puts them ahead."""

from typing import Any

from capomastro.engine.moves import Move
from capomastro.engine.rules import MoveRule
from capomastro.games.campanile import components as box
from capomastro.games.campanile import moves
from capomastro.games.campanile.decisions import MoveMarkerRule, NoMarkerRule, PlaceMarkerRule
from capomastro.games.campanile.rows import influence, markers_left
from capomastro.games.campanile.scoring import final_scoring, ranking
from capomastro.games.campanile.state import State

WITH_MARKERS: tuple[MoveRule[State, Any], ...] = (PlaceMarkerRule(), MoveMarkerRule(), NoMarkerRule())
PLAYING = {rule.move: rule.play for rule in WITH_MARKERS}
"""What a move with a marker does."""


def lead(state: State, seat: int) -> int:
    """The points of `seat` less those of the best other player, if the Finito came now."""
    points = [0] * len(state.seats)
    for tower in final_scoring(state).towers:
        for contender in tower.contenders:
            points[contender.seat] += contender.token or 0
    return points[seat] - max(points[:seat] + points[seat + 1 :])


def wants(state: State, move: Move) -> float:
    """How much the player wants a move: to be ahead as the towers stand, with markers left for later."""
    match move:
        case moves.PlayCard():
            rows = state.towers[move.card].rows
            own = sum(influence(row) for row in rows if row.seat == move.seat)
            of_rivals = sum(influence(row) for row in rows if row.seat != move.seat)
            can_place = markers_left(state, move.seat, box.SIZES[move.floors]) > 0
            return (2 * own - of_rivals) * move.floors + move.floors * can_place
        case moves.PlaceMarker() | moves.MoveMarker() | moves.NoMarker():
            after, _ = PLAYING[type(move)](state, move)
            return lead(after, move.seat) + 0.5 * isinstance(move, moves.MoveMarker)
        case moves.TakeCard():
            ranks = ranking(state.options.tower_order, state.towers)
            return any(row.seat == move.seat for row in state.towers[move.card].rows) * (5 - ranks.index(move.card))
        case _:
            return 0
