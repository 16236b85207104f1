"""What follows from the cards in a hand: remembered while one request is answered, in its thread, and then forgotten.

A cache that outlives the request would answer sooner who guesses a hand that somebody else has asked about before. What
follows from open cards, boards and options alone may be kept: `functools.lru_cache`.
"""

from collections.abc import Callable
from functools import wraps
from threading import local
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
Found = TypeVar("Found")


class Memory(local):
    """What a function has returned in this thread, by its arguments."""

    def __init__(self) -> None:
        self.held: dict[tuple[Any, ...], Any] = {}


memories: list[Memory] = []
"""One for each function that is `remembered_for_now`."""


def remembered_for_now(maximum: int) -> Callable[[Callable[P, Found]], Callable[P, Found]]:
    """Decorates a function of positional arguments that may be hidden cards, or follow from such.

    What it returned is remembered until this thread calls `forget`, or has as many as `maximum` entries.
    """

    def decorate(find: Callable[P, Found]) -> Callable[P, Found]:
        memory = Memory()
        memories.append(memory)

        @wraps(find)
        def found(*arguments: Any) -> Found:
            held = memory.held
            try:
                known: Found = held[arguments]
            except KeyError:
                if len(held) >= maximum:
                    held.clear()
                known = held[arguments] = find(*arguments)  # type: ignore[call-arg]
            return known

        return found  # type: ignore[return-value]

    return decorate


def forget() -> None:
    """Forgets what was worked out from hands in this thread: the request is answered."""
    for memory in memories:
        memory.held.clear()
