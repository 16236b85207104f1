"""Hands that are not known in full."""

from collections import Counter
from itertools import combinations
from random import Random

import pytest

from capomastro.engine.hands import Hand, can_be_unknown, concealed, gain_closed, gain_open, lose, unseen_part


def pile_of(card: str) -> str:
    return "coins" if card.startswith("coin") else "deck"


def test_cards_leave_from_open_first_then_closed_then_unknown_by_pile() -> None:
    hand = Hand(("a",), ("a", "b"), {"coins": 1, "deck": 2})
    assert lose(hand, ("a",), pile_of) == Hand((), ("a", "b"), {"coins": 1, "deck": 2})
    assert lose(hand, ("a", "a", "a"), pile_of) == Hand((), ("b",), {"coins": 1, "deck": 1})
    assert lose(hand, ("coin-1",), pile_of) == Hand(("a",), ("a", "b"), {"deck": 2})
    with pytest.raises(ValueError, match="coins"):
        lose(hand, ("coin-1", "coin-1"), pile_of)


def test_cards_come_seen_or_unseen() -> None:
    hand = gain_closed(gain_closed(gain_open(Hand(), ("b", "a")), "c", "deck"), None, "coins")
    assert hand == Hand(("a", "b"), ("c",), {"coins": 1})
    assert (hand.known, hand.size, hand.unknown_size) == (("a", "b", "c"), 4, 1)
    assert gain_open(hand, ("a",)).open == ("a", "a", "b")


def test_a_concealed_hand_shows_the_backs_of_its_closed_cards() -> None:
    hand = Hand(("a",), ("b", "coin-1", "c"), {"deck": 1})
    assert concealed(hand, pile_of) == Hand(("a",), (), {"coins": 1, "deck": 3})
    assert concealed(concealed(hand, pile_of), pile_of) == concealed(hand, pile_of)


def test_cards_that_are_not_known_to_be_in_the_hand() -> None:
    assert unseen_part(Hand(("a",), ("a", "b")), ("a", "a", "a", "c")) == ("a", "c")


def test_possibly_hidden_cards_agree_with_trying_every_pile() -> None:
    random = Random(4)
    both = Counter[bool]()
    for _ in range(600):
        unseen = Counter(random.choices("abc", k=random.randint(1, 7)))
        pile = Counter({card: random.randint(0, 3) for card in "abc"})
        wanted = tuple(random.choices("abc", k=random.randint(0, 3)))
        size = random.randint(0, max(0, unseen.total() - len(wanted)))
        rest = unseen - Counter(wanted)
        there = not Counter(wanted) - unseen
        piles = (Counter(chosen) for chosen in combinations(sorted(rest.elements()), size))
        possible = there and any(not chosen - pile for chosen in piles)
        assert can_be_unknown(unseen, wanted, size, pile) == possible, (unseen, wanted, size, pile)
        both[possible] += 1
    assert min(both[True], both[False]) > 50
