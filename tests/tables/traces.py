"""What requests leave behind in the process: everything that is reachable from the package, found by walking.

`tests/tables/sooner.py` counts work, and finds a trace only if one of its guesses comes upon it. Here nobody guesses:
after the same requests about two hands the process has to hold the same texts and numbers, wherever they are kept.
"""

import gc
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from threading import Thread
from types import CodeType, FrameType, FunctionType, ModuleType, TracebackType
from typing import Any, TypeVar

from capomastro.documents import sentences, wordings
from tests.tables.sooner import remember_nothing

T = TypeVar("T")

PACKAGE = "capomastro"
LEAVES = (str, bytes, int, float, bool, type(None))
NOT_FOLLOWED = (ModuleType, CodeType, FrameType, TracebackType, Thread)
"""A thread knows when it last woke: that is no trace."""
CACHE = type(lru_cache(len))
NAMED = (FunctionType, type, CACHE)

Leaf = tuple[str, Any]
"""A text or a number, and the type of what holds it."""


def is_ours(module: str) -> bool:
    """Whether a module belongs to the package."""
    return module.partition(".")[0] == PACKAGE


@cache
def is_leaf(kind: type) -> bool:
    return issubclass(kind, LEAVES)


@cache
def is_followed(kind: type) -> bool:
    return not issubclass(kind, (*LEAVES, *NOT_FOLLOWED))


class Walk:
    """From the modules of the package, without what others keep in theirs, such as test tools."""

    def __init__(self) -> None:
        modules = {name: vars(module) for name, module in sys.modules.copy().items() if hasattr(module, "__dict__")}
        self.begins = {name: known for name, known in modules.items() if is_ours(name)}
        self.seen = {id(known) for name, known in modules.items() if not is_ours(name)}

    def new_among(self, ones: Iterable[Any]) -> list[Any]:
        """Those that were not met before and belong to the walk: what they refer to does, too."""
        new = {id(one): one for one in ones if id(one) not in self.seen}
        self.seen.update(new)
        return [one for one in new.values() if not isinstance(one, type) or is_ours(one.__module__)]


def forget_catalogues() -> None:
    """Forgets every sentence that was read: those of all languages are most of what a walk comes upon.

    A process in which other tests have asked for them is walked as fast as a new one.
    """
    for module in (sentences, wordings):
        for known in vars(module).values():
            if isinstance(known, CACHE):
                known.cache_clear()


def held() -> dict[Leaf, int]:
    """How often each leaf is held by anything that is reachable.

    There are some 40,000 holders: all that are equally far away and of one type are asked together.
    """
    walk, found = Walk(), dict[str, list[Any]]()
    next_ones: list[Any] = list(walk.begins.values())
    while next_ones:
        by_kind: dict[type, list[Any]] = {}
        for one in walk.new_among(next_ones):
            by_kind.setdefault(type(one), []).append(one)
        next_ones = []
        for kind, ones in by_kind.items():
            inner = gc.get_referents(*ones)
            kinds = set(map(type, inner))
            leaves, followed = set(filter(is_leaf, kinds)), set(filter(is_followed, kinds))
            if leaves:
                found.setdefault(kind.__name__, []).extend(each for each in inner if type(each) in leaves)
            if followed:
                next_ones += [each for each in inner if type(each) in followed]
    return {(kind, leaf): number for kind, leaves in found.items() for leaf, number in Counter(leaves).items()}


def ways() -> dict[Leaf, str]:
    """A function or class on the way to each leaf: slower, and only needed if there is a trace."""
    walk, found = Walk(), dict[Leaf, str]()
    next_ones: list[tuple[Any, str]] = [(known, name) for name, known in walk.begins.items()]
    while next_ones:
        known, way = next_ones.pop()
        for one in walk.new_among([known]):
            if isinstance(one, NAMED):
                way = f"{one.__module__}.{one.__qualname__}"
            for inner in gc.get_referents(one):
                kind: type = type(inner)
                if is_leaf(kind):
                    found.setdefault((type(one).__name__, inner), way)
                elif is_followed(kind):
                    next_ones.append((inner, way))
    return found


def traces(ask: Callable[[], Any], ask_otherwise: Callable[[], Any]) -> list[str]:
    """What tells which of two series of requests was answered: the leaves that only one of them leaves behind; none.

    `ask_otherwise` has to come upon nothing that was asked before, or what is kept for ever is not seen.
    """
    ask()  # what is read from files, or worked out about types, is so now
    one, other = (left_by(requests, held) for requests in (ask, ask_otherwise))
    if one == other:
        return []
    differing = [leaf for leaf in one | other if one.get(leaf) != other.get(leaf)]
    places = left_by(ask, ways) | left_by(ask_otherwise, ways)
    return [f"{leaf}: {places.get(leaf, 'it is gone by now')}" for leaf in differing]


def left_by(requests: Callable[[], Any], look: Callable[[], T]) -> T:
    """What `look` finds after some requests, and no other."""
    remember_nothing()
    requests()
    return look()
