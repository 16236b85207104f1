"""Parameters of a test of pages: `make test` takes the first, `make long` the others."""

from collections.abc import Iterable
from typing import Any

import pytest


def first_of(values: Iterable[Any]) -> list[Any]:
    """`values` that differ in language, size or game alone: what breaks, breaks with the first, or seldom."""
    first, *others = values
    return [first, *(pytest.param(*row(other), marks=pytest.mark.long) for other in others)]


def row(value: Any) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else (value,)
