"""Accepts documents where `jsonschema-rs` is missing: it has no wheel for WebAssembly, in which browsers run this code.

Every schema becomes a function. `jsonschema` alone, which explains what is refused, takes 40 times as long. A test
compares the verdicts of all three. It knows the keywords that our schemas have; of any other it complains at once.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from types import NoneType
from typing import Any

Schema = Any
Accepts = Callable[[Any], bool]
AcceptsAt = Callable[[str], Accepts]
"""From the absolute address of a schema to what accepts its values."""

TYPES = {"array": list, "boolean": bool, "integer": int, "null": NoneType, "object": dict, "string": str}
"""The types of decoded values. None is a subclass of another here: true is not an int; floats are never decoded."""
OF_OBJECTS = frozenset(
    ("properties", "required", "additionalProperties", "propertyNames", "maxProperties", "dependentRequired")
)
NOTES = frozenset(("$schema", "$id", "$defs", "title", "description", "examples", "default", "format"))
"""Keywords that demand nothing."""


@cache
def compiled_pattern(pattern: str) -> re.Pattern[str]:
    """A pattern of a schema, compiled for Python; all patterns begin with ^ and end with $."""
    return re.compile(pattern.removesuffix("$") + r"\Z", re.ASCII)


def accepting(schema: Schema, at: AcceptsAt) -> Accepts:
    """Whether a value is valid by a schema with absolute references.

    Raises:
        KeyError: if the schema has a keyword that is not known here.
    """
    if isinstance(schema, bool):
        return lambda _value: schema
    checks = list(checks_of(schema, at))
    return checks[0] if len(checks) == 1 else lambda value: all(check(value) for check in checks)


def checks_of(schema: Mapping[str, Any], at: AcceptsAt) -> Iterator[Accepts]:
    """What each keyword demands; those about the members of an object demand it together."""
    for keyword, operand in schema.items():
        if keyword not in NOTES and keyword not in OF_OBJECTS:
            yield KEYWORDS[keyword](operand, at)
    if not OF_OBJECTS.isdisjoint(schema):
        yield members(schema, at)


def reference(address: str, at: AcceptsAt) -> Accepts:
    return lambda value: at(address)(value)  # noqa: PLW0108 - looked up late: a schema may contain itself


def of_type(names: str | list[str], _at: AcceptsAt) -> Accepts:
    kinds = [TYPES[name] for name in ([names] if isinstance(names, str) else names)]
    return lambda value: type(value) in kinds


def one_of_values(values: list[Any], _at: AcceptsAt) -> Accepts:
    allowed = frozenset((type(value), value) for value in values)
    return lambda value: type(value) not in (list, dict) and (type(value), value) in allowed


def between(least: float, most: float) -> Accepts:
    return lambda value: type(value) is not int or least <= value <= most


def sized(kind: type[str] | type[list[Any]], least: int, most: float) -> Accepts:
    return lambda value: type(value) is not kind or least <= len(value) <= most


def matching(pattern: str, _at: AcceptsAt) -> Accepts:
    search = compiled_pattern(pattern).search
    return lambda value: type(value) is not str or search(value) is not None


def all_items(schema: Schema, at: AcceptsAt) -> Accepts:
    accepts = accepting(schema, at)
    return lambda value: type(value) is not list or all(accepts(item) for item in value)


def all_different(wanted: bool, _at: AcceptsAt) -> Accepts:
    """Lists without an item twice; true and 1 are two items."""
    return lambda value: type(value) is not list or not wanted or len(set(map(repr, value))) == len(value)


def any_branch(branches: list[Schema], at: AcceptsAt) -> Accepts:
    accepts = [accepting(branch, at) for branch in branches]
    return lambda value: any(accepts_branch(value) for accepts_branch in accepts)


def branch_by_type(branches: list[Schema], at: AcceptsAt) -> Accepts:
    """`oneOf` is always a choice by `type`: each branch is in `$defs` under its type."""
    by_type = {branch["$ref"].rpartition("/")[2]: accepting(branch, at) for branch in branches}

    def accepts(value: Any) -> bool:
        kind = value.get("type") if type(value) is dict else None
        return type(kind) is str and kind in by_type and by_type[kind](value)

    return accepts


def members(schema: Mapping[str, Any], at: AcceptsAt) -> Accepts:
    """What an object demands of its members."""
    known = {name: accepting(member, at) for name, member in schema.get("properties", {}).items()}
    required = frozenset(schema.get("required", ()))
    most = schema.get("maxProperties", float("inf"))
    others = accepting(schema.get("additionalProperties", True), at)
    names = accepting(schema.get("propertyNames", True), at)
    dependent = schema.get("dependentRequired", {})

    def accepts(value: Any) -> bool:
        return type(value) is not dict or (
            len(value) <= most
            and required <= value.keys()
            and all(known.get(name, others)(member) and names(name) for name, member in value.items())
            and all(name not in value or value.keys() >= set(needed) for name, needed in dependent.items())
        )

    return accepts


UNBOUNDED = float("inf")
KEYWORDS: Mapping[str, Callable[[Any, AcceptsAt], Accepts]] = {
    "$ref": reference,
    "type": of_type,
    "const": lambda value, at: one_of_values([value], at),
    "enum": one_of_values,
    "minimum": lambda least, _at: between(least, UNBOUNDED),
    "maximum": lambda most, _at: between(-UNBOUNDED, most),
    "minLength": lambda least, _at: sized(str, least, UNBOUNDED),
    "maxLength": lambda most, _at: sized(str, 0, most),
    "minItems": lambda least, _at: sized(list, least, UNBOUNDED),
    "maxItems": lambda most, _at: sized(list, 0, most),
    "pattern": matching,
    "items": all_items,
    "uniqueItems": all_different,
    "anyOf": any_branch,
    "oneOf": branch_by_type,
}
