"""Players of Palazzo with a goal, and chance that is steered, for records and golden playthroughs."""

from typing import Any

from capomastro.engine.decisions import Move
from capomastro.engine.game import AnyGame
from capomastro.games.palazzo import moves
from capomastro.games.palazzo.auction import total_bid
from capomastro.games.palazzo.components import QUARRIES, RIDER, RIDERS, floor_of, material_of, windows_of
from capomastro.games.palazzo.money import most_playable
from capomastro.games.palazzo.scoring import lines_of
from capomastro.games.palazzo.state import DrawFirstTile, DrawSecondTile, Palace, RaiseOrPass, State
from tests.support.playouts import Player, mixed, preferring, wishing


def promise(palaces: tuple[Palace, ...]) -> float:
    """What palaces are worth, and what they may still become: tall ones of one material are half of their future."""
    points: int = sum(line.points for line in lines_of(palaces))
    future = 0.0
    for palace in palaces:
        room = 5 - floor_of(palace[-1])
        pure = len({material_of(tile) for tile in palace}) == 1
        future += room * (1.0 + 0.5 * pure) + 1.5 * len(palace)
    return points + future


def after_placing(state: State, move: Move) -> float:
    palaces = list(state.seats[move.seat].palaces)  # type: ignore[attr-defined]
    if isinstance(move, moves.PlaceOnTop):
        palaces[move.palace] += (move.tile,)
    elif isinstance(move, moves.BeginPalace):
        palaces.append((move.tile,))
    return promise(tuple(palaces))


def wants(game: AnyGame, state: State, move: Move) -> float:
    """How much a player who plans wants a move."""
    hand = state.seats[move.seat].hand if hasattr(move, "seat") else None
    riches = most_playable(hand.known) if hand else 0
    match move:
        case moves.TakeMoney():
            return 30 - riches
        case moves.Build():
            return riches - 14
        case moves.RebuildInsert():
            palaces = list(state.seats[move.seat].palaces)
            floors = len(palaces[move.into])
            return 25 + 3 * floors - most_playable((move.card,))
        case moves.RebuildTakeOut() | moves.RebuildRemove():
            return -20
        case moves.TakeTwoCards():
            return most_playable(tuple(sorted((*hand.known, *move.cards)))) if hand else 0
        case moves.TakeCard():
            return most_playable(tuple(sorted((*hand.known, move.card)))) if hand else 0
        case moves.Buy():
            return 6 * len(move.tiles) - len(move.payment) - sum(int(card[-1]) for card in move.payment) / 10
        case moves.CallAuction():
            return 4
        case moves.Raise():
            assert isinstance(state.stage, RaiseOrPass)
            lot = 6 * len(state.quarries[state.builder])
            raised = total_bid(state, state.stage, move.seat) + most_playable(move.cards)
            return lot - raised
        case moves.PlaceOnTop() | moves.BeginPalace() | moves.ThrowAway():
            return after_placing(state, move)
        case _:
            return 0


planning: Player = preferring(wants)
"""Takes money while poor, buys and bids within reason, builds tall palaces of one material."""

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
"""Gets rid of the money."""

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
"""Buys rather than call an auction, so the quarries fill."""


def rider_soon(game: AnyGame, state: State, move: Move) -> float:
    """Riders as soon as they can come."""
    return isinstance(move, moves.DrawTile) and move.tile == RIDER


def riders_as_second(game: AnyGame, state: Any, move: Move) -> float:
    """Three riders drawn second, then the fourth and the fifth in one draw."""
    if not isinstance(move, moves.DrawTile):
        return 0
    wanted = isinstance(state.stage, DrawFirstTile) if state.riders == 3 else isinstance(state.stage, DrawSecondTile)
    return wanted == (move.tile == RIDER)


def destination(state: State, tile: str) -> int:
    return (state.builder + windows_of(tile)) % QUARRIES


def empties_quarries(game: AnyGame, state: Any, move: Move) -> float:
    """Second tiles join others, and when no quarry has any, a rider comes second."""
    if not isinstance(move, moves.DrawTile):
        return 0
    if isinstance(state.stage, DrawFirstTile):
        return move.tile != RIDER or state.riders == RIDERS - 1
    if isinstance(state.stage, DrawSecondTile):
        if move.tile == RIDER:
            return 1 if any(state.quarries) else 2
        return 1.5 if state.quarries[destination(state, move.tile)] else 0
    return 0


def fills_one_quarry(game: AnyGame, state: Any, move: Move) -> float:
    """Second tiles go where most lie."""
    if not isinstance(move, moves.DrawTile) or not isinstance(state.stage, DrawSecondTile) or move.tile == RIDER:
        return 0
    return len(state.quarries[destination(state, move.tile)])


riders_soon = wishing(rider_soon)
fourth_and_fifth_together = wishing(riders_as_second)
emptying_quarries = wishing(empties_quarries)
filling_one_quarry = wishing(fills_one_quarry)
