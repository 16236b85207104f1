"""Hands of cards, which a document may show only in part."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from capomastro.engine.members import LONGEST_NAME
from capomastro.engine.multisets import IN_ANY_ORDER, Multiset, multiset, plus

PileOf = Callable[[str], str]
"""Returns the pile that a card comes from, which its back shows."""

DECK = "deck"


def from_the_deck(card: str) -> str:
    """The pile of every card in a game with a single one."""
    return DECK


MOST_CARDS, MOST_PILES = 200, 20
"""More than any game has: games narrow the kinds of cards, and their audits check the number of each."""

AnyCards = Annotated[
    tuple[Annotated[str, Meta(max_length=LONGEST_NAME)], ...], IN_ANY_ORDER, Meta(max_length=MOST_CARDS)
]


@dataclass(frozen=True)
class HandOf:
    """Notes the cards that a hand can have, and the piles they come from."""

    card: Any
    piles: tuple[str, ...]


class Hand(msgspec.Struct, frozen=True, gc=False):
    """A player's cards, by who knows them. An omitted member is empty. Each game defines its cards and piles."""

    open: AnyCards = ()
    """Cards known to everybody: taken from the table, or shown before. In any order; sorted in answers."""
    closed: AnyCards = ()
    """Cards known to their owner. In any order; sorted in answers."""
    unknown: Annotated[
        dict[
            str,
            Annotated[int, Meta(ge=1, le=MOST_CARDS, description="The number of cards from this pile.")],
        ],
        Meta(max_length=MOST_PILES),
    ] = {}
    """Cards not known to the holder of this document: their number, by the pile they come from."""

    @property
    def known(self) -> Multiset:
        """The cards that this document shows."""
        return multiset(self.open + self.closed) if self.open and self.closed else self.open or self.closed

    @property
    def unknown_size(self) -> int:
        return sum(self.unknown.values()) if self.unknown else 0

    @property
    def size(self) -> int:
        return len(self.open) + len(self.closed) + (self.unknown_size if self.unknown else 0)


def gain_open(hand: Hand, cards: Iterable[str]) -> Hand:
    """The hand with more cards that everybody has seen."""
    return Hand(plus(hand.open, cards), hand.closed, hand.unknown)


def gain_closed(hand: Hand, card: str | None, pile: str) -> Hand:
    """The hand with one more secret card from `pile`; `None` if the holder of the document does not know it."""
    if card is None:
        return Hand(hand.open, hand.closed, unknown_after(hand.unknown, pile, 1))
    return Hand(hand.open, plus(hand.closed, (card,)), hand.unknown)


def lose(hand: Hand, cards: Iterable[str], pile_of: PileOf = from_the_deck) -> Hand:
    """The hand without `cards`: each is taken from the open ones, else from the closed, else from the unknown.

    Raises:
        ValueError: if a card can be in none of them; check `unseen_part` and the pile first.
    """
    opened, closed, unknown = list(hand.open), list(hand.closed), hand.unknown
    for card in cards:
        if card in opened:
            opened.remove(card)
        elif card in closed:
            closed.remove(card)
        else:
            unknown = unknown_after(unknown, pile_of(card), -1)
    return Hand(tuple(opened), tuple(closed), unknown)


def unknown_after(unknown: Mapping[str, int], pile: str, change: int) -> dict[str, int]:
    """The number of unknown cards by pile, after `change` more from `pile`."""
    count = unknown.get(pile, 0) + change
    if count < 0:
        raise ValueError(f"no unknown card of {pile} left")
    after = {name: number for name, number in unknown.items() if name != pile}
    if count:
        after[pile] = count
    return dict(sorted(after.items()))


def shown_in_hands(seats: Iterable[Any]) -> list[str]:
    """The cards in the hands of all seats that the document shows."""
    cards: list[str] = []
    for seat in seats:
        cards += seat.hand.open
        cards += seat.hand.closed
    return cards


def last_dealt(state: Any) -> int:
    """The seat that got the last card, in a deal that goes seat by seat."""
    return max(index for index, seat in enumerate(state.seats) if seat.hand.size or not index)


def unseen_part(hand: Hand, cards: Multiset) -> Multiset:
    """Those of `cards` that are not known to be in the hand."""
    rest = list(hand.open + hand.closed)
    unseen = []
    for card in cards:
        if card in rest:
            rest.remove(card)
        else:
            unseen.append(card)
    return tuple(unseen)


def concealed(hand: Hand, pile_of: PileOf) -> Hand:
    """The hand as others see it: closed cards become unknown ones."""
    if not hand.closed:
        return hand
    unknown = dict(hand.unknown)
    for pile in map(pile_of, hand.closed):
        unknown[pile] = unknown.get(pile, 0) + 1
    return Hand(hand.open, (), dict(sorted(unknown.items())))


def can_be_unknown(unseen: Mapping[str, int], cards: Multiset, pile_size: int, pile: Mapping[str, int]) -> bool:
    """Whether `cards` can be among the unknown cards of hands.

    `unseen` counts the cards that the document does not show: the pile and the unknown cards of all hands. `pile_size`
    of them are in the pile, which can hold those in `pile` (what the last shuffle put in; before it, `unseen` itself).
    The cards can be in hands if the rest suffices for the pile.
    """
    rest = dict(unseen)
    for card in cards:
        left = rest.get(card, 0) - 1
        if left < 0:
            return False
        rest[card] = left
    return sum(min(number, rest.get(card, 0)) for card, number in pile.items()) >= pile_size
