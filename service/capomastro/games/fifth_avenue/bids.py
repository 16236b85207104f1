"""Counting bids (rulebook: "Auctions"): what cards are worth, and every set of cards worth more than another."""

from collections.abc import Iterable
from functools import lru_cache

from capomastro.engine.multisets import Multiset
from capomastro.engine.selections import ChainedSelections, Choice, Factor, Selections
from capomastro.games.fifth_avenue.components import BLACK, PILE_CARDS, VALUES, pile_of, value_of

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
    return {pile: tuple([hand.count(card) for card in cards]) for pile, cards in PILE_CARDS.items()}


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


def bids_worth(hand: Multiset, colours: Iterable[str], at_least: int, first: bool) -> ChainedSelections:
    """Every set of cards from `hand` worth `at_least`, of black and one of `colours`.

    A first bid holds one of the colour at least; for a later one, which has a single colour, black is enough.
    """
    counts = counts_of(hand)
    black = counts[BLACK]
    parts = []
    for colour in colours:
        coloured = counts[colour]
        if not first or any(coloured):
            parts.append(selections(colour, coloured, black, at_least, first))
    return ChainedSelections(parts)


def most_playable(hand: Multiset, colours: Iterable[str], first: bool) -> int:
    """The most that can be laid at once."""
    black = worth(card for card in hand if pile_of(card) == BLACK)
    own = [worth(card for card in hand if pile_of(card) == colour) for colour in colours]
    best = max(own, default=0)
    return black + best if best or not first else 0
