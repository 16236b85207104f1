"""Sources: values in a stable order, counted and picked without being listed, and narrowed to a partial move.

The legal moves of a decision are a source; so are the values of the members from which they are made: the payments of
a hand, the tiles on the table. A source of values knows which member it gives, or which `names` each of its tuples has.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice, product, starmap
from operator import methodcaller
from typing import Any, Generic, TypeVar

from capomastro.engine.partial import (
    Beginning,
    Members,
    Names,
    Openings,
    Partial,
    is_among,
    items_containing,
    members_of,
    next_ranks,
    openings_in,
    sum_of,
)

T_co = TypeVar("T_co", covariant=True)

FEW = 256
"""More are walked one by one instead of listed: pages are short."""


class Source(ABC, Generic[T_co]):
    """Values that can be counted, picked by index, and iterated over."""

    total: int
    names: Names = ()
    """The members that each value gives: one, or several; a value is then a tuple of them."""

    @abstractmethod
    def pick(self, index: int) -> T_co:
        """The value at `index`, 0 <= index < total."""

    @abstractmethod
    def starting_at(self, index: int) -> Iterator[T_co]:
        """The values from `index` on, created lazily."""

    @abstractmethod
    def completing(self, partial: Partial) -> "Source[T_co]":
        """Those that contain a partial move: counted as they were."""

    @abstractmethod
    def openings(self, name: str, partial: Partial) -> Openings:
        """What the values, which complete `partial`, can add to a member: each value or token that at least one of them
        has more of, with the number of those that do."""

    @abstractmethod
    def next_ranks(self, name: str, beginning: Beginning) -> set[int]:
        """The ranks of the tokens with which a set can go on after a beginning, and `END` if it can be complete.

        Nothing else has been chosen of that member.
        """


class Listable(Source[T_co]):
    """A source that is narrowed by going through its values, which must be few."""

    @property
    def members(self) -> Members:
        """What gets each member of a value."""
        return members_of(self.names)

    def completing(self, partial: Partial) -> "Source[T_co]":
        return Listed(items_containing(partial, [*self.starting_at(0)], self.members), self.names)

    def openings(self, name: str, partial: Partial) -> Openings:
        return openings_in(partial, name, self.values_of(name))

    def next_ranks(self, name: str, beginning: Beginning) -> set[int]:
        return next_ranks(beginning, self.values_of(name))

    def values_of(self, name: str) -> list[Any]:
        """The values of one of the members."""
        members = dict(self.members)
        return [members[name](value) for value in self.starting_at(0)]


class Listed(Listable[T_co]):
    """A short list."""

    def __init__(self, values: Sequence[T_co], names: Names = ()) -> None:
        self.values = values
        self.total = len(values)
        self.names = names

    def pick(self, index: int) -> T_co:
        return self.values[index]

    def starting_at(self, index: int) -> Iterator[T_co]:
        return iter(self.values[index:])


FROM_FIRST = methodcaller("starting_at", 0)
"""All values of a source."""


class Chained(Source[T_co]):
    """Several disjoint sources, one after the other."""

    def __init__(self, parts: Iterable[Source[T_co]]) -> None:
        self.parts = list(parts)
        self.total = sum([part.total for part in self.parts])
        self.names = self.parts[0].names if self.parts else ()

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

    def completing(self, partial: Partial) -> "Chained[T_co]":
        return Chained([part.completing(partial) for part in self.parts])

    def openings(self, name: str, partial: Partial) -> Openings:
        return sum_of(part.openings(name, partial) for part in self.parts)

    def next_ranks(self, name: str, beginning: Beginning) -> set[int]:
        return set().union(*[part.next_ranks(name, beginning) for part in self.parts])


class Mapped(Source[T_co]):
    """What is made of the values of another source, one by one."""

    def __init__(self, source: Source[Any], make: Callable[[Any], T_co]) -> None:
        self.source = source
        self.make = make
        self.total = source.total

    def pick(self, index: int) -> T_co:
        return self.make(self.source.pick(index))

    def starting_at(self, index: int) -> Iterator[T_co]:
        return map(self.make, self.source.starting_at(index))

    def completing(self, partial: Partial) -> "Mapped[T_co]":
        return Mapped(self.source.completing(partial), self.make)

    def openings(self, name: str, partial: Partial) -> Openings:
        return self.source.openings(name, partial)

    def next_ranks(self, name: str, beginning: Beginning) -> set[int]:
        return self.source.next_ranks(name, beginning)


class Paired(Source[T_co]):
    """What is made of all pairs of a few firsts with many seconds."""

    def __init__(self, firsts: Source[Any], seconds: Source[Any], make: Callable[[Any, Any], T_co]) -> None:
        self.firsts = firsts
        self.seconds = seconds
        self.make = make
        self.total = firsts.total * seconds.total

    def pick(self, index: int) -> T_co:
        first, second = divmod(index, self.seconds.total)
        return self.make(self.firsts.pick(first), self.seconds.pick(second))

    def starting_at(self, index: int) -> Iterator[T_co]:
        if index >= self.total:
            return iter(())
        if self.seconds.total <= FEW:
            pairs = product(self.firsts.starting_at(0), self.seconds.starting_at(0))
            return starmap(self.make, islice(pairs, index, None))
        return self._walk(*divmod(index, self.seconds.total))

    def _walk(self, begin: int, skip: int) -> Iterator[T_co]:
        """The pairs from a first and a second on, if there are too many seconds to list them."""
        for first in self.firsts.starting_at(begin):
            yield from (self.make(first, second) for second in self.seconds.starting_at(skip))
            skip = 0

    def completing(self, partial: Partial) -> "Paired[T_co]":
        firsts, seconds = (
            part.completing(partial) if partial.concerns(part.names) else part for part in (self.firsts, self.seconds)
        )
        return Paired(firsts, seconds, self.make)

    def openings(self, name: str, partial: Partial) -> Openings:
        if is_among(name, self.firsts.names):
            return +sum_of([self.firsts.openings(name, partial)], self.seconds.total)
        return +sum_of([self.seconds.openings(name, partial)], self.firsts.total)

    def next_ranks(self, name: str, beginning: Beginning) -> set[int]:
        if not self.total:
            return set()
        part = self.firsts if is_among(name, self.firsts.names) else self.seconds
        return part.next_ranks(name, beginning)
