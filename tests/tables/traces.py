"""What requests leave behind in the process: everything that is reachable from the package, found by walking.

`tests/tables/sooner.py` counts work, and finds a trace only if one of its guesses comes upon it. Here nobody guesses:
after the same requests about two hands the process has to hold the same texts and numbers, wherever they are kept.
"""

import gc
import sys
from collections import Counter
from collections.abc import Callable
from functools import lru_cache
from threading import Thread
from types import CodeType, FrameType, FunctionType, ModuleType, TracebackType
from typing import Any

from tests.tables.sooner import remember_nothing

PACKAGE = "capomastro"
LEAVES = (str, bytes, int, float, bool, type(None))
NOT_FOLLOWED = (ModuleType, CodeType, FrameType, TracebackType, Thread)
"""A thread knows when it last woke: that is no trace."""
NAMED = (FunctionType, type, type(lru_cache(len)))

Leaf = tuple[str, Any]
"""A text or a number, and the type of what holds it."""


class Held(Counter[Leaf]):
    """How often each leaf is held; `at` names a function or class on the way to one."""

    def __init__(self) -> None:
        super().__init__()
        self.at: dict[Leaf, str] = {}


def is_ours(module: str) -> bool:
    """Whether a module belongs to the package."""
    return module.partition(".")[0] == PACKAGE


def held() -> Held:
    """All that is reachable from the modules of the package, without what others keep in theirs, such as test tools."""
    modules = {name: vars(module) for name, module in sys.modules.copy().items() if hasattr(module, "__dict__")}
    ways: list[tuple[Any, str]] = [(known, name) for name, known in modules.items() if is_ours(name)]
    found, seen = Held(), {id(known) for name, known in modules.items() if not is_ours(name)}
    while ways:
        one, way = ways.pop()
        if id(one) in seen or (isinstance(one, type) and not is_ours(one.__module__)):
            continue
        seen.add(id(one))
        if isinstance(one, NAMED):
            way = f"{one.__module__}.{one.__qualname__}"
        for inner in gc.get_referents(one):
            if isinstance(inner, LEAVES):
                leaf = (type(one).__name__, inner)
                found[leaf] += 1
                found.at.setdefault(leaf, way)
            elif not isinstance(inner, NOT_FOLLOWED):
                ways.append((inner, way))
    return found


def traces(ask: Callable[[], Any], ask_otherwise: Callable[[], Any]) -> list[str]:
    """What tells which of two series of requests was answered: the leaves that only one of them leaves behind; none.

    `ask_otherwise` has to come upon nothing that was asked before, or what is kept for ever is not seen.
    """
    ask()  # what is read from files, or worked out about types, is so now
    left = []
    for requests in (ask, ask_otherwise):
        remember_nothing()
        requests()
        left.append(held())
    one, other = left
    differing = [leaf for leaf in one | other if one[leaf] != other[leaf]]
    return [f"{leaf}: {(one if one[leaf] else other).at[leaf]}" for leaf in differing]
