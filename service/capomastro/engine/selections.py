"""Counts, picks and iterates over selections of components without listing them.

A hand of money cards allows more than a million different bids. A *selection* takes one `Choice` for every *factor*
(for example, how many red fives), and is valid if its weight (for example, its worth) is in a range. Weights add up
over the factors, so the number of selections by weight is a product of polynomials: one per factor, whose coefficient
of x to the w is the number of choices of weight w. A polynomial is stored in one integer with a fixed number of bits
per coefficient; the product of two such integers is the product of the polynomials, computed by the fastest code there
is.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import accumulate, chain
from operator import itemgetter, methodcaller, mul
from typing import Generic, NamedTuple, Protocol, TypeVar

from capomastro.engine.memory import remembered_for_request
from capomastro.engine.multisets import Multiset
from capomastro.engine.once import Once

T_co = TypeVar("T_co", covariant=True)


class Source(Protocol[T_co]):
    """Items that can be counted, picked by index, and iterated over."""

    @property
    def total(self) -> int: ...

    def pick(self, index: int, /) -> T_co: ...

    def starting_at(self, index: int, /) -> Iterator[T_co]: ...


FROM_FIRST = methodcaller("starting_at", 0)
"""All items of a source."""


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
        if not index:
            return chain.from_iterable(map(FROM_FIRST, self.parts))
        for place, part in enumerate(self.parts, 1):
            if index < part.total:
                return chain(part.starting_at(index), chain.from_iterable(map(FROM_FIRST, self.parts[place:])))
            index -= part.total
        return iter(())


class Choice(NamedTuple):
    """One choice for a factor.

    `marks` are bits; a selection can be required to have certain marks. `slack` is the smallest weight lost by leaving
    out some of the tokens (None without tokens); see `minimal_selections`.
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

    @Once
    def slacks(self) -> frozenset[int]:
        return frozenset(choice.slack for choice in self.choices if choice.slack is not None)

    @Once
    def weights_and_marks(self) -> set[tuple[int, int]]:
        return {(choice.weight, choice.marks) for choice in self.choices}

    def polynomial(self, width: int, without: int) -> int:
        """The number of choices without any of the marks `without`, by weight, with `width` bits per coefficient."""
        known = self._polynomials.get((width, without))
        if known is None:
            terms = [1 << width * choice.weight for choice in self.choices if not choice.marks & without]
            known = self._polynomials[width, without] = sum(terms)
        return known

    def prepare(self, most_selections: int, required: int) -> None:
        """Works out now what is otherwise cached at first use, for at most so many selections with `required` marks."""
        _ = self.slacks, self.weights_and_marks
        for width in WIDTHS[: WIDTHS.index(width_that_holds(most_selections)) + 1]:
            for without, _ in parts_of(required):
                self.polynomial(width, without)


Factors = tuple[Factor, ...]

WIDTHS = (16, 32, 64, 128, 256, 512)
"""Possible bits per coefficient; the first that can hold the number of all selections is used."""


def width_for(factors: Iterable[Factor]) -> int:
    """The number of bits per coefficient that can hold the number of all selections."""
    size = 1
    for factor in factors:
        size *= factor.size
    return width_that_holds(size)


def width_that_holds(number: int) -> int:
    """The first of the widths whose coefficients can hold a number."""
    return next(width for width in WIDTHS if number >> width - 1 == 0)


EVERYTHING = -1
"""A mask that keeps all coefficients."""


@remembered_for_request(maximum=256)
def product_of(polynomials: tuple[int, ...], kept: int) -> int:
    """The product of polynomials; of all coefficients only those under the mask `kept`.

    Cached, because the same hand is asked for several prices, and has the same groups in every currency.
    """
    product = 1
    for polynomial in polynomials:
        product = product * polynomial & kept
    return product


def digit_sum(coefficients: int, width: int) -> int:
    """The sum of all coefficients: the remainder modulo base - 1, as in casting out nines."""
    return coefficients % ((1 << width) - 1)


@cache
def parts_of(marks: int) -> tuple[tuple[int, int], ...]:
    """Every subset of `marks` with its sign for inclusion-exclusion: + for an even number of marks."""
    parts = [part for part in range(marks + 1) if part & marks == part]
    return tuple((part, -1 if part.bit_count() & 1 else 1) for part in parts)


FEW = 256
"""More are walked one by one instead of listed: pages are short."""


