"""Partial moves: what is chosen of a move so far, which moves contain it, and what can still be added to it.

A player chooses the members of a move one by one, and the tokens of a set one by one. A *source* of values for one or
more members (`sources`, `selections.Selections`) can be narrowed to those that contain a partial move, and be asked for
its `openings`: each value or token that can still be added, with the number of items that then remain. Sources that are
counted answer both without listing anything.
"""

import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from operator import itemgetter
from typing import Any, NamedTuple

from capomastro.engine.multisets import Multiset

Names = str | tuple[str, ...]
"""The members that each item of a source gives: one, or several; an item is then a tuple of them."""

Openings = Counter[Any]
"""The values or tokens that can still be added to a member, and the number of moves with each of them."""


class Tokens(NamedTuple):
    """What is chosen of a set: at least these tokens, and no more of those whose number is `final`."""

    chosen: Multiset = ()
    final: frozenset[str] = frozenset()

    def allows(self, token: str, number: int) -> bool:
        """Whether a set may have this number of a token."""
        chosen = self.chosen.count(token)
        return number == chosen if token in self.final else number >= chosen

    def fits(self, tokens: Multiset) -> bool:
        """Whether a set contains what is chosen."""
        return not [token for token in {*self.chosen, *self.final} if not self.allows(token, tokens.count(token))]

    def openings(self, tokens: Multiset) -> Iterable[str]:
        """The tokens that a set which contains what is chosen has more of."""
        return (token for token in {*tokens} if tokens.count(token) > self.chosen.count(token))


NOTHING_CHOSEN = Tokens()


class Beginning(NamedTuple):
    """The first tokens of a set that is spelled in the order of their `rank`."""

    tokens: Multiset
    rank: Mapping[Any, int]

    def rank_of_next(self, tokens: Multiset) -> int | None:
        """The rank of the token with which a set goes on after the beginning, `END` if it is complete; None if it does
        not begin so."""
        if not self.tokens:
            return min(map(self.rank.__getitem__, tokens), default=END)
        ranks, begun = sorted(map(self.rank.__getitem__, tokens)), len(self.tokens)
        if ranks[:begun] != [*map(self.rank.__getitem__, self.tokens)]:
            return None
        return ranks[begun] if len(ranks) > begun else END

    def among(self, alphabet: Collection[str]) -> "Beginning":
        """The tokens of an alphabet among those of the beginning."""
        return Beginning(tuple([token for token in self.tokens if token in alphabet]), self.rank)


END = sys.maxsize
"""Of a set, after the last of its tokens; its rank."""


class Partial(NamedTuple):
    """A partial move: the values of single members, and the tokens chosen of sets; what is not named is open."""

    values: Mapping[str, Any] = {}
    sets: Mapping[str, Tokens] = {}

    def concerns(self, names: Names) -> bool:
        """Whether it says something of these members."""
        chosen = {*self.values, *self.sets}
        return names in chosen if isinstance(names, str) else not chosen.isdisjoint(names)


EVERYTHING_OPEN = Partial()


def partial_of(members: Mapping[str, Any]) -> Partial:
    """The partial move with these members: a tuple is a set, and more of its tokens may follow."""
    sets = {name: Tokens(value) for name, value in members.items() if isinstance(value, tuple)}
    return Partial({name: value for name, value in members.items() if name not in sets}, sets)


def is_among(name: str, names: Names) -> bool:
    """Whether a member is one of those that each item of a source gives."""
    return name == names if isinstance(names, str) else name in names


Members = Iterable[tuple[str, Callable[[Any], Any]]]
"""The names of the members that an item gives, each with what gets it."""


def members_of(names: Names) -> Members:
    """The members that each item of a source gives."""
    if isinstance(names, str):
        return ((names, lambda item: item),)
    return [(name, itemgetter(index)) for index, name in enumerate(names)]


def items_containing(partial: Partial, items: Sequence[Any], members: Members) -> Sequence[Any]:
    """Those of a few items that contain a partial move."""
    for name, member in members:
        if name in partial.sets:
            fits = partial.sets[name].fits
            items = [item for item in items if fits(member(item))]
        elif name in partial.values:
            value = partial.values[name]
            items = [item for item in items if member(item) == value]
    return items


def openings_in(partial: Partial, name: str, values: Sequence[Any]) -> Openings:
    """What a few values of a member, which contain what is chosen of it, can add to it."""
    if name in partial.values:
        return Counter()
    if values and isinstance(values[0], tuple):
        more = partial.sets.get(name, NOTHING_CHOSEN).openings
        return Counter([token for tokens in values for token in more(tokens)])
    return Counter(values)


def next_ranks(beginning: Beginning, sets: Iterable[Multiset]) -> set[int]:
    """The ranks of the tokens with which a few sets go on after a beginning."""
    return {rank for tokens in sets if (rank := beginning.rank_of_next(tokens)) is not None}


def sum_of(parts: Iterable[Openings], factor: int = 1) -> Openings:
    """Openings of disjoint sources together, each counted `factor` times."""
    total: Openings = Counter()
    for part in parts:
        for value, number in part.items():
            total[value] += factor * number
    return total
