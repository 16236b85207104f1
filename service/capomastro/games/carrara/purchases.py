"""Purchases of blocks and payments for buildings: counted and picked without listing them."""

from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from math import prod
from typing import Any

from capomastro.engine.multisets import Multiset
from capomastro.engine.selections import Choice, Factor, Selections, Source
from capomastro.games.carrara.components import CITIES, COLOURS, COSTS
from capomastro.games.carrara.supplies import PRICES

SHORT = 32


class Remembered:
    """A source that, if it is short, is listed once, when the first item is needed."""

    def __init__(self, source: Source[Any]) -> None:
        self.source = source
        self.total = source.total

    @cached_property
    def listed(self) -> tuple[Any, ...]:
        return tuple(self.source.starting_at(0))

    def pick(self, index: int) -> Any:
        return self.listed[index] if self.total <= SHORT else self.source.pick(index)

    def starting_at(self, index: int) -> Iterator[Any]:
        return iter(self.listed[index:]) if self.total <= SHORT else self.source.starting_at(index)


# --- buying blocks ---------------------------------------------------------------------------------------------------


@lru_cache(maxsize=512)
def colour_factor(colour: str, count: int, weight: int) -> Factor:
    """None, one, … all of `count` blocks of a colour; each weighs `weight`."""
    return Factor(Choice((colour,) * number, weight * number) for number in range(count + 1))


class Purchases:
    """Every non-empty multiset of blocks from one section that a number of coins buys."""

    def __init__(self, blocks: Multiset, section: str, coins: int) -> None:
        self.prices = PRICES[section]
        self.counts = {colour: blocks.count(colour) for colour in dict.fromkeys(blocks)}
        self.coins = coins
        if coins >= sum(map(self.prices.__getitem__, blocks)):
            selections = prod(count + 1 for count in self.counts.values())
        else:
            selections = self.selections.total
        self.total = selections - 1
        """The first selection is the empty one."""

    @cached_property
    def selections(self) -> Selections:
        """Everything that can be taken, the empty selection first."""
        factors = (colour_factor(colour, count, self.prices[colour]) for colour, count in self.counts.items())
        return Selections(tuple(factors), 0, self.coins)

    def pick(self, index: int) -> Multiset:
        return self.selections.pick(index + 1)

    def starting_at(self, index: int) -> Iterator[Multiset]:
        return self.selections.starting_at(index + 1)


@lru_cache(maxsize=16384)
def affordable(blocks: Multiset, section: str, coins: int) -> Source[Any]:
    return Remembered(Purchases(blocks, section, coins))


def purchases(blocks: Multiset, section: str, coins: int) -> Source[Any]:
    """The purchases of `blocks` from a section with `coins`; coins beyond the total price make no difference."""
    prices = PRICES[section]
    return affordable(blocks, section, min(coins, sum(map(prices.__getitem__, blocks))))


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


class Payments:
    """Every city with every way to pay a cost there, from one player's blocks."""

    def __init__(self, blocks: Multiset, cost: int) -> None:
        self.blocks = blocks
        self.cost = cost
        self.numbers = [polynomial >> WIDTH * cost & COEFFICIENT for polynomial in payments_by_city(blocks)]
        self.total = sum(self.numbers)

    def accepted(self, colours: Sequence[str]) -> Selections:
        """The payments in a city that accepts `colours`."""
        counts = [(colour, self.blocks.count(colour)) for colour in colours]
        factors = tuple(colour_factor(colour, count, 1) for colour, count in counts if count)
        return Selections(factors, self.cost, self.cost)

    def pick(self, index: int) -> tuple[str, Multiset]:
        for (name, city), number in zip(CITIES.items(), self.numbers, strict=True):
            if index < number:
                return name, self.accepted(city.accepts).pick(index)
            index -= number
        raise IndexError("no such payment")

    def starting_at(self, index: int) -> Iterator[tuple[str, Multiset]]:
        for (name, city), number in zip(CITIES.items(), self.numbers, strict=True):
            if index < number:
                for payment in self.accepted(city.accepts).starting_at(index):
                    yield name, payment
            index = max(0, index - number)


@lru_cache(maxsize=16384)
def payments(blocks: Multiset, cost: int) -> Source[Any]:
    """Every way to pay `cost` from `blocks`, city by city."""
    return Remembered(Payments(blocks, cost))
