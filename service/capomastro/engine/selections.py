"""Counts, picks and iterates over selections of components without listing them.

A hand of money cards allows more than a million different bids. A *selection* takes one `Choice` for every *factor*
(for example, how many red fives), and is valid if its weight (for example, its worth) is in a range. Weights add up
over the factors, so the number of selections by weight is a product of polynomials: one per factor, whose coefficient
of x to the w is the number of choices of weight w. A polynomial is stored in one integer with a fixed number of bits
per coefficient; the product of two such integers is the product of the polynomials, computed by the fastest code there
is.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, chain, groupby
from operator import itemgetter, methodcaller, mul
from typing import Generic, NamedTuple, Protocol, TypeVar

from capomastro.engine.multisets import Multiset
from capomastro.engine.partial import (
    END,
    NOTHING_CHOSEN,
    Beginning,
    ListedSource,
    Names,
    Narrowing,
    Openings,
    Partial,
    Tokens,
    sum_of,
)

T_co = TypeVar("T_co", covariant=True)


class Listing(Protocol[T_co]):
    """Items that can be counted, picked by index, and iterated over."""

    @property
    def total(self) -> int: ...

    def pick(self, index: int, /) -> T_co: ...

    def starting_at(self, index: int, /) -> Iterator[T_co]: ...


class Source(Listing[T_co], Narrowing, Protocol[T_co]):
    """A listing of values for members of moves, which can be narrowed to those that contain a partial move."""


FROM_FIRST = methodcaller("starting_at", 0)
"""All items of a listing."""


class Chained(Generic[T_co]):
    """Several disjoint listings, one after the other."""

    parts: Sequence[Listing[T_co]]

    def __init__(self, parts: Iterable[Listing[T_co]]) -> None:
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


class ChainedSources(Chained[T_co]):
    """Several disjoint sources, one after the other."""

    parts: Sequence[Source[T_co]]

    def containing(self, names: Names, partial: Partial) -> "ChainedSources[T_co]":
        return ChainedSources([part.containing(names, partial) for part in self.parts])

    def openings(self, names: Names, name: str, partial: Partial) -> Openings:
        return sum_of(part.openings(names, name, partial) for part in self.parts)

    def next_ranks(self, names: Names, name: str, beginning: Beginning) -> set[int]:
        return set().union(*[part.next_ranks(names, name, beginning) for part in self.parts])


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


WIDTHS = (16, 32, 64, 128, 256, 512)
"""Possible bits per coefficient; the first that can hold the number of all selections is used."""


def polynomial_of(choices: Iterable[Choice], width: int, without: int) -> int:
    """The number of choices without any of the marks `without`, by weight, with `width` bits per coefficient."""
    return sum([1 << width * choice.weight for choice in choices if not choice.marks & without])


class Factor:
    """The choices for one kind of component. Make each factor of a box once: its polynomials are made with it."""

    def __init__(self, choices: Iterable[Choice], widths: Sequence[int] = WIDTHS) -> None:
        self.choices = tuple(choices)
        self.size = len(self.choices)
        self.alphabet = frozenset(chain.from_iterable([choice.tokens for choice in self.choices]))
        """The tokens of its choices, which no other factor has."""
        self.heaviest = max([choice.weight for choice in self.choices])
        self.slacks = frozenset(choice.slack for choice in self.choices if choice.slack is not None)
        self.weights_and_marks = {(choice.weight, choice.marks) for choice in self.choices}
        self.marks = 0
        for choice in self.choices:
            self.marks |= choice.marks
        self.polynomials = {
            (width, without): polynomial_of(self.choices, width, without)
            for width in widths
            for without, _ in parts_of(self.marks)
        }

    def polynomial(self, width: int, without: int) -> int:
        """The number of choices without any of the marks `without`, by weight, with `width` bits per coefficient."""
        return self.polynomials[width, without & self.marks]

    def choices_with(self, part: Tokens) -> list[Choice]:
        """The choices that contain what is chosen of its tokens."""
        limited = self.alphabet.intersection((*part.chosen, *part.final))
        return [
            choice
            for choice in self.choices
            if all(part.allows(token, choice.tokens.count(token)) for token in limited)
        ]


Factors = tuple[Factor, ...]


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


def digit_sum(coefficients: int, width: int) -> int:
    """The sum of all coefficients: the remainder modulo base - 1, as in casting out nines."""
    return coefficients % ((1 << width) - 1)


def parts_of(marks: int) -> list[tuple[int, int]]:
    """Every subset of `marks` with its sign for inclusion-exclusion: + for an even number of marks."""
    return [(part, -1 if part.bit_count() & 1 else 1) for part in range(marks + 1) if part & marks == part]


FEW = 256
"""More are walked one by one instead of listed: pages are short."""


class Selections:
    """All selections, one choice per factor, with a weight from `low` to `high` and all marks in `required`.

    They are ordered by the choice for the first factor, then for the second, and so on.
    """

    def __init__(
        self, factors: Factors, low: int, high: int | None = None, required: int = 0, width: int | None = None
    ) -> None:
        """`width`: the bits per coefficient, if it is known how many suffice."""
        self.factors = factors
        self.low = max(0, low)
        self.required = required
        self.most = sum([factor.heaviest for factor in factors])
        self.high = self.most if high is None else min(high, self.most)
        self.width = width or width_for(factors)
        self.kept = EVERYTHING
        """A mask for the coefficients of relevant weights."""
        if self.high < self.most:
            self.kept = (1 << self.width * (self.high + 1)) - 1 if self.low <= self.high else 0
        self.total = self._number()

    def _number(self) -> int:
        """How many selections there are."""
        number = 0
        for without, sign in parts_of(self.required):
            product = 1
            for factor in self.factors:
                product = product * factor.polynomial(self.width, without) & self.kept
            number += sign * self._number_in(product)
        return number

    def _times(self, factor: int, by: int) -> int:
        """The product of two polynomials, as far as weights matter."""
        return factor * by & self.kept

    def _number_in(self, product: int) -> int:
        """How many selections of a weight in the range a polynomial counts."""
        return digit_sum(product >> self.width * self.low, self.width)

    def pick(self, index: int) -> Multiset:
        """The selection at `index`, as the canonical multiset of its tokens."""
        completions = Completions(self)
        weight, required = 0, self.required
        tokens: list[str] = []
        for position, factor in enumerate(self.factors, 1):
            for choice in factor.choices:
                number = completions.number(position, weight + choice.weight, required & ~choice.marks)
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
        walk = Walk(self)
        if self.total <= FEW:
            return iter(walk.listed(0, 0, self.required, ())[index:])
        return walk.selections(0, 0, self.required, (), index)

    def containing(self, names: Names, partial: Partial) -> "Selections | ListedSource":
        """The selections that contain what is chosen: each factor keeps the choices that do."""
        assert isinstance(names, str), "a selection is one member"
        part = partial.sets.get(names, NOTHING_CHOSEN)
        touched = {*part.chosen, *part.final}
        if not touched:
            return self
        if not frozenset(part.chosen) <= frozenset().union(*[factor.alphabet for factor in self.factors]):
            return ListedSource(())
        factors = []
        for factor in self.factors:
            if factor.alphabet.isdisjoint(touched):
                factors.append(factor)
            elif choices := factor.choices_with(part):
                factors.append(factor if len(choices) == factor.size else Factor(choices, (self.width,)))
            else:
                return ListedSource(())
        return Selections(tuple(factors), self.low, self.high, self.required, self.width)

    def openings(self, names: Names, name: str, partial: Partial) -> Openings:
        """For each token one product of polynomials, however many selections there are: that of its factor's choices
        with more of it, times that of all other factors."""
        chosen = Counter(partial.sets.get(name, NOTHING_CHOSEN).chosen)
        found: Counter[str] = Counter()
        for without, sign in parts_of(self.required):
            polynomials = [factor.polynomial(self.width, without) for factor in self.factors]
            before = [*accumulate(polynomials, self._times, initial=1)]
            after = [*accumulate(reversed(polynomials), self._times, initial=1)][-2::-1]
            for factor, earlier, later in zip(self.factors, before, after, strict=False):
                others = self._times(earlier, later)
                for token in factor.alphabet:
                    more = [each for each in factor.choices if each.tokens.count(token) > chosen[token]]
                    product = self._times(others, polynomial_of(more, self.width, without))
                    found[token] += sign * self._number_in(product)
        return +found

    def next_ranks(self, names: Names, name: str, beginning: Beginning) -> set[int]:
        """From the last token back: whether selections that go on with it exist, not how many.

        Those are the choices of its factor that do, with choices of all other factors that go on with a later one, or
        have no more than the beginning.
        """
        tokens, rank = beginning
        if not {*tokens}.issubset(chain.from_iterable([factor.alphabet for factor in self.factors])):
            return set()
        least = rank[tokens[-1]] if tokens else 0
        later: list[list[Choice]] = [[] for _ in self.factors]
        going_on: list[tuple[int, int, Choice]] = []
        for index, factor in enumerate(self.factors):
            begun = beginning.among(factor.alphabet)
            for choice in factor.choices:
                after = begun.rank_of_next(choice.tokens)
                if after == END:
                    later[index].append(choice)
                elif after is not None and after >= least:
                    going_on.append((after, index, choice))
        found = {END} if self._has(later) else set()
        going_on.sort(key=itemgetter(0), reverse=True)
        for (after, index), group in groupby(going_on, itemgetter(0, 1)):
            choices = [choice for _, _, choice in group]
            if self._has([*later[:index], choices, *later[index + 1 :]]):
                found.add(after)
            later[index] += choices
        return found

    def _has(self, choices: Sequence[Iterable[Choice]]) -> bool:
        """Whether one of these choices for each factor are a selection."""
        weights = {self.required: 1}
        """By missing marks: bit w is set if the choices so far can weigh w."""
        for of_factor in choices:
            heavier: dict[int, int] = {}
            for missing, bits in weights.items():
                for _, weight, marks, _ in of_factor:
                    left = missing & ~marks
                    heavier[left] = heavier.get(left, 0) | bits << weight
            weights = heavier
        return weights.get(0, 0) & (1 << self.high + 1) - 1 >= 1 << self.low


class Completions:
    """Counts the ways to complete a selection from one of its factors on."""

    def __init__(self, selections: Selections) -> None:
        self.low, self.high = selections.low, selections.high
        self.width, self.kept = selections.width, selections.kept
        self.suffixes: dict[int, list[int]] = {}
        """For every subset of the required marks: from each factor on, the product of the factors' polynomials."""
        for without, _ in parts_of(selections.required):
            products = [1]
            for factor in reversed(selections.factors):
                products.append(products[-1] * factor.polynomial(self.width, without) & self.kept)
            self.suffixes[without] = products[::-1]

    def number(self, position: int, weight: int, required: int) -> int:
        """The number of ways that factors from `position` on complete one of `weight` that still needs `required`."""
        if weight > self.high:
            return 0
        window = self.kept >> self.width * weight
        number = 0
        for without, sign in parts_of(required):
            coefficients = (self.suffixes[without][position] & window) >> self.width * max(0, self.low - weight)
            number += sign * digit_sum(coefficients, self.width)
        return number


