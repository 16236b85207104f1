"""Counts, picks and iterates over selections of components without listing them.

A hand of money cards allows more than a million different bids. A *selection* takes one `Choice` for every *factor*
(for example, how many red fives), and is valid if its weight (for example, its worth) is great enough. Weights add up
over the factors, so the number of selections by weight is a product of polynomials: one per factor, whose coefficient
of x to the w is the number of choices of weight w. A polynomial is stored in one integer with a fixed number of bits
per coefficient; the product of two such integers is the product of the polynomials, computed by the fastest code there
is.
"""

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, chain
from math import prod
from operator import itemgetter, mul
from typing import NamedTuple

from capomastro.engine.multisets import Multiset
from capomastro.engine.partial import END, NOTHING_CHOSEN, Beginning, Openings, Partial, Tokens
from capomastro.engine.sources import FEW, Listed, Source

NO_SLACK = 15
"""The slack of a choice without tokens: more than others have."""


class Choice(NamedTuple):
    """One choice for a factor.

    A selection can be required to have a `marked` choice. `slack` is the smallest weight lost by leaving out some of
    the tokens; see `minimal_selections`.
    """

    tokens: Multiset
    weight: int
    marked: bool = False
    slack: int = NO_SLACK


WIDTHS = (16, 32, 64)
"""Possible bits per coefficient; the first that can hold the number of all selections is used."""


def polynomial_of(choices: Iterable[Choice], width: int) -> int:
    """The number of choices by weight, with `width` bits per coefficient."""
    return sum([1 << width * choice.weight for choice in choices])


class Factor:
    """The choices for one kind of component. Make each factor of a box once: its polynomials are made with it."""

    def __init__(self, choices: Iterable[Choice], widths: Sequence[int] = WIDTHS) -> None:
        self.choices = tuple(choices)
        self.size = len(self.choices)
        self.alphabet = frozenset(chain.from_iterable([choice.tokens for choice in self.choices]))
        """The tokens of its choices, which no other factor has."""
        self.heaviest = max([choice.weight for choice in self.choices])
        self.slacks = frozenset([choice.slack for choice in self.choices])
        unmarked = [choice for choice in self.choices if not choice.marked]
        self.polynomials = {width: polynomial_of(self.choices, width) for width in widths}
        """By the bits per coefficient."""
        self.unmarked = {width: polynomial_of(unmarked, width) for width in widths}
        """Those of the choices without a mark."""

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
    most = prod([factor.size for factor in factors])
    return next(width for width in WIDTHS if most >> width - 1 == 0)


def products_of(polynomials: Sequence[int]) -> list[int]:
    """The product of all of them, of all but the first, and so on, down to that of none."""
    return [*accumulate(polynomials[::-1], mul, initial=1)][::-1]


NEVER = -1_000_000
"""The weight of a choice that does not exist."""


class Heaviest(NamedTuple):
    """The weight of the heaviest of some choices for a factor, and of the heaviest marked one."""

    of_all: int = NEVER
    of_marked: int = NEVER


def heaviest_of(choices: Sequence[Choice]) -> Heaviest:
    marked = [choice.weight for choice in choices if choice.marked]
    return Heaviest(max([choice.weight for choice in choices], default=NEVER), max(marked, default=NEVER))


