"""Counts, picks and iterates over selections of components without listing them.

A hand of money cards allows more than a million different bids. A *selection* takes one `Choice` for every *factor*
(for example, how many red fives), and is valid if its weight (for example, its worth) is in a range. Weights add up
over the factors, so the number of selections by weight is a product of polynomials: one per factor, whose coefficient
of x to the w is the number of choices of weight w. A polynomial is stored in one integer with a fixed number of bits
per coefficient; the product of two such integers is the product of the polynomials, computed by the fastest code there
is.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, cached_property
from typing import Generic, NamedTuple, Protocol, TypeVar

from capomastro.engine.multisets import Multiset

T_co = TypeVar("T_co", covariant=True)


class Source(Protocol[T_co]):
    """Items that can be counted, picked by index, and iterated over."""

    @property
    def total(self) -> int: ...

    def pick(self, index: int, /) -> T_co: ...

    def starting_at(self, index: int, /) -> Iterator[T_co]: ...


class Chained(Generic[T_co]):
    """Several disjoint sources, one after the other."""

    def __init__(self, parts: Iterable[Source[T_co]]) -> None:
        self.parts = list(parts)
        self.total = sum([part.total for part in self.parts])

    def pick(self, index: int) -> T_co:
        for part in self.parts:
            if index < part.total:
                return part.pick(index)
            index -= part.total
        raise IndexError(index)

    def starting_at(self, index: int) -> Iterator[T_co]:
        for part in self.parts:
            if index < part.total:
                yield from part.starting_at(index)
            index = max(0, index - part.total)


class Choice(NamedTuple):
    """One choice for a factor.

    `marks` are bits; a selection can be required to have certain marks. `slack` is the smallest weight lost by leaving
    out some of the tokens (None without tokens); see `MinimalSelections`.
    """

    tokens: Multiset
    weight: int
    marks: int = 0
    slack: int | None = None


GREATEST_SLACK = 15
"""Upper bound of the slack of choices, exclusive."""


class Factor:
    """The choices for one kind of component. Create each factor once and keep it: it caches its polynomials."""

    def __init__(self, choices: Iterable[Choice]) -> None:
        self.choices = tuple(choices)
        self.size = len(self.choices)
        self.heaviest = max([choice.weight for choice in self.choices])
        self._polynomials: dict[tuple[int, int], int] = {}
        self._by_slack: dict[int, list[int]] = {}
        self._of_slack: dict[int, Factor] = {}

    @cached_property
    def slacks(self) -> frozenset[int]:
        return frozenset(choice.slack for choice in self.choices if choice.slack is not None)

    @cached_property
    def weights_and_marks(self) -> set[tuple[int, int]]:
        return {(choice.weight, choice.marks) for choice in self.choices}

    def polynomial(self, width: int, without: int) -> int:
        """The number of choices without any of the marks `without`, by weight, with `width` bits per coefficient."""
        known = self._polynomials.get((width, without))
        if known is None:
            terms = [1 << width * choice.weight for choice in self.choices if not choice.marks & without]
            known = self._polynomials[width, without] = sum(terms)
        return known

    def polynomials_by_slack(self, width: int) -> list[int]:
        """The number of choices by weight, for a slack of at least 0, 1, … `GREATEST_SLACK`."""
        known = self._by_slack.get(width)
        if known is None:
            known = [0] * (GREATEST_SLACK + 1)
            for choice in self.choices:
                known[GREATEST_SLACK if choice.slack is None else choice.slack] += 1 << width * choice.weight
            for slack in reversed(range(GREATEST_SLACK)):
                known[slack] += known[slack + 1]
            self._by_slack[width] = known
        return known

    def of_slack(self, least: int) -> "Factor":
        """The choices whose slack is at least `least`."""
        if not least:
            return self
        known = self._of_slack.get(least)
        if known is None:
            kept = [choice for choice in self.choices if choice.slack is None or choice.slack >= least]
            known = self._of_slack[least] = Factor(kept)
        return known


Factors = tuple[Factor, ...]

WIDTHS = (16, 32, 64, 128, 256, 512)
"""Possible bits per coefficient; the first that can hold the number of all selections is used."""


def width_for(factors: Iterable[Factor]) -> int:
    """The number of bits per coefficient that can hold the number of all selections."""
    size = 1
    for factor in factors:
        size *= factor.size
    return next(width for width in WIDTHS if size >> width - 1 == 0)


def digit_sum(coefficients: int, width: int) -> int:
    """The sum of all coefficients: the remainder modulo base - 1, as in casting out nines."""
    return coefficients % ((1 << width) - 1)


@cache
def parts_of(marks: int) -> tuple[tuple[int, int], ...]:
    """Every subset of `marks` with its sign for inclusion-exclusion: + for an even number of marks."""
    parts = [part for part in range(marks + 1) if part & marks == part]
    return tuple((part, -1 if part.bit_count() & 1 else 1) for part in parts)


class Selections:
    """All selections, one choice per factor, with a weight from `low` to `high` and all marks in `required`.

    They are ordered by the choice for the first factor, then for the second, and so on.
    """

    def __init__(self, factors: Factors, low: int, high: int | None = None, required: int = 0) -> None:
        self.factors = factors
        self.low = max(0, low)
        self.required = required
        self.width = width_for(factors)
        most = sum(factor.heaviest for factor in factors)
        self.high = most if high is None else min(high, most)
        self.kept = (1 << self.width * (self.high + 1)) - 1 if low <= self.high else 0
        """A mask for the coefficients of relevant weights."""

    @cached_property
    def total(self) -> int:
        """Their number."""
        number = 0
        for without, sign in parts_of(self.required):
            product = 1
            for factor in self.factors:
                product = product * factor.polynomial(self.width, without) & self.kept
            number += sign * digit_sum(product >> self.width * self.low, self.width)
        return number

    @cached_property
    def _suffixes(self) -> dict[int, list[int]]:
        """For every subset of the required marks: from each factor on, the product of the factors' polynomials."""
        suffixes = {}
        for without, _ in parts_of(self.required):
            products = [1]
            for factor in reversed(self.factors):
                products.append(products[-1] * factor.polynomial(self.width, without) & self.kept)
            suffixes[without] = products[::-1]
        return suffixes

    def _completions(self, index: int, weight: int, required: int) -> int:
        """The number of ways that factors from `index` on complete a selection of `weight` that needs `required`."""
        if weight > self.high:
            return 0
        window = self.kept >> self.width * weight
        number = 0
        for without, sign in parts_of(required):
            coefficients = (self._suffixes[without][index] & window) >> self.width * max(0, self.low - weight)
            number += sign * digit_sum(coefficients, self.width)
        return number

    def pick(self, index: int) -> Multiset:
        """The selection at `index`, as the canonical multiset of its tokens."""
        weight, required = 0, self.required
        tokens: list[str] = []
        for position, factor in enumerate(self.factors, 1):
            for choice in factor.choices:
                number = self._completions(position, weight + choice.weight, required & ~choice.marks)
                if index < number:
                    tokens += choice.tokens
                    weight += choice.weight
                    required &= ~choice.marks
                    break
                index -= number
            else:
                raise IndexError("no such selection")
        return tuple(sorted(tokens))

    def starting_at(self, index: int) -> Iterator[Multiset]:
        """The selections from `index` on."""
        if self._can_be_completed(0, 0, self.required) and (not index or index < self.total):
            yield from self._walk(0, 0, self.required, (), index)

    def _walk(self, position: int, weight: int, required: int, tokens: Multiset, skip: int) -> Iterator[Multiset]:
        if position == len(self.factors):
            yield tuple(sorted(tokens))
            return
        for choice in self.factors[position].choices:
            heavier = weight + choice.weight
            if heavier > self.high:
                continue
            missing = required & ~choice.marks
            if skip:
                number = self._completions(position + 1, heavier, missing)
                if number <= skip:
                    skip -= number
                    continue
            elif not self._can_be_completed(position + 1, heavier, missing):
                continue
            yield from self._walk(position + 1, heavier, missing, tokens + choice.tokens, skip)
            skip = 0

    def _can_be_completed(self, position: int, weight: int, missing: int) -> bool:
        """Whether the factors from `position` on can complete a selection of `weight`; cheaper than counting."""
        weights = self._reachable[position][missing] << weight
        return (weights & self._up_to_high) >> self.low != 0

    @cached_property
    def _up_to_high(self) -> int:
        return (1 << max(0, self.high + 1)) - 1

    @cached_property
    def _reachable(self) -> list[dict[int, int]]:
        """For each factor and each set of missing marks: bit w is set if the factors from it on can weigh w."""
        subsets = [part for part, _ in parts_of(self.required)]
        reachable = [{missing: 0 if missing else 1 for missing in subsets}]
        for factor in reversed(self.factors):
            following = reachable[-1]
            weights = dict.fromkeys(subsets, 0)
            for weight, marks in factor.weights_and_marks:
                if weight <= self.high:
                    for missing in subsets:
                        weights[missing] |= following[missing & ~marks] << weight
            reachable.append({missing: bits & self._up_to_high for missing, bits in weights.items()})
        return reachable[::-1]