class Selections:
    """All selections, one choice per factor, with a weight from `low` to `high` and all marks in `required`.

    They are ordered by the choice for the first factor, then for the second, and so on.
    """

    def __init__(self, factors: Factors, low: int, high: int | None = None, required: int = 0) -> None:
        self.factors = factors
        self.low = max(0, low)
        self.required = required
        self.most = sum([factor.heaviest for factor in factors])
        self.high = self.most if high is None else min(high, self.most)

    @Once
    def width(self) -> int:
        return width_for(self.factors)

    @Once
    def kept(self) -> int:
        """A mask for the coefficients of relevant weights."""
        if self.high == self.most:
            return EVERYTHING
        return (1 << self.width * (self.high + 1)) - 1 if self.low <= self.high else 0

    @Once
    def total(self) -> int:
        """Their number."""
        number = 0
        for without, sign in parts_of(self.required):
            polynomials = tuple([factor.polynomial(self.width, without) for factor in self.factors])
            product = product_of(polynomials, self.kept)
            number += sign * digit_sum(product >> self.width * self.low, self.width)
        return number

    @Once
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
        if index >= self.total:
            return iter(())
        if self.total <= FEW:
            return iter(self._listed(0, 0, self.required, ())[index:])
        return self._walk(0, 0, self.required, (), index)

    def _walk(self, position: int, weight: int, required: int, tokens: Multiset, skip: int) -> Iterator[Multiset]:
        """The selections that begin with `tokens`, less the first `skip` of them."""
        if self._most_from[position] <= FEW:
            yield from self._listed(position, weight, required, tokens)[skip:]
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

    @Once
    def _most_from(self) -> list[int]:
        """For each factor, the number of combinations of it and those after it, whatever their weight."""
        return list(accumulate([factor.size for factor in reversed(self.factors)], mul, initial=1))[::-1]

    def _listed(self, position: int, weight: int, required: int, tokens: Multiset) -> list[Multiset]:
        """The selections that begin with `tokens`: each round extends every beginning by one factor.

        Faster than walking, which passes each selection through as many generators as there are factors.
        """
        low, high, up_to_high = self.low, self.high, self._up_to_high
        beginnings = [(tokens, weight, required)]
        for factor, reachable in zip(self.factors[position:], self._reachable[position + 1 :], strict=True):
            beginnings = [
                (before + more, heavier, missing)
                for before, lighter, needed in beginnings
                for more, extra, marks, _ in factor.choices
                if (heavier := lighter + extra) <= high
                and (reachable[missing := needed & ~marks] << heavier & up_to_high) >> low
            ]
        return [tuple(sorted(each)) for each, _, _ in beginnings]

    def _can_be_completed(self, position: int, weight: int, missing: int) -> bool:
        """Whether the factors from `position` on can complete a selection of `weight`; cheaper than counting."""
        weights = self._reachable[position][missing] << weight
        return (weights & self._up_to_high) >> self.low != 0

    @Once
    def _up_to_high(self) -> int:
        return (1 << max(0, self.high + 1)) - 1

    @Once
    def _reachable(self) -> list[dict[int, int]]:
        """For each factor and each set of missing marks: bit w is set if it and those after it can weigh w."""
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


@remembered_for_request(maximum=1024)
def numbers_reached(slacks: frozenset[int]) -> tuple[int, ...]:
    """For each excess below `GREATEST_SLACK`, how many of the slacks it reaches."""
    ascending = sorted(slacks)
    return tuple(bisect_right(ascending, excess) for excess in range(GREATEST_SLACK))


def minimal_selections(families: Sequence[tuple[Factors, int]], price: int) -> tuple[Multiset, ...]:
    """The selections of each family that pay `price` while no proper part of them does, with its required marks.

    Leaving out a part costs at least the smallest slack of the selection's choices, so a selection is minimal if and
    only if its excess is less than that. A selection that pays is hardly ever extended, so even a large hand has few
    beginnings to go through, and few selections.

    Each family is ordered by the number of different slacks that the excess reaches, then like all selections.
    """
    reached = numbers_reached(frozenset().union(*[factor.slacks for factors, _ in families for factor in factors]))
    found: list[Multiset] = []
    for factors, required in families:
        rest = sum([factor.heaviest for factor in factors])
        if rest < price:
            continue
        # each beginning: its tokens, its weight, the smallest slack of its choices, and its marks
        beginnings: list[tuple[Multiset, int, int, int]] = [((), 0, GREATEST_SLACK, 0)]
        for factor in factors:
            rest -= factor.heaviest
            choices: Sequence[Choice] = factor.choices
            if factor.heaviest > price:  # without choices that pay too much even alone
                choices = [one for one in choices if one.slack is None or one.weight - price < one.slack]
            beginnings = [
                (tokens + more, heavier, smallest, marks | marked)
                for tokens, weight, before, marks in beginnings
                for more, extra, marked, slack in choices
                if (heavier := weight + extra) + rest >= price
                and heavier - price < (smallest := before if slack is None or slack > before else slack)
            ]
        minimal = [
            (reached[weight - price], tokens)
            for tokens, weight, _, marks in beginnings
            if weight >= price and marks & required == required
        ]
        minimal.sort(key=itemgetter(0))
        found += [tuple(sorted(tokens)) for _, tokens in minimal]
    return tuple(found)
