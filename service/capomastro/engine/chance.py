"""Chance: exact probabilities, and outcomes drawn as a function of seed and ply.

The drawing is part of the contract (docs/concepts.md): it must give the same outcomes in every release.
"""

from collections.abc import Mapping
from fractions import Fraction
from hashlib import sha256

import msgspec

HASH_VALUES = 1 << 256


class Outcomes(msgspec.Struct, frozen=True, gc=False):
    """What a draw can reveal: whole-number weights by component, the components in ascending order.

    Weight 0: acceptable when a client reports it, never drawn by ourselves.
    """

    weights: dict[str, int]

    @property
    def total(self) -> int:
        return sum(self.weights.values())

    def probability(self, component: str) -> Fraction:
        return Fraction(self.weights[component], self.total)

    def draw(self, seed: str, ply: int) -> str:
        """The component that `seed` draws at `ply`.

        The SHA-256 of the text "seed/ply/attempt", read as a big-endian number n, is taken at attempt 0, 1, … until
        n is below the largest multiple of the total weight that a hash can hold. Then n modulo the total falls into
        the weight of one component, the components taken in ascending order.
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
        raise AssertionError("the weights sum up to the total")


def as_text(probability: Fraction) -> str:
    """An exact fraction in lowest terms, such as "3/47"; "0/1" and "1/1" at the ends."""
    return f"{probability.numerator}/{probability.denominator}"


def outcomes(weights: Mapping[str, int]) -> Outcomes:
    """Outcomes brought into ascending order; what comes out of a sorted box need not be sorted again."""
    return Outcomes(dict(sorted(weights.items())))
