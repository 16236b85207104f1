"""Multisets of components as sorted tuples of tokens.

Equal components are interchangeable, so a multiset has exactly one form: its tokens in ascending order.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Annotated

IN_ANY_ORDER = "in any order"
"""Marks fields that are multisets: documents may list them in any order, values have them sorted."""

Multiset = Annotated[tuple[str, ...], IN_ANY_ORDER]


def multiset(tokens: Iterable[str]) -> Multiset:
    """The canonical form of a collection of tokens."""
    return tuple(sorted(tokens))


def plus(tokens: Multiset, more: Iterable[str]) -> Multiset:
    """`tokens` and `more` together."""
    together = [*tokens, *more]
    together.sort()
    return tuple(together)


def minus(tokens: Multiset, fewer: Iterable[str]) -> Multiset:
    """`tokens` without `fewer`.

    Raises:
        ValueError: if one of `fewer` is not in `tokens`.
    """
    rest = list(tokens)
    for token in fewer:
        rest.remove(token)
    return tuple(rest)


def surplus(tokens: Iterable[str], box: Mapping[str, int]) -> Multiset:
    """The part of `tokens` that exceeds `box`, which maps components to their numbers."""
    return multiset((Counter(tokens) - Counter(box)).elements())


def first_repeated(tokens: Multiset) -> str | None:
    """The first token that occurs more than once; None if they are all different."""
    if len(set(tokens)) == len(tokens):
        return None
    return next(token for token in tokens if tokens.count(token) > 1)


def first_missing(part: Iterable[str], tokens: Multiset) -> int | None:
    """The index of the first of `part` that `tokens` lack, or do not have as often; None if they have them all."""
    rest = list(tokens)
    for index, token in enumerate(part):
        if token not in rest:
            return index
        rest.remove(token)
    return None


def left_of(box: Mapping[str, int], tokens: Iterable[str]) -> dict[str, int]:
    """What `tokens` leave of `box`, which maps components to their numbers; negative where there are too many.

    Every token must be in the box. Faster than `list.count` for each component.
    """
    left = dict(box)
    for token in tokens:
        left[token] -= 1
    return left


def rest_of(box: Mapping[str, int], tokens: Iterable[str]) -> dict[str, int]:
    """The same without what is used up, for tokens that the box has as often."""
    rest = dict(box)
    for token in tokens:
        rest[token] -= 1
        if not rest[token]:
            del rest[token]
    return rest


def includes(tokens: Multiset, part: Multiset) -> bool:
    """Whether `tokens` contains every token of `part`, at least as often."""
    return first_missing(part, tokens) is None


def kinds(tokens: Multiset) -> Multiset:
    """Each different token once, in ascending order."""
    return tuple(dict.fromkeys(tokens))