class Walk:
    """Goes through selections in their order."""

    def __init__(self, selections: Selections) -> None:
        self.factors = selections.factors
        self.low, self.high = selections.low, selections.high
        self.completions = Completions(selections)
        sizes = [factor.size for factor in reversed(self.factors)]
        self.most_from = list(accumulate(sizes, mul, initial=1))[::-1]
        """For each factor, the number of combinations of it and those after it, whatever their weight."""
        self.up_to_high = (1 << max(0, self.high + 1)) - 1
        self.reachable = self._reachable(selections.required)

    def _reachable(self, required: int) -> list[dict[int, int]]:
        """For each factor and each set of missing marks: bit w is set if it and those after it can weigh w."""
        subsets = [part for part, _ in parts_of(required)]
        reachable = [{missing: 0 if missing else 1 for missing in subsets}]
        for factor in reversed(self.factors):
            following = reachable[-1]
            weights = dict.fromkeys(subsets, 0)
            for weight, marks in factor.weights_and_marks:
                if weight <= self.high:
                    for missing in subsets:
                        weights[missing] |= following[missing & ~marks] << weight
            reachable.append({missing: bits & self.up_to_high for missing, bits in weights.items()})
        return reachable[::-1]

    def selections(self, position: int, weight: int, required: int, tokens: Multiset, skip: int) -> Iterator[Multiset]:
        """The selections that begin with `tokens`, less the first `skip` of them."""
        if self.most_from[position] <= FEW:
            yield from self.listed(position, weight, required, tokens)[skip:]
            return
        for choice in self.factors[position].choices:
            heavier = weight + choice.weight
            if heavier > self.high:
                continue
            missing = required & ~choice.marks
            if skip:
                number = self.completions.number(position + 1, heavier, missing)
                if number <= skip:
                    skip -= number
                    continue
            elif not self.can_be_completed(position + 1, heavier, missing):
                continue
            yield from self.selections(position + 1, heavier, missing, tokens + choice.tokens, skip)
            skip = 0

    def listed(self, position: int, weight: int, required: int, tokens: Multiset) -> list[Multiset]:
        """The selections that begin with `tokens`: each round extends every beginning by one factor.

        Faster than walking, which passes each selection through as many generators as there are factors.
        """
        low, high, up_to_high = self.low, self.high, self.up_to_high
        beginnings = [(tokens, weight, required)]
        for factor, reachable in zip(self.factors[position:], self.reachable[position + 1 :], strict=True):
            beginnings = [
                (before + more, heavier, missing)
                for before, lighter, needed in beginnings
                for more, extra, marks, _ in factor.choices
                if (heavier := lighter + extra) <= high
                and (reachable[missing := needed & ~marks] << heavier & up_to_high) >> low
            ]
        return [tuple(sorted(each)) for each, _, _ in beginnings]

    def can_be_completed(self, position: int, weight: int, missing: int) -> bool:
        """Whether the factors from `position` on can complete a selection of `weight`; cheaper than counting."""
        weights = self.reachable[position][missing] << weight
        return (weights & self.up_to_high) >> self.low != 0


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
                choices = [each for each in choices if each.slack is None or each.weight - price < each.slack]
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