class MinimalSelections:
    """The minimal payments for any price up to a limit: selections that pay the price while no proper part does.

    They come in families: `neutral`, and `alternatives` that each include it and add selections with `mark`; those
    without the mark are counted once. Leaving out a part costs at least the smallest slack of the selection's choices.
    A selection is minimal if and only if its weight is at least the price and its excess is less than that slack. So
    if its excess is between one slack and the next, none of its choices has the first slack or a smaller one. For each
    slack, the selections with at least this slack are counted by weight, once for all prices.
    """

    def __init__(self, neutral: Factors, alternatives: Sequence[Factors], mark: int, limit: int) -> None:
        self.families = [(neutral, 0), *((factors, mark) for factors in alternatives)]
        slacks: set[int] = set()
        for factors, _ in self.families:
            for factor in factors:
                slacks |= factor.slacks
        self.slacks = sorted(slacks)
        self.width = max(width_for(factors) for factors, _ in self.families)
        self.digits = (1 << self.width) - 1
        self.kept = (1 << self.width * (limit + GREATEST_SLACK)) - 1
        self.by_weight = [self._by_weight(factors) for factors, _ in self.families]
        """For each family and each slack: the number of selections with at least this slack, by weight."""
        again = len(alternatives) - 1
        self.all_by_weight = [
            sum(counts[1:]) - again * counts[0] if again >= 0 else counts[0]
            for counts in zip(*self.by_weight, strict=True)
        ]
        """The same for all families together."""
        starts = [0, *self.slacks]
        self.windows = [
            (start, end - start, (1 << self.width * (end - start)) - 1)
            for start, end in zip(starts, self.slacks, strict=False)
        ]
        """For each slack: the least excess needing it, for how many weights, and a mask of that many coefficients."""

    def _by_weight(self, factors: Factors) -> list[int]:
        tables = [factor.polynomials_by_slack(self.width) for factor in factors]
        kept = self.kept
        numbers = []
        for slack in self.slacks:
            product = 1
            for table in tables:
                polynomial = table[slack]
                if polynomial != 1:
                    product = product * polynomial & kept
            numbers.append(product)
        return numbers

    def paying(self, price: int) -> "Payments":
        """The minimal payments of `price`."""
        return Payments(self, price)

    def count(self, by_weight: int, level: int, price: int) -> int:
        """The number of selections in `by_weight` that pay `price` with an excess that needs the slack of `level`."""
        start, _, ones = self.windows[level]
        return (by_weight >> self.width * (price + start) & ones) % self.digits


