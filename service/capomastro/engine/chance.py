"""Chance: exact probabilities, and draws as a function of seed and ply.

Drawing is part of the contract (docs/concepts.md): it must give the same outcomes in every release.
"""

from collections.abc import Mapping
from fractions import Fraction
from hashlib import sha256

import msgspec

HASH_VALUES = 1 << 256


class Outcomes(msgspec.Struct, frozen=True, gc=False):
    """The possible outcomes of a draw: integer weights by component, in ascending order of components.

    Weight 0: accepted when a client reports it, but never drawn.
    """

    weights: dict[str, int]

    @property
    def total(self) -> int:
        return sum(self.weights.values())

    def probability(self, component: str) -> Fraction:
        return Fraction(self.weights[component], self.total)

    def draw(self, seed: str, ply: int) -> str:
        """The component that `seed` draws at `ply`.

        Let n be the SHA-256 of the text "seed/ply/attempt", read as a big-endian number, for attempt 0, 1, … until n is
        below the largest multiple of the total weight that fits into a hash. Then n modulo the total selects a
        component by the cumulative weights in ascending order of components.
        """
        total = sum(self.weights.values())
        bound = HASH_VALUES - HASH_VALUES % total
        attempt = 0
        while True:
            number = int.from_bytes(sha256(f"{seed}/{ply}/{attempt}".encode()).digest(), "big")
            if number < bound:
                break
            attempt += 1
        number %= total
        for component, weight in self.weights.items():
            if number < weight:
                return component
            number -= weight
        raise AssertionError("the weights add up to the total")


def as_text(probability: Fraction) -> str:
    """An exact fraction in lowest terms, such as "3/47"; 0 and 1 are "0/1" and "1/1"."""
    return f"{probability.numerator}/{probability.denominator}"


def outcomes(weights: Mapping[str, int]) -> Outcomes:
    """Outcomes in ascending order of components."""
    return Outcomes(dict(sorted(weights.items())))
