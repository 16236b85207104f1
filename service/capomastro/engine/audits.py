"""Checks shared by the audits of several games. An audit has one check per fault, named by the id of the rule."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, wraps
from typing import Any, ParamSpec

from capomastro.engine.refusals import Refusal

P = ParamSpec("P")


def remembered(findings: Callable[P, Iterator[Refusal]]) -> Callable[P, tuple[Refusal, ...]]:
    """Decorates a check of parts of a state that stay the same for many moves: caches its findings.

    The check takes these parts, not the state, so that the cache depends on nothing else.
    """

    @lru_cache(maxsize=4096)
    @wraps(findings)
    def cached_findings(*parts: P.args, **named: P.kwargs) -> tuple[Refusal, ...]:
        return tuple(findings(*parts, **named))

    return cached_findings  # type: ignore[return-value]


def changed(part: Any, beginning: Mapping[str, Any]) -> Iterator[str]:
    """Yields pointers, relative to `part`, to its members that differ from `beginning`."""
    for name, value in beginning.items():
        if getattr(part, name) != value:
            yield f"/{name}"


def filled_in_order(counts: Sequence[int], sizes: Iterable[int]) -> bool:
    """Whether places were filled one after another: `counts` are the numbers in each, `sizes` their capacities."""
    left = sum(counts)
    for number, size in zip(counts, sizes, strict=True):
        if number != min(size, left):
            return False
        left -= number
    return True
