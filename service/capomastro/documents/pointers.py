"""Replaces JSON Pointers in answers, for readers who cannot see the request that these point into."""

from collections.abc import Callable, Mapping
from typing import Any

QUOTED = "claimed"
"""The member of answers that repeats a part of the request: what looks like a pointer in it may be anything."""


def map_pointers(answer: Any, within: str, place: Callable[[str], Mapping[str, Any]]) -> Any:
    """An answer in which every pointer to `within` or below is replaced.

    `place` maps the rest of a pointer to the members that replace it: a `pointer`, and others such as line and column.
    """
    if isinstance(answer, list):
        return [map_pointers(item, within, place) for item in answer]
    if not isinstance(answer, dict):
        return answer
    mapped = {
        name: member if name == QUOTED else map_pointers(member, within, place) for name, member in answer.items()
    }
    pointer = mapped.get("pointer")
    if isinstance(pointer, str) and (pointer == within or pointer.startswith(within + "/")):
        mapped |= place(pointer[len(within) :])
    return mapped
