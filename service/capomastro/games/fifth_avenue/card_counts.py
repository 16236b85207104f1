"""All cards of a document counted at once: whether the box holds so many, and what is left of it for the piles.

The numbers left of every pile and of every card stand in one integer, a byte each, so that counting is a sum. While it
is counted every byte has 128 more: so none borrows from the next, and its highest bit tells whether it became negative.
"""

from collections.abc import Sequence

from capomastro.games.fifth_avenue.components import CARDS, PILE_COUNT, PILES, pile_of
from capomastro.games.fifth_avenue.piles import shown_cards
from capomastro.games.fifth_avenue.state import State

PLACES = {name: place for place, name in enumerate((*PILES, *CARDS))}
"""The byte of each pile and of each card."""
UNIT = {name: 1 << 8 * place for name, place in PLACES.items()}
UNITS_OF_CARD = {card: UNIT[card] + UNIT[pile_of(card)] for card in CARDS}
"""One card less in its own byte and in that of its pile."""
UNIT_OF_PILE = {card: UNIT[pile_of(card)] for card in CARDS}
"""The same only in that of its pile."""
BOX_OF_PILES = sum(number * UNIT[pile] for pile, number in PILE_COUNT.items())
BOX = sum(number * UNIT[name] for name, number in (PILE_COUNT | CARDS).items())
HIGHEST_BITS = sum(128 * unit for unit in UNIT.values())
ALL_CARDS = sum(CARDS.values())


def left_of_box(state: State) -> Sequence[int] | None:
    """How many cards are neither shown nor unknown ones of hands, by `PLACES`; None if of some there are too many.

    For a pile this is its size; for a card it counts those that lie face down or are unknown.
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
    """How many cards lie face down in each pile, by what is left of the box."""
    return dict(zip(PILES, left, strict=False))


def face_down(state: State) -> dict[str, int]:
    """The same of a state that can be, of which no single cards need be counted: what is summed is a machine word."""
    counted = sum(map(UNIT_OF_PILE.__getitem__, shown_cards(state)))
    for seat in state.seats:
        if seat.hand.unknown:
            counted += sum([number * UNIT[pile] for pile, number in seat.hand.unknown.items()])
    return sizes_of_piles((BOX_OF_PILES - counted).to_bytes(len(PILES), "little"))
