"""Players of Palazzo with a goal, and rigged draws, for records and golden playthroughs."""

from typing import Any

from capomastro.engine.game import AnyGame
from capomastro.engine.moves import Move
from capomastro.engine.players import Player, planning, preferring
from capomastro.games.palazzo import moves, stages
from capomastro.games.palazzo.components import QUARRIES, RIDER, RIDERS, windows_of
from capomastro.games.palazzo.state import State
from tests.support.playouts import mixed, wishing

hasty: Player = preferring(lambda game, state, move: isinstance(move, moves.Build | moves.RebuildInsert))
"""Builds every turn, so the riders come soon."""


def squanders(game: AnyGame, state: State, move: Move) -> float:
    match move:
        case moves.Buy():
            return 10 + len(move.payment)
        case moves.Raise():
            return 10 + len(move.cards)
        case moves.RebuildRemove() | moves.RebuildInsert() | moves.RebuildTakeOut():
            return 20
        case moves.TakeMoney():
            return -10
        case moves.ThrowAway():
            return 1
        case _:
            return 0


squandering: Player = preferring(squanders, look_at=200)
"""Spends its money."""

hoarding: Player = preferring(
    lambda game, state, move: 2 * isinstance(move, moves.TakeMoney) + isinstance(move, moves.Pass | moves.CallAuction)
)
"""Takes money as long as there is some, and never bids."""

rich_and_lazy: Player = mixed(0.8, hoarding, planning)

calling: Player = preferring(
    lambda game, state, move: isinstance(move, moves.Build) + 2 * isinstance(move, moves.CallAuction | moves.Pass)
)
"""Builds, calls an auction whenever possible, and passes."""

buying: Player = preferring(lambda game, state, move: isinstance(move, moves.Buy | moves.Build))
"""Buys instead of calling auctions, so the quarries fill up."""


def rider_soon(game: AnyGame, state: State, move: Move) -> float:
    """Riders as soon as possible."""
    return isinstance(move, moves.DrawTile) and move.tile == RIDER


def riders_as_second(game: AnyGame, state: Any, move: Move) -> float:
    """Three riders drawn second, then the fourth and the fifth in one draw."""
    if not isinstance(move, moves.DrawTile):
        return 0
    wanted = (
        isinstance(state.stage, stages.DrawFirstTile)
        if state.riders == 3
        else isinstance(state.stage, stages.DrawSecondTile)
    )
    return wanted == (move.tile == RIDER)


def destination(state: State, tile: str) -> int:
    return (state.builder + windows_of(tile)) % QUARRIES


def empties_quarries(game: AnyGame, state: Any, move: Move) -> float:
    """The second tile goes to a quarry with tiles; when no quarry has any, a rider is drawn second."""
    if not isinstance(move, moves.DrawTile):
        return 0
    if isinstance(state.stage, stages.DrawFirstTile):
        return move.tile != RIDER or state.riders == RIDERS - 1
    if isinstance(state.stage, stages.DrawSecondTile):
        if move.tile == RIDER:
            return 1 if any(state.quarries) else 2
        return 1.5 if state.quarries[destination(state, move.tile)] else 0
    return 0


def fills_one_quarry(game: AnyGame, state: Any, move: Move) -> float:
    """The second tile goes to the fullest quarry."""
    if not isinstance(move, moves.DrawTile) or not isinstance(state.stage, stages.DrawSecondTile) or move.tile == RIDER:
        return 0
    return len(state.quarries[destination(state, move.tile)])


riders_soon = wishing(rider_soon)
fourth_and_fifth_together = wishing(riders_as_second)
emptying_quarries = wishing(empties_quarries)
filling_one_quarry = wishing(fills_one_quarry)
