"""Multisets are accepted in any order: here they are brought into the one they have from then on."""

from collections.abc import Callable
from functools import cache
from operator import is_
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

import msgspec

from capomastro.engine.multisets import IN_ANY_ORDER

Sorter = Callable[[Any], Any]


def sorted_multisets(value: Any) -> Any:
    """A document with all its multisets sorted; the same object if they were."""
    hint: Any = type(value)
    sorter = sorter_of(hint)
    return sorter(value) if sorter else value


@cache
def sorter_of(hint: Any) -> Sorter | None:
    """What sorts the multisets in a value of type `hint`; None if there can be none."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return sorted_tuple if IN_ANY_ORDER in arguments else sorter_of(arguments[0])
    if origin is tuple:
        return tuple_sorter(arguments)
    if origin is dict:
        return dict_sorter(sorter_of(arguments[1]))
    if origin in (Union, UnionType):
        return union_sorter(arguments)
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        return struct_sorter(hint)
    return None


def sorted_tuple(tokens: tuple[Any, ...]) -> tuple[Any, ...]:
    """The tokens in order; the same object if they were, as for every sorter here: that is how changes are found."""
    if len(tokens) < 2:
        return tokens
    ordered = tuple(sorted(tokens))
    return tokens if ordered == tokens else ordered


def tuple_sorter(arguments: tuple[Any, ...]) -> Sorter | None:
    sorters = {sorter_of(argument) for argument in arguments if argument is not ...}
    if sorters == {None} or not sorters:
        return None
    if len(sorters) > 1:
        raise TypeError(f"a tuple of different kinds of multisets: {arguments}")
    (sorter,) = sorters
    assert sorter is not None

    def sort(values: tuple[Any, ...]) -> tuple[Any, ...]:
        ordered = tuple(map(sorter, values))
        return values if all(map(is_, ordered, values)) else ordered

    return sort


def dict_sorter(sorter: Sorter | None) -> Sorter | None:
    """Sorts the values of a dict; the same object if they were."""
    if sorter is None:
        return None

    def sort(values: Any) -> Any:
        changed = {name: after for name, value in values.items() if (after := sorter(value)) is not value}
        return {**values, **changed} if changed else values

    return sort


def union_sorter(members: tuple[Any, ...]) -> Sorter | None:
    """By the type of the value: structs by their class, tuples and dicts each by their only sorter."""
    structs = {member: sorter_of(member) for member in members if isinstance(member, type)}
    dicts = [sorter for member in members if get_origin(member) is dict and (sorter := sorter_of(member))]
    tuples = [
        sorter for member in members if get_origin(member) in (tuple, Annotated) and (sorter := sorter_of(member))
    ]
    if not tuples and not dicts and not any(structs.values()):
        return None

    def sort(value: Any) -> Any:
        sorter = structs.get(type(value))
        if sorter is None and isinstance(value, tuple | dict):
            sorter = next(iter(tuples if isinstance(value, tuple) else dicts), None)
        return sorter(value) if sorter else value

    return sort


def struct_sorter(kind: type[msgspec.Struct]) -> Sorter | None:
    hints = get_type_hints(kind, include_extras=True)
    fields = [(name, sorter) for name in kind.__struct_fields__ if (sorter := sorter_of(hints[name]))]
    if not fields:
        return None

    def sort(value: Any) -> Any:
        changed = {}
        for name, sorter in fields:
            before = getattr(value, name)
            after = sorter(before)
            if after is not before:
                changed[name] = after
        return msgspec.structs.replace(value, **changed) if changed else value

    return sort
