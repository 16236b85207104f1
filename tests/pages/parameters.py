"""Parameters of tests of pages: which of them `make test` takes, and which the check."""

from collections.abc import Iterable
from typing import Any

import pytest


def first_of(values: Iterable[Any]) -> list[Any]:
    """`values` that differ in language, size or game alone: what breaks, breaks with the first, or seldom.

    `make test` takes the first, `make long` the others.
    """
    first, *others = values
    return [first, *(pytest.param(*row(other), marks=pytest.mark.long) for other in others)]


def with_longest(values: Iterable[str], *longest: str) -> list[Any]:
    """The `values` of a long test; the check leaves some of them, which take longest, to `make long`."""
    return [pytest.param(value, marks=pytest.mark.longest if value in longest else ()) for value in values]


def row(value: Any) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else (value,)
