"""Cards in an auction (rulebook: "Auctions"): their values, and every bid that a hand allows."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Annotated

from capomastro.engine.multisets import Multiset, includes, minus
from capomastro.engine.partial import END, NOTHING_CHOSEN, Beginning, Names, Openings, Partial
from capomastro.engine.selections import ChainedSources
from capomastro.games.fifth_avenue import components as box

LIMITS: Annotated[dict[int, int], "fifth-avenue.auction.limit"] = {6: 1, 5: 2, 4: 3}
"""The number of buildings that a winner's highest card allows."""
MAXIMUM_BUILT = max(LIMITS.values())
"""The most buildings after one auction."""


def worth(cards: Iterable[str]) -> int:
    """The sum of the values of `cards`."""
    return sum(map(box.VALUE_OF.__getitem__, cards))


def limit_of(cards: Iterable[str]) -> int:
    """The maximum number of buildings for a winner with these cards: the highest card counts."""
    return LIMITS[max([box.VALUE_OF[card] for card in cards])]


def colours_of(cards: Iterable[str]) -> tuple[str, ...]:
    """The colours among `cards`, without black, in ascending order."""
    return tuple(sorted({box.pile_of(card) for card in cards} - {box.BLACK}))


def of_colour(hand: Multiset, colour: str) -> Multiset:
    """The cards of a hand that can be bid in one colour: those of the colour, and the black ones."""
    return tuple([card for card in hand if box.pile_of(card) in (colour, box.BLACK)])


def highest_bid_from(hand: Multiset, colours: Iterable[str]) -> Multiset:
    """The cards of the highest bid in one of `colours`."""
    return max([of_colour(hand, colour) for colour in colours], key=worth)


# --- counting bids ---------------------------------------------------------------------------------------------------

Cards = tuple[Multiset, int]
"""Cards from one pile, and what they are worth."""


def sets_from(hand: Multiset, pile: str) -> list[Cards]:
    """Every set of the cards of a hand that come from one pile, also the empty one; first with few fours."""
    sets: list[Cards] = [((), 0)]
    for card in box.PILE_CARDS[pile]:
        if copies := hand.count(card):
            numbers = [((card,) * number, box.VALUE_OF[card] * number) for number in range(copies + 1)]
            sets = [(cards + more, worth + added) for cards, worth in sets for more, added in numbers]
    return sets


class BidsInColour:
    """Every set of coloured cards with every set of black ones that makes it worth `at_least`; counted, not listed."""

    def __init__(
        self, colour: str, coloured: Sequence[Cards], black: Sequence[Cards], worths: Sequence[int], at_least: int
    ) -> None:
        """`worths`: those of the black cards, in ascending order."""
        self.colour = colour
        self.coloured, self.black, self.worths, self.at_least = coloured, black, worths, at_least
        self.numbers = [len(worths) - bisect_left(worths, at_least - worth) for _, worth in coloured]
        """For each set of coloured cards, the number of bids."""
        self.total = sum(self.numbers)

    def pick(self, index: int) -> Multiset:
        return next(self.starting_at(index))

    def starting_at(self, index: int) -> Iterator[Multiset]:
        for (cards, worth), number in zip(self.coloured, self.numbers, strict=True):
            if index < number:
                bids = (black + cards for black, more in self.black if worth + more >= self.at_least)
                yield from islice(bids, index, None)
            index = max(0, index - number)

    def with_black(self, black: Sequence[Cards]) -> "BidsInColour":
        """The bids with these sets of black cards."""
        return BidsInColour(self.colour, self.coloured, black, worths_of(black), self.at_least)

    def containing(self, name: Names, partial: Partial) -> "BidsInColour":
        """The bids that contain what is chosen: of the sets of each pile, those that do."""
        part = partial.sets.get(str(name), NOTHING_CHOSEN)
        of_colour, of_black = part.among(box.PILE_CARDS[self.colour]), part.among(box.PILE_CARDS[box.BLACK])
        bids = self
        if len(of_colour.chosen) + len(of_black.chosen) < len(part.chosen):
            bids = bids.with_coloured(())
        if of_colour != NOTHING_CHOSEN:
            bids = bids.with_coloured([each for each in bids.coloured if of_colour.fits(each[0])])
        if of_black != NOTHING_CHOSEN:
            bids = bids.with_black([each for each in bids.black if of_black.fits(each[0])])
        return bids

    def with_coloured(self, coloured: Sequence[Cards]) -> "BidsInColour":
        """The bids with these sets of coloured cards."""
        return BidsInColour(self.colour, coloured, self.black, self.worths, self.at_least)

    def openings(self, names: Names, name: str, partial: Partial) -> Openings:
        part = partial.sets.get(name, NOTHING_CHOSEN)
        found: Counter[str] = Counter()
        for (cards, _), number in zip(self.coloured, self.numbers, strict=True):
            found.update(dict.fromkeys(part.openings(cards), number))
        for card in box.PILE_CARDS[box.BLACK]:
            more = [each for each in self.black if each[0].count(card) > part.chosen.count(card)]
            found[card] = self.with_black(more).total
        return +found

    def next_ranks(self, names: Names, name: str, beginning: Beginning) -> set[int]:
        """From the last card of the hand back: whether all that can follow are enough."""
        cards, rank = beginning
        if not self.total or not includes(hand := self.coloured[-1][0] + self.black[-1][0], cards):
            return set()
        of_colour = box.PILE_CARDS[self.colour]
        bid, least = worth(cards), rank[cards[-1]] if cards else 0
        is_coloured = not self.coloured[0][0] or any(card in of_colour for card in cards)
        found = {END} if bid >= self.at_least and is_coloured else set()
        for card in sorted(minus(hand, cards), key=rank.__getitem__, reverse=True):
            if rank[card] < least:
                break
            bid, is_coloured = bid + box.VALUE_OF[card], is_coloured or card in of_colour
            if bid >= self.at_least and is_coloured:
                found.add(rank[card])
        return found


def worths_of(sets: Iterable[Cards]) -> list[int]:
    """What the sets are worth, in ascending order."""
    return sorted([worth for _, worth in sets])


def bids_from(hand: Multiset, colours: Iterable[str], at_least: int, first: bool) -> ChainedSources[Multiset]:
    """Every set of cards from `hand` worth `at_least`, of black and one of `colours`, colour by colour.

    A first bid has at least one card of the colour; for a later one, of a single colour, black suffices.
    """
    black = sets_from(hand, box.BLACK)
    worths = worths_of(black)
    coloured = [(colour, sets_from(hand, colour)[int(first) :]) for colour in colours]
    return ChainedSources([BidsInColour(colour, sets, black, worths, at_least) for colour, sets in coloured if sets])
