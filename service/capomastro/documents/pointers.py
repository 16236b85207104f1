"""Replaces JSON Pointers in answers, for readers who cannot see the request that these point into."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, get_type_hints

from msgspec import Struct, structs, to_builtins

from capomastro.engine.results import Quoted

Place = Callable[[str], Mapping[str, Any]]
"""Maps the rest of a pointer to the members that replace it: a `pointer`, and others such as line and column."""


def map_pointers(answer: Any, within: str, place: Place) -> Any:
    """An answer as JSON in which every pointer to `within` or below is replaced; members that are `Quoted` stay."""
    return mapped(to_builtins(answer), answer, within, place)


def mapped(value: Any, answer: Any, within: str, place: Place) -> Any:
    """The same for a part of an answer and its `value` as JSON; the types of the answer say what is quoted."""
    if isinstance(value, list | tuple):
        parts = answer if isinstance(answer, list | tuple) else value
        return [mapped(item, part, within, place) for item, part in zip(value, parts, strict=True)]
    if not isinstance(value, dict):
        return value
    quoted = quoted_members(type(answer)) if isinstance(answer, Struct) else ()
    members = {
        name: member if name in quoted else mapped(member, part_of(answer, name), within, place)
        for name, member in value.items()
    }
    pointer = members.get("pointer")
    if isinstance(pointer, str) and (pointer == within or pointer.startswith(within + "/")):
        members |= place(pointer[len(within) :])
    return members


def part_of(answer: Any, name: str) -> Any:
    """A member of a part of an answer; None if it is not a document."""
    if isinstance(answer, Struct):
        return getattr(answer, attributes(type(answer)).get(name, ""), None)
    return answer.get(name) if isinstance(answer, Mapping) else None


@cache
def attributes(kind: type[Struct]) -> dict[str, str]:
    """The attributes of documents of this kind, by the names of their members."""
    return {field.encode_name: field.name for field in structs.fields(kind)}


@cache
def quoted_members(kind: type[Struct]) -> frozenset[str]:
    """The members of documents of this kind that repeat a part of the request."""
    hints = get_type_hints(kind, include_extras=True)
    return frozenset(
        name for name, attribute in attributes(kind).items() if Quoted in getattr(hints[attribute], "__metadata__", ())
    )
