"""What follows from the cards in a hand: remembered while one request is answered, in its thread, and then forgotten.

If a cache outlived the request, a guess of a hand that somebody has asked about before would be answered faster. What
follows from open cards, boards and options alone may be kept: `functools.lru_cache`.
"""

from collections.abc import Callable
from functools import lru_cache, wraps
from threading import local
from typing import Any, Concatenate, ParamSpec, TypeVar

from capomastro.engine.hands import Hand

P = ParamSpec("P")
Found = TypeVar("Found")


class Memory(local):
    """What a function has returned in this thread, by its arguments."""

    def __init__(self) -> None:
        self.held: dict[tuple[Any, ...], Any] = {}


memories: list[Memory] = []
"""One for each function that is `remembered_for_request`."""


def remembered_for_request(maximum: int) -> Callable[[Callable[P, Found]], Callable[P, Found]]:
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


def remembered_if_open(
    maximum: int,
) -> Callable[[Callable[Concatenate[Hand, P], Found]], Callable[Concatenate[Hand, P], Found]]:
    """Decorates a function of a hand and of what everybody may know: positional arguments.

    Of a hand without closed cards everybody may know all that is known, so what it returned is kept. Of any other it is
    remembered for one request. Both up to `maximum` entries.
    """

    def decorate(find: Callable[Concatenate[Hand, P], Found]) -> Callable[Concatenate[Hand, P], Found]:
        kept, for_request = lru_cache(maximum)(find), remembered_for_request(maximum)(find)

        @wraps(find)
        def found(held: Hand, *arguments: Any) -> Found:
            return for_request(held, *arguments) if held.closed else kept(held, *arguments)  # type: ignore[call-arg]

        return found  # type: ignore[return-value]

    return decorate


def forget() -> None:
    """Forgets what was worked out from hands in this thread: the request is answered."""
    for memory in memories:
        memory.held.clear()