class Payments:
    """The minimal payments of one price, ordered by family, then by slack."""

    def __init__(self, source: MinimalSelections, price: int) -> None:
        self.source = source
        self.price = price
        if price <= 0:
            self.total = 1  # only paying nothing is minimal
        else:
            self.total = sum(
                source.count(by_weight, level, price) for level, by_weight in enumerate(source.all_by_weight)
            )

    def _parts(self) -> Iterator[tuple[int, Selections]]:
        """The disjoint parts, each with its size; the price 0 allows only the empty selection."""
        if self.price <= 0:
            yield 1, Selections((), 0)
            return
        source = self.source
        neutral = source.by_weight[0]
        for (factors, required), by_weight in zip(source.families, source.by_weight, strict=True):
            for level, number_by_weight in enumerate(by_weight):
                marked = number_by_weight - neutral[level] if required else number_by_weight
                number = source.count(marked, level, self.price)
                if number:
                    start, weights, _ = source.windows[level]
                    low = self.price + start
                    kept = (factor.of_slack(source.slacks[level]) for factor in factors)
                    restricted = tuple(factor for factor in kept if factor.size > 1)
                    yield number, Selections(restricted, low, low + weights - 1, required)

    def pick(self, index: int) -> Multiset:
        for number, part in self._parts():
            if index < number:
                return part.pick(index)
            index -= number
        raise IndexError("no such selection")

    def starting_at(self, index: int) -> Iterator[Multiset]:
        for number, part in self._parts():
            if index < number:
                yield from part.starting_at(index)
            index = max(0, index - number)
