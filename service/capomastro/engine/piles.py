"""Face-down piles, which no document lists: what they can hold follows from what the document shows.

Cards are drawn from a pile and discarded; some piles are made anew of their discards. Before the first shuffle a pile
can hold whatever is unseen, after it only what was shuffled in.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeVar

from msgspec.structs import replace

from capomastro.engine.chance import Outcomes
from capomastro.engine.events import Event
from capomastro.engine.hands import Hand, PileOf, can_be_unknown, unseen_part
from capomastro.engine.multisets import Multiset, minus

S = TypeVar("S", bound=Any)


class FaceDownPile(NamedTuple):
    """A face-down pile, as far as a document tells.

    `unseen` counts those of its cards that the document does not show: they lie in the pile, or unknown in hands.
    `size`: how many lie in the pile. `shuffled_in`: what the last shuffle put in, less what was revealed since; None
    before the first shuffle.
    """

    unseen: Mapping[str, int]
    size: int
    shuffled_in: Multiset | None = None

    def contents(self) -> dict[str, int]:
        """Which cards it can hold, by kind, in the order of `unseen`."""
        if self.shuffled_in is None:
            return {card: count for card, count in self.unseen.items() if count > 0}
        shuffled = Counter(self.shuffled_in)
        return {card: min(shuffled[card], count) for card, count in self.unseen.items() if count > 0 and shuffled[card]}

    def next_cards(self) -> Outcomes:
        """Its next card, uniform over what it can hold."""
        return Outcomes(self.contents())

    def can_leave_hidden(self, cards: Multiset) -> bool:
        """Whether `cards` of it can lie hidden in hands: the pile can be made up without them."""
        return can_be_unknown(self.unseen, cards, self.size, self.contents())


def without_revealed(shuffled_in: Multiset | None, card: str) -> Multiset | None:
    """What the last shuffle put in, after `card` of the pile was revealed."""
    return minus(shuffled_in, (card,)) if shuffled_in and card in shuffled_in else shuffled_in


def lacking(hand: Hand, cards: Multiset, pile_of: PileOf, pile: Callable[[str], FaceDownPile]) -> Multiset:
    """Those of `cards` that are not known to be in the hand; () if they may be among its unknown ones.

    `pile` gives the pile of a name; the owner of a hand knows what is in it, whoever else judges allows what can be.
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


def shuffled_if_due(
    state: S, discards: str, left: Callable[[S], int], shuffled: Callable[[Multiset], Event]
) -> tuple[S, list[Event]]:
    """As soon as a pile is empty its discards, if there are any, become the new pile.

    `discards` is the member of the state that holds them, `left` counts the cards of the pile, and `shuffled` is the
    event of what was shuffled in.
    """
    cards: Multiset = getattr(state, discards)
    if not cards or left(state):
        return state, []
    after: S = replace(state, **{discards: (), "shuffled_in": cards})
    return after, [shuffled(cards)]
