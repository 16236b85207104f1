"""Counts bids (rulebook: "Auctions"): the value of cards, and every set of cards above a value."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import accumulate, compress

from capomastro.engine.multisets import Multiset, multiset
from capomastro.engine.selections import Chained, Choice, Factor, Selections
from capomastro.games.fifth_avenue.components import BLACK, PILE_CARDS, VALUE_OF, VALUES, pile_of

LIMITS = {6: 1, 5: 2, 4: 3}
"""The number of buildings that a winner's highest card allows."""


def worth(cards: Iterable[str]) -> int:
    """The sum of the values of `cards`."""
    return sum(map(VALUE_OF.__getitem__, cards))


def limit_of(cards: Iterable[str]) -> int:
    """The maximum number of buildings for a winner with these cards: the highest card counts."""
    return LIMITS[max(map(VALUE_OF.__getitem__, cards))]


def colours_of(cards: Iterable[str]) -> tuple[str, ...]:
    """The colours among `cards`, without black, in ascending order."""
    return tuple(sorted({pile_of(card) for card in cards} - {BLACK}))


@lru_cache(maxsize=4096)
def card_factor(card: str, count: int) -> Factor:
    """None to `count` of one card."""
    return Factor(Choice((card,) * number, number * VALUE_OF[card]) for number in range(count + 1))


@lru_cache(maxsize=4096)
def sets_of_colour(colour: str, counts: tuple[int, ...]) -> tuple[Choice, ...]:
    """At least one card of a colour, of `counts` fours, fives and sixes; the last kind changes first."""
    choices = [Choice((), 0)]
    for value, count in zip(VALUES, counts, strict=True):
        card = f"{colour}-{value}"
        choices = [
            Choice(choice.tokens + (card,) * number, choice.weight + value * number)
            for choice in choices
            for number in range(count + 1)
        ]
    return tuple(choices[1:])


@lru_cache(maxsize=4096)
def colour_factor(colour: str, counts: tuple[int, ...]) -> Factor:
    """All these as one factor."""
    return Factor(sets_of_colour(colour, counts))


CARDS_OF = {pile: tuple(cards) for pile, cards in PILE_CARDS.items()}


def counts_of(hand: Multiset, pile: str) -> tuple[int, ...]:
    """The number of fours, fives and sixes from a pile in the hand."""
    four, five, six = CARDS_OF[pile]
    return hand.count(four), hand.count(five), hand.count(six)


@lru_cache(maxsize=4096)
def factors_of(pile: str, counts: tuple[int, ...]) -> tuple[Factor, ...]:
    """One factor for every value there is a card of."""
    return tuple(card_factor(f"{pile}-{value}", count) for value, count in zip(VALUES, counts, strict=True) if count)


@lru_cache(maxsize=16384)
def selections(
    colour: str, coloured: tuple[int, ...], black: tuple[int, ...], at_least: int, first: bool
) -> Selections:
    """The sets of cards of one colour and black worth `at_least`; a first bid has at least one of the colour."""
    own = (colour_factor(colour, coloured),) if first else factors_of(colour, coloured)
    return Selections((*own, *factors_of(BLACK, black)), at_least)


@lru_cache(maxsize=4096)
def numbers_by_worth(counts: tuple[int, ...]) -> tuple[int, ...]:
    """The number of sets of fours, fives and sixes, by value, from 0 on."""
    numbers = [1]
    for value, count in zip(VALUES, counts, strict=True):
        longer = [0] * (len(numbers) + value * count)
        for worth_before, number in enumerate(numbers):
            for cards in range(count + 1):
                longer[worth_before + value * cards] += number
        numbers = longer
    return tuple(numbers)


@lru_cache(maxsize=4096)
def numbers_of_colour(counts: tuple[int, ...], first: bool) -> tuple[tuple[int, int], ...]:
    """The possible values of cards of a colour, each with its number of sets; in a first bid, not the empty set."""
    return tuple((worth, number) for worth, number in enumerate(numbers_by_worth(counts)) if number)[int(first) :]


