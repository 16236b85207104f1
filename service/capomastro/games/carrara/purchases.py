"""Purchases of blocks and payments for buildings; payments are counted without listing them: there can be many."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from capomastro.engine.decisions import ListedSource
from capomastro.engine.multisets import Multiset
from capomastro.engine.selections import Source
from capomastro.games.carrara.components import CITIES, COLOURS, COSTS
from capomastro.games.carrara.supplies import PRICES

# --- buying blocks ---------------------------------------------------------------------------------------------------

FEW_BLOCKS = 6
"""The purchases from a section with more blocks are not remembered: there can be hundreds."""

DEAREST = {section: max(prices.values()) for section, prices in PRICES.items()}
"""The highest price of a block on each section."""


def affordable(blocks: Multiset, section: str, coins: int) -> Source[Multiset]:
    """Every non-empty multiset of `blocks` from a section that a number of coins buys.

    The whole wheel has 11 blocks, so they are listed: fewer than 500. Those with the fewest of the first colour come
    first, then those with the fewest of the second, and so on.
    """
    beginnings: list[tuple[Multiset, int]] = [((), 0)]
    for colour in dict.fromkeys(blocks):
        price, count = PRICES[section][colour], blocks.count(colour)
        beginnings = [
            (taken + (colour,) * number, paid + price * number)
            for taken, paid in beginnings
            for number in range(count + 1)
            if paid + price * number <= coins
        ]
    return ListedSource([taken for taken, _ in beginnings[1:]])


remembered_affordable = lru_cache(maxsize=4096)(affordable)


def purchases(blocks: Multiset, section: str, coins: int) -> Source[Multiset]:
    """The purchases of `blocks` from a section with `coins`; coins beyond what they can cost make no difference."""
    number = len(blocks)
    useful = min(coins, DEAREST[section] * number)
    return (remembered_affordable if number <= FEW_BLOCKS else affordable)(blocks, section, useful)


# --- paying for a building -------------------------------------------------------------------------------------------

WIDTH = 16
"""Bits per coefficient: even 7 blocks of every colour pay a cost of 5 in at most 462 ways."""

LARGEST_COST = max(COSTS)
KEPT = (1 << WIDTH * (LARGEST_COST + 1)) - 1
COEFFICIENT = (1 << WIDTH) - 1
POLYNOMIALS = [sum(1 << WIDTH * number for number in range(min(count, LARGEST_COST) + 1)) for count in range(8)]
"""By the number of blocks of a colour: 1 + x + … , one way to pay each number of them (see `engine.selections`)."""


@lru_cache(maxsize=16384)
def payments_by_city(blocks: Multiset) -> tuple[int, ...]:
    """For each city, the number of payments by cost, as the coefficients of a polynomial.

    Each city accepts one colour more than the one before, so its polynomial is that one's times the new colour's.
    """
    polynomials, product = [], 1
    for colour in COLOURS:
        product = product * POLYNOMIALS[blocks.count(colour)] & KEPT
        polynomials.append(product)
    return tuple(polynomials)


@lru_cache(maxsize=16)
def payments_in(colours: Sequence[str], blocks: Multiset, cost: int) -> tuple[Multiset, ...]:
    """Every multiset of `cost` blocks of these colours: those with the fewest of the first colour first, and so on.

    Whoever picks a sample of all payments picks from the same few lists again and again.
    """
    counts = [(colour, blocks.count(colour)) for colour in colours]
    left = sum([count for _, count in counts])
    beginnings: list[tuple[Multiset, int]] = [((), cost)]
    for colour, count in counts:
        if count:
            left -= count
            beginnings = [
                (paid + (colour,) * number, missing - number)
                for paid, missing in beginnings
                for number in range(max(0, missing - left), min(count, missing) + 1)
            ]
    return tuple([tuple(sorted(paid)) for paid, _ in beginnings])


SHORT = 32
"""A list of payments that is no longer than this is kept."""


class Payments:
    """Every city with every way to pay a cost there, from one player's blocks."""

    def __init__(self, blocks: Multiset, cost: int) -> None:
        self.blocks = blocks
        self.cost = cost
        self.numbers = [polynomial >> WIDTH * cost & COEFFICIENT for polynomial in payments_by_city(blocks)]
        self.total = sum(self.numbers)
        self.listed: list[tuple[str, Multiset]] = []
        """All of them, if they are few, as soon as one is needed."""

    def few(self) -> list[tuple[str, Multiset]]:
        """All of them if they are few, otherwise an empty list."""
        if not self.listed and self.total <= SHORT:
            self.listed = list(self.generated_from(0))
        return self.listed

    def generated_from(self, index: int) -> Iterator[tuple[str, Multiset]]:
        """Those from `index` on, listed city by city."""
        for (name, city), number in zip(CITIES.items(), self.numbers, strict=True):
            if index < number:
                for payment in payments_in(city.accepts, self.blocks, self.cost)[index:]:
                    yield name, payment
            index = max(0, index - number)

    def pick(self, index: int) -> tuple[str, Multiset]:
        listed = self.few()
        return listed[index] if listed else next(self.generated_from(index))

    def starting_at(self, index: int) -> Iterator[tuple[str, Multiset]]:
        listed = self.few()
        return iter(listed[index:]) if listed else self.generated_from(index)


@lru_cache(maxsize=16384)
def payments(blocks: Multiset, cost: int) -> Source[Any]:
    """Every way to pay `cost` from `blocks`, city by city."""
    return Payments(blocks, cost)
