"""Checks shared by the audits of several games. An audit has one check per fault, named by the id of the rule."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any


def changed(part: Any, beginning: Mapping[str, Any]) -> Iterator[str]:
    """Yields pointers, relative to `part`, to its members that differ from `beginning`."""
    for name, value in beginning.items():
        if getattr(part, name) != value:
            yield f"/{name}"


def filled_in_order(counts: Sequence[int], sizes: Iterable[int]) -> bool:
    """Whether places were filled one after the other: `counts` are the numbers in each, `sizes` the capacities."""
    left = sum(counts)
    for number, size in zip(counts, sizes, strict=True):
        if number != min(size, left):
            return False
        left -= number
    return True