@lru_cache(maxsize=4096)
def numbers_worth_at_least(counts: tuple[int, ...]) -> tuple[int, ...]:
    """The number of sets of cards worth at least 0, at least 1, and so on."""
    return tuple(accumulate(reversed(numbers_by_worth(counts))))[::-1]


def number_of_bids(coloured: tuple[int, ...], enough: tuple[int, ...], at_least: int, first: bool) -> int:
    """The number of sets of cards in `selections`: for each set of the colour, the sets of black.

    `enough`: the number of sets of black worth at least 0, at least 1, and so on.
    """
    number = 0
    for worth_of_colour, sets in numbers_of_colour(coloured, first):
        missing = at_least - worth_of_colour
        if missing <= 0:
            number += sets * enough[0]
        elif missing < len(enough):
            number += sets * enough[missing]
    return number


NO_CARDS = Choice((), 0)


def pick_worth(pile: str, counts: tuple[int, ...], at_least: int, index: int) -> Multiset:
    """The set at `index` of those from one pile worth `at_least`, in the order of `selections`."""
    cards: Multiset = ()
    for place, (card, value, count) in enumerate(zip(CARDS_OF[pile], VALUES, counts, strict=True), 1):
        if not count:
            continue
        enough = numbers_worth_at_least((0,) * place + counts[place:])
        for copies in range(count + 1):
            missing = max(0, at_least - copies * value)
            number = enough[missing] if missing < len(enough) else 0
            if index < number:
                cards += (card,) * copies
                at_least = missing
                break
            index -= number
        else:
            raise IndexError("no such set")
    return cards


def pick_bid(
    colour: str, coloured: tuple[int, ...], black: tuple[int, ...], at_least: int, first: bool, index: int
) -> Multiset:
    """The bid at `index` of `selections`: the few sets of a colour are listed, those of black are counted by tables."""
    enough = numbers_worth_at_least(black)
    coloured_sets = sets_of_colour(colour, coloured)
    for own in coloured_sets if first else (NO_CARDS, *coloured_sets):
        missing = max(0, at_least - own.weight)
        number = enough[missing] if missing < len(enough) else 0
        if index < number:
            return multiset(own.tokens + pick_worth(BLACK, black, missing, index))
        index -= number
    raise IndexError("no such bid")


class Bids:
    """Every set of cards from `hand` worth `at_least`, of black and one of `colours`, colour by colour.

    A first bid has at least one card of the colour; for a later one, of a single colour, black suffices. They are
    counted and picked by tables, and created only on iteration.
    """

    def __init__(self, hand: Multiset, colours: Iterable[str], at_least: int, first: bool) -> None:
        self.at_least = at_least
        self.first = first
        self.black = counts_of(hand, BLACK)
        self.coloured: list[tuple[str, tuple[int, ...]]] = []
        self.numbers: list[int] = []
        enough = numbers_worth_at_least(self.black)
        for colour in colours:
            coloured = counts_of(hand, colour)
            self.coloured.append((colour, coloured))
            self.numbers.append(number_of_bids(coloured, enough, at_least, first))
        self.total = sum(self.numbers)

    def pick(self, index: int) -> Multiset:
        for (colour, coloured), number in zip(self.coloured, self.numbers, strict=True):
            if index < number:
                return pick_bid(colour, coloured, self.black, self.at_least, self.first, index)
            index -= number
        raise IndexError("no such bid")

    def starting_at(self, index: int) -> Iterator[Multiset]:
        possible = compress(self.coloured, self.numbers)
        each = [selections(*coloured, self.black, self.at_least, self.first) for coloured in possible]
        return Chained(each).starting_at(index)


def most_playable(hand: Multiset, colours: Iterable[str], first: bool) -> int:
    """The highest possible bid."""
    black = worth(card for card in hand if pile_of(card) == BLACK)
    own = [worth(card for card in hand if pile_of(card) == colour) for colour in colours]
    best = max(own, default=0)
    return black + best if best or not first else 0
