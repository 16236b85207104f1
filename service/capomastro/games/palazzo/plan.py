"""A player of Palazzo who plans: takes money while poor, buys and bids within reason, builds tall, pure palaces."""

from collections.abc import Iterable

from capomastro.engine.moves import Move
from capomastro.engine.multisets import Multiset, plus
from capomastro.engine.seats import replaced
from capomastro.engine.stages import deciding_seat
from capomastro.games.palazzo import components as box
from capomastro.games.palazzo import moves, tokens
from capomastro.games.palazzo.auction import total_bid
from capomastro.games.palazzo.money import most_playable, play_of
from capomastro.games.palazzo.scoring import palace_points
from capomastro.games.palazzo.state import State

COINS = 4
"""Coins that a point is worth."""


def spent(cards: Multiset) -> float:
    """The worth of cards in coins, and one more for each: many small ones are as good as one large one."""
    return play_of(cards).worth + len(cards)


def potential(palaces: tuple[tokens.Palace, ...]) -> float:
    """What palaces are worth now, and a guess at what they may gain: more if tall, of one material, with room above."""
    points = sum(map(palace_points, palaces))
    future = 0.0
    for palace in palaces:
        room = 5 - box.floor_of(palace[-1])
        pure = len({box.material_of(tile) for tile in palace}) == 1
        future += room * (1.0 + 0.5 * pure) + 1.5 * len(palace)
    return points + future


def gain(palaces: tuple[tokens.Palace, ...], tiles: Iterable[str]) -> float:
    """What tiles add to that, each placed where it promises most, from the lowest floor up; or thrown away."""
    best = palaces
    for tile in sorted(tiles, key=box.floor_of):
        on_top = (
            replaced(best, index, (*palace, tile))
            for index, palace in enumerate(best)
            if box.floor_of(palace[-1]) < box.floor_of(tile)
        )
        best = max(best, (*best, (tile,)), *on_top, key=potential)
    return potential(best) - potential(palaces)


def after_placing(
    palaces: tuple[tokens.Palace, ...], move: moves.PlaceOnTop | moves.BeginPalace | moves.ThrowAway
) -> float:
    if isinstance(move, moves.PlaceOnTop):
        palaces = replaced(palaces, move.palace, (*palaces[move.palace], move.tile))
    elif isinstance(move, moves.BeginPalace):
        palaces = (*palaces, (move.tile,))
    return potential(palaces)


def wants(state: State, move: Move) -> float:
    """How much the player wants a move."""
    seat = state.seats[deciding_seat(state)]
    hand, palaces, riches = seat.hand.known, seat.palaces, most_playable(seat.hand.known)
    match move:
        case moves.TakeMoney():
            return 30 - riches
        case moves.Build():
            return riches - 14
        case moves.RebuildInsert():
            return 25 + 3 * len(palaces[move.into]) - most_playable((move.card,))
        case moves.RebuildTakeOut() | moves.RebuildRemove():
            return -20
        case moves.TakeTwoCards():
            return most_playable(plus(hand, move.cards))
        case moves.TakeCard():
            return most_playable(plus(hand, (move.card,)))
        case moves.Buy():
            return COINS * gain(palaces, move.tiles) - spent(move.payment)
        case moves.Raise():
            lot = gain(palaces, state.quarries[state.builder])
            return COINS * lot - total_bid(state, move.seat) - spent(move.cards)
        case moves.PlaceOnTop() | moves.BeginPalace() | moves.ThrowAway():
            return after_placing(palaces, move)
        case _:
            return 0
