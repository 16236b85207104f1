"""What `referencing` uses of rpds, which has no wheel for WebAssembly: its three collections that never change."""

from collections.abc import Hashable, Iterable, Mapping
from typing import Any, Self


class HashTrieMap(dict[Hashable, Any]):
    """A mapping; what would change it returns another one."""

    def insert(self, key: Hashable, value: Any) -> Self:
        return type(self)({**self, key: value})

    def remove(self, key: Hashable) -> Self:
        copy = dict(self)
        del copy[key]
        return type(self)(copy)

    def update(self, other: Mapping[Hashable, Any]) -> Self:  # type: ignore[override]
        return type(self)({**self, **other})

    @classmethod
    def convert(cls, value: Mapping[Hashable, Any]) -> Self:
        return value if isinstance(value, cls) else cls(value)


class HashTrieSet(frozenset[Hashable]):
    """A set; what would change it returns another one."""

    def insert(self, item: Hashable) -> Self:
        return type(self)(self | {item})

    def remove(self, item: Hashable) -> Self:
        return type(self)(self - {item})

    def update(self, *others: Iterable[Hashable]) -> Self:
        return type(self)(self.union(*others))


class List(tuple[Any, ...]):
    """A list; its first item comes last."""

    __slots__ = ()

    def __new__(cls, items: Iterable[Any] = (), *more: Any) -> Self:
        return super().__new__(cls, (items, *more) if more else items)

    def push_front(self, item: Any) -> Self:
        return type(self)((item, *self))
