"""Faults in schemas, for testing the comparisons: everything that can be wrong with a keyword, planted one at a time.

`python -m tests.support.faults` plants all of them and reports those that go unnoticed.
"""

import sys
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from typing import Any, NamedTuple

from tests.support.facts import tokens_at
from tests.support.schemas import Part, Schema, parts, schema_files
from tests.support.truths import differences_with

NUMBERS = ("minimum", "maximum", "minItems", "maxItems", "minLength", "maxLength", "maxProperties")
OTHER_TYPE = {"integer": "string", "string": "integer", "boolean": "integer", "array": "object", "object": "array"}


class Fault(NamedTuple):
    """The kind of a fault, its place, and the schema with it or the keywords of that part that differ."""

    kind: str
    place: Part
    schema: Schema

    def __str__(self) -> str:
        return f"{self.kind}: {self.place}"


def faults(file: str) -> Iterator[Fault]:
    """Every fault of every kind in a file."""
    for part in parts(file, schema_files()[file]):
        for kind, changed in faults_of(part):
            yield Fault(kind, part, changed)


def planted(fault: Fault) -> Schema:
    """The whole file with the fault in it."""
    whole = deepcopy(schema_files()[fault.place.file])
    steps = fault.place.fragment.split("/")[1:]
    if not steps:
        return fault.schema
    inner: Any = whole
    for step in steps[:-1]:
        inner = inner[int(step) if isinstance(inner, list) else step]
    inner[int(steps[-1]) if isinstance(inner, list) else steps[-1]] = fault.schema
    return whole


def faults_of(part: Part) -> Iterator[tuple[str, Schema]]:
    """The kinds of faults in a part of a schema, each with the faulty part."""
    schema = part.schema

    def having(**keywords: Any) -> Schema:
        return {**schema, **{name.strip("_"): value for name, value in keywords.items()}}

    def lacking(keyword: str) -> Schema:
        return {name: value for name, value in schema.items() if name != keyword}

    for keyword in NUMBERS:
        if keyword in schema:
            yield f"{keyword} one more", {**schema, keyword: schema[keyword] + 1}
            yield f"{keyword} one less", {**schema, keyword: schema[keyword] - 1}
            yield f"no {keyword}", lacking(keyword)
    for keyword in ("uniqueItems", "pattern", "format", "default", "propertyNames", "items", "oneOf", "anyOf"):
        if keyword in schema:
            yield f"no {keyword}", lacking(keyword)
    if "pattern" in schema:
        yield "a wider pattern", having(pattern="^.*$")
    if "default" in schema:
        yield "another default", having(default=7)
    yield from faults_in_values(part, having, lacking)
    yield from faults_in_types(part, having, lacking)
    yield from faults_in_members(schema, having)
    for keyword in ("oneOf", "anyOf"):
        for index in range(len(schema.get(keyword, ()))):
            branches = [branch for other, branch in enumerate(schema[keyword]) if other != index]
            yield f"a branch of {keyword} missing", {**schema, keyword: branches}
    if "anyOf" in schema:
        yield "a branch of anyOf too many", having(anyOf=[*schema["anyOf"], {"type": "boolean"}])


def faults_in_values(part: Part, having: Any, lacking: Any) -> Iterator[tuple[str, Schema]]:
    schema = part.schema
    if "enum" in schema:
        values = schema["enum"]
        further = "brick-9-9" if isinstance(values[0], str) else 9
        yield "a token too many", having(enum=[*values, further])
        yield "a token missing", having(enum=values[1:])
        yield "a token misspelt", having(enum=[further, *values[1:]])
        yield "no enum", lacking("enum")
        if len(values) > 1 and tokens_at(str(part)) is not None:
            yield "tokens in another order", having(enum=values[::-1])
    elif "const" in schema:
        yield "another const", having(const="brick-9-9")
        yield "no const", lacking("const")
    elif schema.get("type") == "string":
        yield "tokens where there are none", having(enum=["brick-1-1"])


def faults_in_types(part: Part, having: Any, lacking: Any) -> Iterator[tuple[str, Schema]]:
    schema = part.schema
    kind = schema.get("type")
    if "$ref" in schema or kind == "null":
        return  # the reference repeats it, or there is no other possibility
    if isinstance(kind, str):
        if kind in OTHER_TYPE:
            yield "another type", having(type=OTHER_TYPE[kind])
        yield "null as well", having(type=[kind, "null"])
        if kind == "integer" and "maximum" not in schema:
            yield "a bound where there is none", having(maximum=5)
        if kind == "array" and "maxItems" not in schema:
            yield "a bound where there is none", having(maxItems=5)
    elif kind is not None:
        yield "no null", having(type=kind[0])
    if kind is not None and "enum" not in schema and "const" not in schema:
        yield "no type", lacking("type")


def faults_in_members(schema: Schema, having: Any) -> Iterator[tuple[str, Schema]]:
    members, required = schema.get("properties", {}), schema.get("required", [])
    if members and schema.get("type") == "object":
        yield "a member too many", having(properties={**members, "heigth": {"type": "integer"}})
        for name, member in members.items():
            rest = {other: one for other, one in members.items() if other != name}
            yield "a member missing", having(properties=rest)
            yield "a member misspelt", having(properties={**rest, f"{name}h": member})
            if name in required:
                yield "a required member left optional", having(required=[one for one in required if one != name])
            else:
                yield "an optional member required", having(required=[*required, name])
    if schema.get("additionalProperties") is False:
        yield "open", having(additionalProperties=True)
        yield "open by silence", {name: one for name, one in schema.items() if name != "additionalProperties"}
    elif schema.get("type") == "object" and "additionalProperties" not in schema:
        yield "closed", having(additionalProperties=False)


def report() -> int:
    """Plants every fault; returns the number of those that go unnoticed."""
    planted_ones, unnoticed = Counter[str](), Counter[str]()
    for file in schema_files():
        for fault in faults(file):
            planted_ones[fault.kind] += 1
            if not any(differences_with(file, planted(fault))):
                unnoticed[fault.kind] += 1
                print("not noticed:", fault)
    for kind, number in sorted(planted_ones.items()):
        print(f"{number:6} {kind}" + (f", {unnoticed[kind]} not noticed" if unnoticed[kind] else ""))
    print(f"{planted_ones.total():6} faults, {unnoticed.total()} not noticed")
    return unnoticed.total()


if __name__ == "__main__":
    sys.exit(report() > 0)
