"""Cards in an auction (rulebook: "Auctions"): their values, and every bid that a hand allows."""

from collections.abc import Iterable
from functools import cache
from itertools import chain
from typing import Annotated

from capomastro.engine.multisets import Multiset, includes, minus
from capomastro.engine.partial import END, Beginning
from capomastro.engine.selections import Choice, Factor, Factors, Selections
from capomastro.engine.sources import Chained
from capomastro.games.fifth_avenue import components as box

LIMITS: Annotated[dict[int, int], "fifth-avenue.auction.limit"] = {6: 1, 5: 2, 4: 3}
"""The number of buildings that a winner's highest card allows."""
MAXIMUM_BUILT = max(LIMITS.values())
"""The most buildings after one auction."""
WIDTH = 20
"""The bits in which the number of all bids in a colour fits."""

CARDS_OF_BID = {colour: box.PILE_CARDS[colour] | box.PILE_CARDS[box.BLACK] for colour in box.COLOURS}
"""The cards that can be bid in a colour: its own, and the black ones."""


def worth(cards: Iterable[str]) -> int:
    """The sum of the values of `cards`."""
    return sum(map(box.value_of, cards))


def limit_of(cards: Iterable[str]) -> int:
    """The maximum number of buildings for a winner with these cards: the highest card counts."""
    return LIMITS[max(map(box.value_of, cards))]


def colours_of(cards: Iterable[str]) -> tuple[str, ...]:
    """The colours among `cards`, without black, in ascending order."""
    return tuple(sorted({*map(box.pile_of, cards)} - {box.BLACK}))


def cards_worth_most(hand: Multiset, colours: Iterable[str]) -> Multiset:
    """The cards of the highest bid in one of `colours`."""
    return max([tuple(filter(CARDS_OF_BID[colour].__contains__, hand)) for colour in colours], key=worth)


# --- counting bids: one factor for each kind of card ------------------------------------------------------------------


@cache
def factors_of_box() -> dict[str, dict[str, Factors]]:
    """The ways to lay cards, by pile, kind and how many of them the hand has. They depend on the box alone."""
    return {
        pile: {card: tuple([factor_of(card, held) for held in range(copies + 1)]) for card, copies in cards.items()}
        for pile, cards in box.PILE_CARDS.items()
    }


def factor_of(card: str, held: int) -> Factor:
    return Factor([choice_of(card, laid) for laid in range(held + 1)], (WIDTH,))


def choice_of(card: str, laid: int) -> Choice:
    """`laid` copies of the card; marked if it is coloured."""
    return Choice((card,) * laid, box.value_of(card) * laid, laid > 0 and box.pile_of(card) != box.BLACK)


def ways_to_lay(hand: Multiset, pile: str) -> Factors:
    """The ways to lay the cards of a hand that come from one pile."""
    return tuple([ways[held] for card, ways in factors_of_box()[pile].items() if (held := hand.count(card))])


class Bids(Selections):
    """Every bid in a colour: with one of its cards, if `required`, as in a first bid."""

    def next_ranks(self, name: str, beginning: Beginning) -> set[int]:
        """Walks back from the last card of the hand: are all that may still follow worth enough?

        Going through the choices of the factors makes an environment step a quarter slower (2026-11-27).
        """
        cards, rank = beginning
        held = chain.from_iterable([factor.choices[-1].tokens for factor in self.factors])
        hand = tuple(sorted(held, key=rank.__getitem__, reverse=True))
        if not self.total or not includes(hand, cards):
            return set()
        bid, least = worth(cards), rank[cards[-1]] if cards else 0
        is_coloured = not self.required or bool(colours_of(cards))
        found = {END} if bid >= self.low and is_coloured else set()
        for card in minus(hand, cards):
            if rank[card] < least:
                break
            bid, is_coloured = bid + box.value_of(card), is_coloured or box.pile_of(card) != box.BLACK
            if bid >= self.low and is_coloured:
                found.add(rank[card])
        return found


def bids_from(hand: Multiset, colours: Iterable[str], at_least: int, first: bool) -> Chained[Multiset]:
    """Every set of cards from `hand` worth `at_least`, of black and one of `colours`, colour by colour.

    A first bid has at least one card of the colour; for a later one, of a single colour, black suffices.
    """
    black = ways_to_lay(hand, box.BLACK)
    by_colour = [(*own, *black) for colour in colours if (own := ways_to_lay(hand, colour)) or not first]
    enough = [ways for ways in by_colour if sum([factor.heaviest for factor in ways]) >= at_least]
    return Chained([Bids(ways, at_least, first, "cards", WIDTH) for ways in enough])
