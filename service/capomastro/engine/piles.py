"""What is left of the box face down, which documents do not list: it follows from what the document shows.

A game says where its components lie; here they are counted. A pile can be of cards or tiles, or a bag. Cards are drawn
and discarded; some piles are reshuffled from their discards. Before the first shuffle a pile can hold
any unseen card, afterwards only those shuffled in.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from capomastro.engine.chance import Outcomes
from capomastro.engine.events import Event
from capomastro.engine.hands import Hand, PileOf, can_be_unknown, from_the_deck, shown_in_hands, unseen_part
from capomastro.engine.members import RuleId
from capomastro.engine.multisets import Multiset, left_of, minus

S = TypeVar("S", bound=Any)


class Shuffled(Event, frozen=True):
    """Discards were shuffled into a new pile."""

    rule: RuleId
    """The rule that caused it."""
    cards: Multiset
    """The cards shuffled."""


class FaceDownPile(msgspec.Struct, frozen=True, gc=False):
    """A face-down pile, as far as a document shows it.

    `unseen` counts its cards that the document does not show: in the pile, or unknown in hands. `size`: the number of
    cards in the pile. `shuffled_in`: the cards of the last shuffle without those revealed since; None before the first
    shuffle.
    """

    unseen: Mapping[str, int]
    size: int
    shuffled_in: Multiset | None = None

    def contents(self) -> dict[str, int]:
        """The number of cards of each kind it can hold, in the order of `unseen`."""
        if self.shuffled_in is None:
            return {card: count for card, count in self.unseen.items() if count > 0}
        shuffled = Counter(self.shuffled_in)
        return {card: min(shuffled[card], count) for card, count in self.unseen.items() if count > 0 and shuffled[card]}

    def next_cards(self) -> Outcomes:
        """The next one drawn, uniform over its possible contents."""
        return Outcomes(self.contents())

    def can_leave_hidden(self, cards: Multiset) -> bool:
        """Whether `cards` of the pile can be among the unknown cards of hands."""
        return can_be_unknown(self.unseen, cards, self.size, self.contents())


def face_down(
    box: Mapping[str, int], shown: Iterable[str], seats: Sequence[Any] = (), shuffled_in: Multiset | None = None
) -> FaceDownPile:
    """What is left of the `box` by what lies open elsewhere, and in the hands of `seats` if these hold such cards."""
    unseen = left_of(box, [*shown, *shown_in_hands(seats)])
    hidden = sum([seat.hand.unknown_size for seat in seats if seat.hand.unknown])
    return FaceDownPile(unseen, sum(unseen.values()) - hidden, shuffled_in)


def without_revealed(shuffled_in: Multiset | None, card: str) -> Multiset | None:
    """The cards of the last shuffle, after `card` was revealed."""
    return minus(shuffled_in, (card,)) if shuffled_in and card in shuffled_in else shuffled_in


def missing_cards(
    hand: Hand, cards: Multiset, pile: Callable[[str], FaceDownPile], pile_of: PileOf = from_the_deck
) -> Multiset:
    """Those of `cards` that are not known to be in the hand; () if they may be among its unknown cards.

    `pile` returns the pile with a name. So a complete hand is judged strictly, an unknown one by what is possible.
    """
    unseen = unseen_part(hand, cards)
    if not unseen:
        return ()
    by_pile: dict[str, list[str]] = {}
    for card in unseen:
        by_pile.setdefault(pile_of(card), []).append(card)
    hidden = all(
        len(own) <= hand.unknown.get(name, 0) and pile(name).can_leave_hidden(tuple(own))
        for name, own in by_pile.items()
    )
    return () if hidden else unseen


def reshuffled_if_empty(
    state: S, discards: str, left: Callable[[S], int], shuffled: Callable[[Multiset], Shuffled]
) -> tuple[S, list[Event]]:
    """Shuffles the discards, if there are any, into a new pile as soon as the pile is empty.

    `discards` is the member of the state that holds them, `left` counts the cards in the pile, and `shuffled` makes the
    event for the cards shuffled in.
    """
    cards: Multiset = getattr(state, discards)
    if not cards or left(state):
        return state, []
    after: S = replace(state, **{discards: (), "shuffled_in": cards})
    return after, [shuffled(cards)]
