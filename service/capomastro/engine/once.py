"""Attributes that are computed once."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar

Found = TypeVar("Found")


class Once(Generic[Found]):
    """An attribute computed on first access and then kept, like `functools.cached_property`, but without its lock.

    Two threads may compute it at the same time; both find the same.
    """

    def __init__(self, find: Callable[[Any], Found]) -> None:
        self.find = find
        self.name = find.__name__
        self.__doc__ = find.__doc__

    def __get__(self, of: Any, kind: type | None = None) -> Found:
        found: Found = self.find(of)
        of.__dict__[self.name] = found
        return found
