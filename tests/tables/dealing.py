"""The same table with other hands, which a player cannot distinguish from the real one."""

from collections import Counter
from random import Random
from typing import Any

from msgspec.structs import replace

from capomastro.engine.game import AnyGame
from capomastro.engine.hands import Hand


def has_hands(game: AnyGame) -> bool:
    """Whether a game has hands of cards."""
    state = game.start(2, game.options_type(), None)
    return any(isinstance(getattr(seat, "hand", None), Hand) for seat in state.seats)


def with_other_hands(game: AnyGame, state: Any, seat: int, random: Random) -> Any:
    """The state with the closed cards of all but one seat dealt anew among them, pile by pile."""
    hands = [one.hand for one in state.seats]
    by_pile: dict[str, list[str]] = {}
    for other, hand in enumerate(hands):
        if other != seat:
            for card in hand.closed:
                by_pile.setdefault(game.pile_of(card), []).append(card)
    for cards in by_pile.values():
        random.shuffle(cards)
    seats = []
    for other, one in enumerate(state.seats):
        if other == seat:
            seats.append(one)
            continue
        counts = Counter(game.pile_of(card) for card in one.hand.closed)
        closed = [by_pile[pile].pop() for pile, count in counts.items() for _ in range(count)]
        seats.append(replace(one, hand=Hand(one.hand.open, tuple(sorted(closed)))))
    return replace(state, seats=tuple(seats))


TRIES = 30


def with_another_hand(game: AnyGame, state: Any, seat: int, random: Random) -> Any:
    """The state with as many other closed cards of the same piles in one hand; None if none were found."""
    hand = getattr(state.seats[seat], "hand", None)
    if not hand or not hand.closed:
        return None
    (kinds,) = (group for group in game.components().values() if hand.closed[0] in group)
    alike = [[other for other in kinds if game.pile_of(other) == game.pile_of(card)] for card in hand.closed]
    for _ in range(TRIES):
        closed = tuple(sorted(map(random.choice, alike)))
        seats = list(state.seats)
        seats[seat] = replace(seats[seat], hand=Hand(hand.open, closed))
        other = replace(state, seats=tuple(seats))
        if closed != hand.closed and not list(game.audit(other)):
            return other
    return None
