"""Counting bids (rulebook: "Auctions"): what cards are worth, and every set of cards worth more than another."""

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache

from capomastro.engine.multisets import Multiset
from capomastro.engine.selections import Choice, Factor, Selections
from capomastro.games.fifth_avenue.components import BLACK, COLOURS, PILE_CARDS, VALUES, pile_of, value_of

LIMITS = {6: 1, 5: 2, 4: 3}
"""How many buildings the highest card of a winner allows him."""


def worth(cards: Iterable[str]) -> int:
    """The sum of the values of `cards`."""
    return sum([int(card[-1]) for card in cards])


def limit_of(cards: Iterable[str]) -> int:
    """The most buildings a winner with these cards may build: his highest card counts."""
    return LIMITS[max(map(value_of, cards))]


def colours_of(cards: Iterable[str]) -> tuple[str, ...]:
    """The colours among `cards`, black left aside, in ascending order."""
    return tuple(sorted({pile_of(card) for card in cards} - {BLACK}))


@lru_cache(maxsize=4096)
def card_factor(card: str, count: int) -> Factor:
    """None to `count` of one card."""
    return Factor(Choice((card,) * number, number * value_of(card)) for number in range(count + 1))


@lru_cache(maxsize=4096)
def colour_factor(colour: str, counts: tuple[int, ...]) -> Factor:
    """At least one card of a colour, of `counts` fours, fives and sixes."""
    choices = [Choice((), 0)]
    for value, count in zip(VALUES, counts, strict=True):
        card = f"{colour}-{value}"
        choices = [
            Choice(choice.tokens + (card,) * number, choice.weight + value * number)
            for choice in choices
            for number in range(count + 1)
        ]
    return Factor(choices[1:])


@lru_cache(maxsize=4096)
def counts_of(hand: Multiset) -> dict[str, tuple[int, ...]]:
    """How many fours, fives and sixes of every pile are in the hand."""
    number = Counter(hand).get
    return {pile: tuple([number(card, 0) for card in cards]) for pile, cards in PILE_CARDS.items()}


@lru_cache(maxsize=4096)
def factors_of(pile: str, counts: tuple[int, ...]) -> tuple[Factor, ...]:
    """One factor for every value there is a card of."""
    return tuple(card_factor(f"{pile}-{value}", count) for value, count in zip(VALUES, counts, strict=True) if count)


@lru_cache(maxsize=16384)
def selections(
    colour: str, coloured: tuple[int, ...], black: tuple[int, ...], at_least: int, first: bool
) -> Selections:
    """The sets of cards of one colour and black that are worth `at_least`; a first bid holds one of the colour."""
    own = (colour_factor(colour, coloured),) if first else factors_of(colour, coloured)
    return Selections((*own, *factors_of(BLACK, black)), at_least)


@lru_cache(maxsize=65536)
def number_of_bids(coloured: tuple[int, ...], black: tuple[int, ...], at_least: int, first: bool) -> int:
    """How many sets of cards `selections` gives, whatever the colour."""
    return selections(COLOURS[0], coloured, black, at_least, first).total


class BidsInColour:
    """The sets of cards of `selections`, which are only made when one is asked for."""

    def __init__(
        self, colour: str, coloured: tuple[int, ...], black: tuple[int, ...], at_least: int, first: bool
    ) -> None:
        self.asked = colour, coloured, black, at_least, first
        self.total = number_of_bids(coloured, black, at_least, first)

    def pick(self, index: int) -> Multiset:
        return selections(*self.asked).pick(index)

    def starting_at(self, index: int) -> Iterator[Multiset]:
        return selections(*self.asked).starting_at(index)


def bids_worth(hand: Multiset, colours: Iterable[str], at_least: int, first: bool) -> list[BidsInColour]:
    """Every set of cards from `hand` worth `at_least`, of black and one of `colours`; for each colour they are apart.

    A first bid holds one of the colour at least; for a later one, which has a single colour, black is enough.
    """
    counts = counts_of(hand)
    black = counts[BLACK]
    return [
        BidsInColour(colour, counts[colour], black, at_least, first)
        for colour in colours
        if not first or any(counts[colour])
    ]


def most_playable(hand: Multiset, colours: Iterable[str], first: bool) -> int:
    """The most that can be laid at once."""
    black = worth(card for card in hand if pile_of(card) == BLACK)
    own = [worth(card for card in hand if pile_of(card) == colour) for colour in colours]
    best = max(own, default=0)
    return black + best if best or not first else 0
