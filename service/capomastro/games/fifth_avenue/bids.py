"""Counts bids (rulebook: "Auctions"): the value of cards, and every set of cards above a value."""

from collections.abc import Iterable, Iterator
from itertools import accumulate, islice
from typing import Annotated, NamedTuple

from capomastro.engine.memory import remembered_for_request
from capomastro.engine.multisets import Multiset
from capomastro.engine.selections import FEW, Choice
from capomastro.games.fifth_avenue.components import BLACK, PILE_CARDS, VALUE_OF, VALUES, pile_of

LIMITS: Annotated[dict[int, int], "fifth-avenue.auction.limit"] = {6: 1, 5: 2, 4: 3}
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


@remembered_for_request(maximum=4096)
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


CARDS_OF = {pile: tuple(cards) for pile, cards in PILE_CARDS.items()}


def counts_of(hand: Multiset, pile: str) -> tuple[int, ...]:
    """The number of fours, fives and sixes from a pile in the hand."""
    four, five, six = CARDS_OF[pile]
    return hand.count(four), hand.count(five), hand.count(six)


@remembered_for_request(maximum=4096)
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


@remembered_for_request(maximum=4096)
def numbers_of_colour(counts: tuple[int, ...], first: bool) -> tuple[tuple[int, int], ...]:
    """The possible values of cards of a colour, each with its number of sets; in a first bid, not the empty set."""
    return tuple((worth, number) for worth, number in enumerate(numbers_by_worth(counts)) if number)[int(first) :]


@remembered_for_request(maximum=4096)
def numbers_worth_at_least(counts: tuple[int, ...]) -> tuple[int, ...]:
    """The number of sets of cards worth at least 0, at least 1, and so on."""
    return tuple(accumulate(reversed(numbers_by_worth(counts))))[::-1]


def number_of_bids(coloured: tuple[int, ...], enough: tuple[int, ...], at_least: int, first: bool) -> int:
    """The number of bids of one colour: for each set of the colour, the sets of black.

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
    """The set at `index` of those from one pile worth `at_least`, in the order of `sets_worth`."""
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


def sets_worth(pile: str, counts: tuple[int, ...], at_least: int) -> Iterator[Multiset]:
    """The sets from one pile worth `at_least`; the number of the highest card changes first."""
    (four, five, six), (most_fours, most_fives, most_sixes) = CARDS_OF[pile], counts
    for fours in range(most_fours + 1):
        for fives in range(most_fives + 1):
            missing = at_least - 4 * fours - 5 * fives
            for sixes in range(max(0, -(-missing // 6)), most_sixes + 1):
                yield (four,) * fours + (five,) * fives + (six,) * sixes


@remembered_for_request(maximum=1024)
def few_sets_worth(pile: str, counts: tuple[int, ...], at_least: int) -> tuple[Multiset, ...]:
    """The same, remembered; for at most `FEW`."""
    return tuple(sets_worth(pile, counts, at_least))


class BidsOfColour(NamedTuple):
    """Every set of cards worth `at_least`, of one colour and black: for each set of the colour, the sets of black.

    The few sets of a colour are listed, those of black counted by tables. `enough`: the number of sets of black worth
    at least 0, at least 1, and so on.
    """

    colour: str
    coloured: tuple[int, ...]
    black: tuple[int, ...]
    enough: tuple[int, ...]
    at_least: int
    first: bool
    total: int

    def parts(self) -> Iterator[tuple[Choice, int, int]]:
        """The sets of the colour, each with what black has to be worth, and the number of its sets that are."""
        enough, coloured_sets = self.enough, sets_of_colour(self.colour, self.coloured)
        for own in coloured_sets if self.first else (NO_CARDS, *coloured_sets):
            missing = max(0, self.at_least - own.weight)
            yield own, missing, enough[missing] if missing < len(enough) else 0

    def pick(self, index: int) -> Multiset:
        for own, missing, number in self.parts():
            if index < number:
                return pick_worth(BLACK, self.black, missing, index) + own.tokens
            index -= number
        raise IndexError("no such bid")

    def starting_at(self, index: int) -> Iterator[Multiset]:
        if self.total > FEW:
            return self.generated_from(index)
        few = [
            black + own.tokens
            for own, missing, number in self.parts()
            if number
            for black in few_sets_worth(BLACK, self.black, missing)
        ]
        return iter(few[index:])

    def generated_from(self, index: int) -> Iterator[Multiset]:
        """Those from `index` on, created one by one."""
        for own, missing, number in self.parts():
            if index < number:
                for black in islice(sets_worth(BLACK, self.black, missing), index, None):
                    yield black + own.tokens  # black cards come first in a multiset
            index = max(0, index - number)


def bids_by_colour(hand: Multiset, colours: Iterable[str], at_least: int, first: bool) -> Iterator[BidsOfColour]:
    """Every set of cards from `hand` worth `at_least`, of black and one of `colours`, colour by colour.

    A first bid has at least one card of the colour; for a later one, of a single colour, black suffices. They are
    counted and picked by tables, and created only on iteration.
    """
    black = counts_of(hand, BLACK)
    enough = numbers_worth_at_least(black)
    for colour in colours:
        coloured = counts_of(hand, colour)
        number = number_of_bids(coloured, enough, at_least, first)
        if number:
            yield BidsOfColour(colour, coloured, black, enough, at_least, first, number)


def most_playable(hand: Multiset, colours: Iterable[str], first: bool) -> int:
    """The highest possible bid."""
    black = worth(card for card in hand if pile_of(card) == BLACK)
    own = [worth(card for card in hand if pile_of(card) == colour) for colour in colours]
    best = max(own, default=0)
    return black + best if best or not first else 0
