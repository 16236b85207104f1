"""JSON Pointers in answers, told anew for whoever does not see the request they point into."""

from collections.abc import Callable, Mapping
from typing import Any


def retold(answer: Any, within: str, place: Callable[[str], Mapping[str, Any]]) -> Any:
    """An answer in which every pointer to `within`, or to what is in it, is replaced.

    `place` says by what, for the rest of a pointer: a `pointer`, and what else tells that place.
    """
    if isinstance(answer, list):
        return [retold(item, within, place) for item in answer]
    if not isinstance(answer, dict):
        return answer
    told = {name: retold(member, within, place) for name, member in answer.items()}
    pointer = told.get("pointer")
    if isinstance(pointer, str) and (pointer == within or pointer.startswith(within + "/")):
        told |= place(pointer[len(within) :])
    return told
