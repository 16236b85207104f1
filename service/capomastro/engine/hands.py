"""Hands of cards, of which not everything need be known to whoever holds the document."""

from collections.abc import Callable, Iterable, Mapping

import msgspec

from capomastro.engine.multisets import Multiset, multiset, plus

PileOf = Callable[[str], str]
"""Names the pile a card comes from: all that is seen of an unknown card, like its back."""


class Hand(msgspec.Struct, frozen=True, gc=False):
    """A player's cards.

    `open`: everybody knows them. `closed`: their owner knows them. `unknown`: whoever holds this document does not;
    counted by the pile they come from.
    """

    open: Multiset = ()
    closed: Multiset = ()
    unknown: dict[str, int] = {}

    @property
    def known(self) -> Multiset:
        """The cards this document shows."""
        return multiset(self.open + self.closed) if self.open and self.closed else self.open or self.closed

    @property
    def unknown_size(self) -> int:
        return sum(self.unknown.values()) if self.unknown else 0

    @property
    def size(self) -> int:
        return len(self.open) + len(self.closed) + (self.unknown_size if self.unknown else 0)


def gain_open(hand: Hand, cards: Iterable[str]) -> Hand:
    """Cards everybody has seen come into the hand."""
    return Hand(plus(hand.open, cards), hand.closed, hand.unknown)


def gain_closed(hand: Hand, card: str | None, pile: str) -> Hand:
    """A card from `pile` comes into the hand unseen; `None` if the holder of the document does not know it either."""
    if card is None:
        return Hand(hand.open, hand.closed, counted(hand.unknown, pile, 1))
    return Hand(hand.open, plus(hand.closed, (card,)), hand.unknown)


def lose(hand: Hand, cards: Iterable[str], pile_of: PileOf) -> Hand:
    """The hand without `cards`: each leaves from the open ones first, then the closed, then the unknown.

    Raises:
        ValueError: if a card can be in none of the three; ask `unseen_part` and the pile before.
    """
    opened, closed, unknown = list(hand.open), list(hand.closed), hand.unknown
    for card in cards:
        if card in opened:
            opened.remove(card)
        elif card in closed:
            closed.remove(card)
        else:
            unknown = counted(unknown, pile_of(card), -1)
    return Hand(tuple(opened), tuple(closed), unknown)


def counted(unknown: Mapping[str, int], pile: str, change: int) -> dict[str, int]:
    """The unknown cards by pile after `change` more of `pile`."""
    count = unknown.get(pile, 0) + change
    if count < 0:
        raise ValueError(f"no unknown card of {pile} left")
    after = {name: number for name, number in unknown.items() if name != pile}
    if count:
        after[pile] = count
    return dict(sorted(after.items()))


def unseen_part(hand: Hand, cards: Multiset) -> Multiset:
    """Those of `cards` that are not among the known ones of the hand."""
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
    unknown = dict(hand.unknown)
    for card in hand.closed:
        pile = pile_of(card)
        unknown[pile] = unknown.get(pile, 0) + 1
    return Hand(hand.open, (), dict(sorted(unknown.items())))


def can_be_unknown(unseen: Mapping[str, int], cards: Multiset, pile_size: int, pile: Mapping[str, int]) -> bool:
    """Whether `cards` can lie hidden in hands, as far as the box and the pile tell.

    `unseen` counts what the document does not show: the pile and the unknown cards of all hands. `pile_size` cards of
    it are in the pile, which can hold those of `pile` (what the last shuffle put in; before it, `unseen` itself).
    They can be hidden if the pile can be made up without them.
    """
    rest = dict(unseen)
    for card in cards:
        left = rest.get(card, 0) - 1
        if left < 0:
            return False
        rest[card] = left
    return sum(min(number, rest.get(card, 0)) for card, number in pile.items()) >= pile_size