class Selections(Source[Multiset]):
    """All selections, one choice per factor, that weigh `low` at least; with a marked choice, if one is `required`.

    They are ordered by the choice for the first factor, then for the second, and so on.
    """

    def __init__(
        self, factors: Factors, low: int, required: bool = False, member: str = "", width: int | None = None
    ) -> None:
        """`member`: what they are chosen for; `width`: the bits per coefficient, if it is known how many suffice."""
        self.factors = factors
        self.low = low
        self.required = required
        self.member = self.names = member
        self.width = width = width or width_for(factors)
        self.nines = (1 << width) - 1
        """The greatest coefficient."""
        self.products = products_of([factor.polynomials[width] for factor in factors])
        self.unmarked = products_of([factor.unmarked[width] for factor in factors]) if required else []
        self.total = self.number(0, 0, required)

    def number(self, position: int, weight: int, required: bool) -> int:
        """In how many ways the factors from `position` on complete a selection of `weight`; all less those unmarked."""
        number = self.number_in(self.products[position], weight)
        return number - self.number_in(self.unmarked[position], weight) if required else number

    def number_in(self, product: int, weight: int) -> int:
        """How many of the ways that a polynomial counts are heavy enough, together with `weight`.

        That is the sum of coefficients: the remainder modulo base - 1, as in casting out nines.
        """
        missing = self.low - weight
        return (product >> self.width * missing if missing > 0 else product) % self.nines

    def pick(self, index: int) -> Multiset:
        """Takes for each factor the choice whose selections include this one: in half the time of a walk (2026-11-28).

        Raises:
            IndexError: if there are not more than `index`.
        """
        if index >= self.total:
            raise IndexError(index)
        weight, required = 0, self.required
        tokens: list[str] = []
        for position, factor in enumerate(self.factors, 1):
            for choice in factor.choices:
                heavier, missing = weight + choice.weight, required and not choice.marked
                number = self.number(position, heavier, missing)
                if index < number:
                    weight, required = heavier, missing
                    tokens += choice.tokens
                    break
                index -= number
        return tuple(sorted(tokens))

    def starting_at(self, index: int) -> Iterator[Multiset]:
        if self.total <= FEW:
            return iter(self.listed()[index:])
        return self.walk(0, 0, self.required, (), index) if index < self.total else iter(())

    def listed(self) -> list[Multiset]:
        """Few selections: each round extends every beginning by one factor.

        To walk them takes twice as long (2026-11-27).
        """
        if not self.total:
            return []
        needed = self.low - sum([factor.heaviest for factor in self.factors])
        beginnings: list[tuple[Multiset, int, bool]] = [((), 0, not self.required)]
        for position, factor in enumerate(self.factors, 1):
            needed += factor.heaviest
            later = self.required and self.products[position] != self.unmarked[position]
            beginnings = [
                (tokens + more, heavier, found or marked)
                for tokens, weight, found in beginnings
                for more, extra, marked, _ in factor.choices
                if (heavier := weight + extra) >= needed and (found or marked or later)
            ]
        return [tuple(sorted(tokens)) for tokens, _, _ in beginnings]

    def walk(self, position: int, weight: int, required: bool, tokens: Multiset, skip: int) -> Iterator[Multiset]:
        """The selections that begin with `tokens`, as `number` counts them, less the first `skip`."""
        if position == len(self.factors):
            yield tuple(sorted(tokens))
            return
        for choice in self.factors[position].choices:
            heavier, missing = weight + choice.weight, required and not choice.marked
            number = self.number(position + 1, heavier, missing)
            if skip < number:
                yield from self.walk(position + 1, heavier, missing, tokens + choice.tokens, skip)
            skip = max(0, skip - number)

    def completing(self, partial: Partial) -> Source[Multiset]:
        """Each factor keeps the choices that contain what is chosen."""
        part = partial.sets.get(self.member, NOTHING_CHOSEN)
        touched = {*part.chosen, *part.final}
        if not touched:
            return self
        if not frozenset(part.chosen) <= frozenset().union(*[factor.alphabet for factor in self.factors]):
            return Listed((), self.member)
        factors = []
        for factor in self.factors:
            if factor.alphabet.isdisjoint(touched):
                factors.append(factor)
            elif choices := factor.choices_with(part):
                factors.append(factor if len(choices) == factor.size else Factor(choices, (self.width,)))
            else:
                return Listed((), self.member)
        return Selections(tuple(factors), self.low, self.required, self.member, self.width)

    def openings(self, name: str, partial: Partial) -> Openings:
        """For each token one product of polynomials, however many selections there are: that of its factor's choices
        with more of it, times that of all other factors."""
        found = self.openings_among([factor.choices for factor in self.factors], self.products, partial)
        if self.required:
            unmarked = [[each for each in factor.choices if not each.marked] for factor in self.factors]
            found -= self.openings_among(unmarked, self.unmarked, partial)
        return +found

    def openings_among(
        self, choices: Sequence[Sequence[Choice]], products: Sequence[int], partial: Partial
    ) -> Openings:
        """The same with these choices for each factor; these are their products."""
        chosen = Counter(partial.sets.get(self.member, NOTHING_CHOSEN).chosen)
        before = accumulate([polynomial_of(each, self.width) for each in choices], mul, initial=1)
        found: Counter[str] = Counter()
        for of_factor, factor, earlier, later in zip(choices, self.factors, before, products[1:], strict=False):
            for token in factor.alphabet:
                more = [each for each in of_factor if each.tokens.count(token) > chosen[token]]
                found[token] = self.number_in(earlier * later * polynomial_of(more, self.width), 0)
        return found

    def next_ranks(self, name: str, beginning: Beginning) -> set[int]:
        """From the last token back: whether selections that go on with it exist, not how many.

        Those are the choices of its factor that do, with choices of all other factors that go on with a later one, or
        have no more than the beginning.
        """
        tokens, rank = beginning
        if not {*tokens}.issubset(chain.from_iterable([factor.alphabet for factor in self.factors])):
            return set()
        least = rank[tokens[-1]] if tokens else 0
        later = [Heaviest() for _ in self.factors]
        going_on: defaultdict[tuple[int, int], list[Choice]] = defaultdict(list)
        for index, factor in enumerate(self.factors):
            begun = beginning.among(factor.alphabet)
            complete = []
            for choice in factor.choices:
                after = begun.rank_of_next(choice.tokens)
                if after == END:
                    complete.append(choice)
                elif after is not None and after >= least:
                    going_on[after, index].append(choice)
            later[index] = heaviest_of(complete)
        found = {END} if self.are_enough(later) else set()
        for (after, index), choices in sorted(going_on.items(), key=itemgetter(0), reverse=True):
            before, heaviest = later[index], heaviest_of(choices)
            later[index] = heaviest
            if self.are_enough(later):
                found.add(after)
            later[index] = Heaviest(*map(max, before, heaviest))
        return found

    def are_enough(self, heaviest: Sequence[Heaviest]) -> bool:
        """Whether the heaviest choices of the factors are a selection."""
        together = sum([each.of_all for each in heaviest])
        if self.required:
            together += max([each.of_marked - each.of_all for each in heaviest], default=NEVER)
        return together >= self.low


