"""Sorts multisets: documents may list them in any order, values have them in ascending order."""

from collections.abc import Callable, Iterable
from functools import cache
from operator import is_
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

from msgspec import Struct
from msgspec.structs import replace

from capomastro.engine.multisets import IN_ANY_ORDER

Sort = Callable[[Any], Any]
"""Sorts the multisets in a value; returns the same object if they are sorted already."""


def sorted_multisets(value: Any) -> Any:
    """A document with all its multisets sorted; the same object if they are sorted already."""
    kind: Any = type(value)
    sort = sort_of(kind)
    return value if sort is None else sort(value)


@cache
def sort_of(hint: Any) -> Sort | None:
    """Sorts the multisets in values of type `hint`; None if such values have none."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return sort_tokens if IN_ANY_ORDER in arguments else sort_of(arguments[0])
    if origin is tuple:
        return sort_of_tuple(arguments)
    if origin is dict:
        return sort_of_dict(sort_of(arguments[1]))
    if origin in (Union, UnionType):
        return sort_of_union(arguments)
    if isinstance(hint, type) and issubclass(hint, Struct):
        return sort_of_struct(hint)
    return None


def sort_tokens(tokens: tuple[Any, ...]) -> tuple[Any, ...]:
    """Sorts a value that is itself a multiset."""
    if len(tokens) < 2:
        return tokens
    after = tuple(sorted(tokens))
    return tokens if after == tokens else after


def sort_of_tuple(arguments: Iterable[Any]) -> Sort | None:
    """For a tuple, all of whose items have the same kind of multisets."""
    sorts = {sort_of(argument) for argument in arguments if argument is not ...}
    if len(sorts) > 1:
        raise TypeError(f"a tuple of different kinds of multisets: {arguments}")
    each = next(iter(sorts), None)
    if each is None:
        return None

    def sort(values: tuple[Any, ...]) -> tuple[Any, ...]:
        after = tuple(map(each, values))
        return values if all(map(is_, after, values)) else after

    return sort


def sort_of_dict(each: Sort | None) -> Sort | None:
    """For a dict, all of whose values have the same kind of multisets."""
    if each is None:
        return None

    def sort(members: dict[str, Any]) -> dict[str, Any]:
        after = {name: each(value) for name, value in members.items()}
        return members if all(map(is_, after.values(), members.values())) else after

    return sort


def sort_of_union(members: Iterable[Any]) -> Sort | None:
    """For a union, by the class of the value: any number of structs, but only one tuple and one dict type."""
    sorts = {class_of(member): found for member in members if (found := sort_of(member))}
    if not sorts:
        return None

    def sort(value: Any) -> Any:
        sort_value = sorts.get(type(value))
        return value if sort_value is None else sort_value(value)

    return sort


def class_of(hint: Any) -> Any:
    """The class of values of type `hint`."""
    origin = get_origin(hint)
    return class_of(get_args(hint)[0]) if origin is Annotated else origin or hint


def sort_of_struct(kind: type[Struct]) -> Sort | None:
    """For a struct, in its fields."""
    hints = get_type_hints(kind, include_extras=True)
    sorts = [(name, found) for name in kind.__struct_fields__ if (found := sort_of(hints[name]))]
    if not sorts:
        return None

    def sort(value: Any) -> Any:
        changes = {}
        for name, sort_field in sorts:
            if before := getattr(value, name):
                after = sort_field(before)
                if after is not before:
                    changes[name] = after
        return replace(value, **changes) if changes else value

    return sort
