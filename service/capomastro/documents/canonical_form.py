"""Sorts multisets: documents may list them in any order, values have them in canonical order.

Most documents come back as we wrote them, with every multiset sorted. So all multisets are checked first, and only if
one is unsorted is the document rebuilt.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import chain
from operator import attrgetter
from types import NoneType, UnionType
from typing import Annotated, Any, NamedTuple, Union, get_args, get_origin, get_type_hints

import msgspec

from capomastro.engine.multisets import IN_ANY_ORDER

Finder = Callable[[Any], Iterable[Any]]


class Multisets(NamedTuple):
    """The multisets in values of one type.

    `find` yields those of a value (None for absent ones), `find_in_all` those of several, `sort` sorts those of one.
    """

    find: Finder
    find_in_all: Finder
    sort: Callable[[Any], Any]


def multisets(find: Finder, sort: Callable[[Any], Any]) -> Multisets:
    """Multisets that are found in one value after the other."""
    return Multisets(find, lambda values: chain.from_iterable(map(find, values)), sort)


def sorted_multisets(value: Any) -> Any:
    """A document with all its multisets sorted; the same object if they are sorted already."""
    hint: Any = type(value)
    multisets = multisets_in(hint)
    if multisets is None:
        return value
    for tokens in multisets.find(value):
        if tokens and len(tokens) > 1 and [*tokens] != sorted(tokens):
            return multisets.sort(value)
    return value


# --- by type ---------------------------------------------------------------------------------------------------------


@cache
def multisets_in(hint: Any) -> Multisets | None:
    """The multisets in values of type `hint`; None if they have none."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return ITSELF if IN_ANY_ORDER in arguments else multisets_in(arguments[0])
    if origin is tuple:
        return in_tuple(arguments)
    if origin is dict:
        return in_dict(multisets_in(arguments[1]))
    if origin in (Union, UnionType):
        return in_union(arguments)
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        return in_struct(hint)
    return None


def itself(tokens: tuple[Any, ...] | None) -> tuple[Any]:
    return (tokens,)


def in_order(tokens: tuple[Any, ...] | None) -> tuple[Any, ...] | None:
    return tokens and tuple(sorted(tokens))


ITSELF = Multisets(itself, iter, in_order)
"""For a value that is itself a multiset, or absent."""


def in_tuple(arguments: tuple[Any, ...]) -> Multisets | None:
    """For a tuple, all of whose items have the same kind of multisets."""
    kinds = {multisets_in(argument) for argument in arguments if argument is not ...}
    if len(kinds) > 1:
        raise TypeError(f"a tuple of different kinds of multisets: {arguments}")
    each = next(iter(kinds), None)
    if each is None:
        return None
    return multisets(each.find_in_all, lambda values: tuple(map(each.sort, values)))


def in_dict(each: Multisets | None) -> Multisets | None:
    """For a dict, all of whose values have the same kind of multisets."""
    if each is None:
        return None
    find, sort = each.find_in_all, each.sort
    return multisets(
        lambda members: find(members.values()),
        lambda members: {name: sort(value) for name, value in members.items()},
    )


def in_union(members: tuple[Any, ...]) -> Multisets | None:
    """For a union, by the class of the value: any number of structs, but only one tuple and one dict type."""
    kinds = {class_of(member): found for member in members if (found := multisets_in(member))}
    if not kinds:
        return None
    if set(kinds.values()) == {ITSELF} and len(members) == 2 and NoneType in members:
        return ITSELF
    nothing = multisets(lambda value: (), lambda value: value)
    return multisets(
        lambda value: kinds.get(type(value), nothing).find(value),
        lambda value: kinds.get(type(value), nothing).sort(value),
    )


def class_of(hint: Any) -> Any:
    """The class of values of type `hint`."""
    origin = get_origin(hint)
    return class_of(get_args(hint)[0]) if origin is Annotated else origin or hint


def in_struct(kind: type[msgspec.Struct]) -> Multisets | None:
    """For a struct, in its fields; fields that are multisets are read in one call, "hand.open" and "discards" alike."""
    fields = fields_with_multisets(kind)
    if not fields:
        return None
    places = list(places_in(kind))
    own = finder_of(kind)
    plain = [path for path, found in places if found is ITSELF]
    others: list[tuple[Finder, Finder]] = [
        (attrgetter(path), found.find) for path, found in places if found is not ITSELF or len(plain) == 1
    ]

    def sort(value: Any) -> Any:
        changed = {name: found.sort(getattr(value, name)) for name, found in fields.items()}
        return msgspec.structs.replace(value, **changed)

    if own is not None:
        return multisets(own, sort)
    if not others:
        return multisets(attrgetter(*plain), sort)
    if len(places) == 1 and plain:
        read_one = attrgetter(*plain)
        return Multisets(lambda value: (read_one(value),), lambda values: map(read_one, values), sort)
    if len(others) == len(places):
        return multisets(finder_in_fields(others), sort)
    read = attrgetter(*plain)
    find = finder_in_fields(others)
    return multisets(lambda value: chain(read(value), find(value)), sort)


def finder_of(kind: type[msgspec.Struct]) -> Finder | None:
    """The method by which values of some types find their multisets faster; it may leave out sorted ones."""
    return getattr(kind, "unsorted_multisets", None)


def finder_in_fields(fields: list[tuple[Finder, Finder]]) -> Finder:
    """Finds the multisets in several fields; each is given by its getter and its finder."""
    if len(fields) == 1:
        ((read, find),) = fields
        return lambda value: find(read(value))
    return lambda value: [tokens for read, find in fields for tokens in find(read(value))]


@cache
def fields_with_multisets(kind: type[msgspec.Struct]) -> dict[str, Multisets]:
    hints = get_type_hints(kind, include_extras=True)
    return {name: found for name in kind.__struct_fields__ if (found := multisets_in(hints[name]))}


def places_in(kind: type[msgspec.Struct], path: str = "") -> Iterator[tuple[str, Multisets]]:
    """The paths of all multisets of a struct, including those in nested structs."""
    hints = get_type_hints(kind, include_extras=True)
    for name, found in fields_with_multisets(kind).items():
        if isinstance(hints[name], type) and issubclass(hints[name], msgspec.Struct) and not finder_of(hints[name]):
            yield from places_in(hints[name], f"{path}{name}.")
        else:
            yield path + name, found