def minimal_selections(families: Sequence[tuple[Factors, bool]], price: int) -> tuple[Multiset, ...]:
    """The selections of each family that pay `price` while no proper part of them does; with a marked choice, if the
    family requires one.

    Leaving out a part costs at least the smallest slack of the selection's choices, so a selection is minimal if and
    only if its excess is less than that. One that pays is never extended, because that costs more than it may exceed,
    so even a large hand has few beginnings to go through, and few selections.

    Each family is ordered by the number of different slacks that the excess reaches, then like all selections.
    """
    slacks = sorted(frozenset().union(*[factor.slacks for factors, _ in families for factor in factors]))
    found: list[Multiset] = []
    for factors, required in families:
        heaviest = sum([factor.heaviest for factor in factors])
        if heaviest >= price:
            minimal: list[tuple[int, Multiset]] = []
            add_minimal(minimal, factors, heaviest, (), -price, NO_SLACK, required)
            minimal.sort(key=lambda each: bisect_right(slacks, each[0]))
            found += [tuple(sorted(tokens)) for _, tokens in minimal]
    return tuple(found)


def add_minimal(
    minimal: list[tuple[int, Multiset]],
    factors: Factors,
    heaviest: int,
    tokens: Multiset,
    excess: int,
    slack: int,
    required: bool,
) -> None:
    """Adds to `minimal` the selections that begin with `tokens`, each with its excess.

    Their other choices are those of `factors`, which weigh `heaviest` at most. `excess` is that of the beginning, below
    0 if it does not pay yet; `slack` is its smallest. A generator would take a sixth longer (2026-11-27).
    """
    if excess >= 0:
        if not required:
            minimal.append((excess, tokens))
        return
    later, heaviest = factors[1:], heaviest - factors[0].heaviest
    for more, weight, marked, own in factors[0].choices:
        after = excess + weight
        if after + heaviest >= 0 and after < slack and after < own:
            add_minimal(minimal, later, heaviest, tokens + more, after, min(slack, own), required and not marked)
