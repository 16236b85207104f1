"""Counts all cards of a document at once: whether the box has so many, and what is left for the piles.

The numbers left of every pile and of every card are in one integer, a byte each, so that counting is a sum. While it
is counted, every byte has 128 more: none borrows from the next, and its highest bit shows whether it is negative.
"""

from collections.abc import Sequence

from capomastro.games.fifth_avenue.components import CARDS, PILE_COUNT, PILES, pile_of
from capomastro.games.fifth_avenue.piles import shown_cards
from capomastro.games.fifth_avenue.state import State

PLACES = {name: place for place, name in enumerate((*PILES, *CARDS))}
"""The byte of each pile and of each card."""
UNIT = {name: 1 << 8 * place for name, place in PLACES.items()}
UNITS_OF_CARD = {card: UNIT[card] + UNIT[pile_of(card)] for card in CARDS}
"""For each card: one less in its own byte and in that of its pile."""
UNIT_OF_PILE = {card: UNIT[pile_of(card)] for card in CARDS}
"""For each card: one less in the byte of its pile only."""
BOX_OF_PILES = sum(number * UNIT[pile] for pile, number in PILE_COUNT.items())
BOX = sum(number * UNIT[name] for name, number in (PILE_COUNT | CARDS).items())
HIGHEST_BITS = sum(128 * unit for unit in UNIT.values())
ALL_CARDS = sum(CARDS.values())


def left_of_box(state: State) -> Sequence[int] | None:
    """The number of cards neither shown nor unknown in hands, by `PLACES`; None if there are too many of a card.

    For a pile this is its size; for a card it counts those that are face down or unknown.
    """
    cards = shown_cards(state)
    counted, number = sum(map(UNITS_OF_CARD.__getitem__, cards)), len(cards)
    for seat in state.seats:
        if seat.hand.unknown:
            for pile, unknown in seat.hand.unknown.items():
                counted += unknown * UNIT[pile]
                number += unknown
    left = BOX + HIGHEST_BITS - counted
    if number > ALL_CARDS or left & HIGHEST_BITS != HIGHEST_BITS:
        return None
    return (left - HIGHEST_BITS).to_bytes(len(PLACES), "little")


def sizes_of_piles(left: Sequence[int]) -> dict[str, int]:
    """The number of face-down cards in each pile, from the rest of the box."""
    return dict(zip(PILES, left, strict=False))


def face_down(state: State) -> dict[str, int]:
    """The same for a possible state, where single cards need not be counted: the sum fits into a machine word."""
    counted = sum(map(UNIT_OF_PILE.__getitem__, shown_cards(state)))
    for seat in state.seats:
        if seat.hand.unknown:
            counted += sum([number * UNIT[pile] for pile, number in seat.hand.unknown.items()])
    return sizes_of_piles((BOX_OF_PILES - counted).to_bytes(len(PILES), "little"))
