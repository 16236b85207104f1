"""Purchases of blocks, which are few, and payments for buildings, which are counted: there can be hundreds."""

from collections.abc import Iterator, Sequence

from capomastro.engine.multisets import Multiset, multiset
from capomastro.engine.sources import Listable
from capomastro.games.carrara import components as box
from capomastro.games.carrara import supplies

# --- buying blocks ---------------------------------------------------------------------------------------------------


def purchases(blocks: Multiset, section: str, coins: int) -> list[Multiset]:
    """Every non-empty multiset of `blocks` from a section that a number of coins buys.

    Those with the fewest of the first colour come first, then those with the fewest of the second, and so on. The whole
    wheel has 11 blocks, so there are fewer than 500.
    """
    beginnings: list[tuple[Multiset, int]] = [((), coins)]
    for colour in dict.fromkeys(blocks):
        more = BUNDLES[section, colour][: blocks.count(colour) + 1]
        beginnings = [
            (bought + added, left - cost) for bought, left in beginnings for added, cost in more if cost <= left
        ]
    return [bought for bought, _ in beginnings[1:]]


BUNDLES = {
    (section, colour): [((colour,) * number, price * number) for number in range(box.BLOCKS[colour] + 1)]
    for section, prices in supplies.PRICES.items()
    for colour, price in prices.items()
}
"""Blocks of one colour, none up to all, with what they cost in a section."""


# --- paying for a building -------------------------------------------------------------------------------------------


def payments_in(colours: Sequence[str], blocks: Multiset, cost: int) -> list[Multiset]:
    """Every multiset of `cost` blocks of these colours: those with the fewest of the first colour first, and so on."""
    available = [(colour, number) for colour in colours if (number := blocks.count(colour))]
    later = sum([number for _, number in available])
    beginnings: list[tuple[Multiset, int]] = [((), cost)]
    for colour, most in available:
        later -= most
        beginnings = [
            (payment + (colour,) * number, missing - number)
            for payment, missing in beginnings
            for number in range(max(0, missing - later), min(most, missing) + 1)
        ]
    return [payment for payment, _ in beginnings]


WIDTH = 16
"""Bits per coefficient of a polynomial: even 7 blocks of every colour pay a cost of 5 in at most 462 ways."""
KEPT = (1 << WIDTH * (max(box.COSTS) + 1)) - 1
COEFFICIENT = (1 << WIDTH) - 1


def payments_by_city(blocks: Multiset) -> list[int]:
    """For each city, how many payments there are by cost: the coefficients of a polynomial (see `engine.selections`).

    Each city accepts one colour more than the one before, so its polynomial is that one's times the new colour's:
    1 + x + …, one way to pay each number of its blocks.
    """
    polynomials, product = [], 1
    for colour in box.COLOURS:
        number = blocks.count(colour)
        product = product * (((1 << WIDTH * (number + 1)) - 1) // COEFFICIENT) & KEPT
        polynomials.append(product)
    return polynomials


class Payments(Listable[tuple[str, Multiset]]):
    """Every city with every way to pay a cost there; `by_city`: how many ways there are, as `payments_by_city`."""

    names = ("city", "payment")

    def __init__(self, blocks: Multiset, cost: int, by_city: Sequence[int]) -> None:
        self.blocks = blocks
        self.cost = cost
        self.numbers = [polynomial >> WIDTH * cost & COEFFICIENT for polynomial in by_city]
        self.total = sum(self.numbers)

    def pick(self, index: int) -> tuple[str, Multiset]:
        return next(self.starting_at(index))

    def starting_at(self, index: int) -> Iterator[tuple[str, Multiset]]:
        for (name, city), number in zip(box.CITIES.items(), self.numbers, strict=True):
            if index < number:
                for payment in payments_in(city.accepts, self.blocks, self.cost)[index:]:
                    yield name, multiset(payment)
            index = max(0, index - number)
