"""What the audits of several games ask. An audit has one check per fault, named by the id of the rule."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any


def changed(part: Any, beginning: Mapping[str, Any]) -> Iterator[str]:
    """The members of `part` that are no longer as `beginning` says: pointers relative to it."""
    for name, value in beginning.items():
        if getattr(part, name) != value:
            yield f"/{name}"


def filled_in_order(there: Sequence[int], sizes: Iterable[int]) -> bool:
    """Whether places were filled one after the other; `there` counts what lies in each, `sizes` what it takes."""
    left = sum(there)
    for number, size in zip(there, sizes, strict=True):
        if number != min(size, left):
            return False
        left -= number
    return True
