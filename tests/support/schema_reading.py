"""Reads schemas through their references, and records every keyword that has been compared."""

from collections.abc import Iterator, Mapping
from posixpath import dirname, join, normpath
from typing import Any, NamedTuple

from tests.support.schemas import Part, Schema, parts

NOTES = {"$schema", "$defs", "title", "description", "examples"}
"""Keywords that do not constrain documents; `tests/documents/test_schemas.py` checks them."""


class Place(NamedTuple):
    """A keyword in a file."""

    file: str
    fragment: str
    keyword: str

    def __str__(self) -> str:
        return f"{self.file}#{self.fragment} {self.keyword}"


class Schemas:
    """Schemas by file. `compared` holds every keyword that has been compared."""

    def __init__(self, files: Mapping[str, Schema]) -> None:
        self.files = files
        self.compared: set[Place] = set()

    def node(self, place: str) -> "Node":
        """The schema at a place such as "common/hand.json#/properties/open", with those it refers to.

        Raises:
            KeyError: if there is none.
        """
        return Node(self, self.layers(self.part(place)))

    def part(self, place: str) -> Part:
        file, _, fragment = place.partition("#")
        schema: Any = self.files[file]
        for step in fragment.split("/")[1:]:
            schema = schema[int(step) if isinstance(schema, list) else step]
        return Part(file, fragment, schema)

    def layers(self, part: Part) -> tuple[Part, ...]:
        """The schema, then the one it refers to, and so on."""
        if "$ref" not in part.schema:
            return (part,)
        self.compare(part, "$ref")
        name, number_sign, fragment = part.schema["$ref"].partition("#")
        file = normpath(join(dirname(part.file), name)) if name else part.file
        return (part, *self.layers(self.part(file + number_sign + fragment)))

    def compare(self, part: Part, *keywords: str) -> None:
        self.compared.update(Place(part.file, part.fragment, keyword) for keyword in keywords)

    def parts(self) -> Iterator[Part]:
        for file, schema in self.files.items():
            yield from parts(file, schema)

    def left_over(self) -> set[Place]:
        """The keywords that constrain documents and have not been compared."""
        every = {
            Place(part.file, part.fragment, keyword) for part in self.parts() for keyword in part.schema.keys() - NOTES
        }
        return every - self.compared


class Node:
    """A schema together with those it refers to: siblings of a reference narrow its target."""

    def __init__(self, schemas: Schemas, layers: tuple[Part, ...]) -> None:
        self.schemas = schemas
        self.layers = layers

    def __str__(self) -> str:
        return str(self.layers[0])

    @property
    def identity(self) -> str:
        """Its own place, or that of its target if it only refers to another schema."""
        return next(str(layer) for layer in self.layers if layer.schema.keys() - NOTES != {"$ref"})

    def has(self, keyword: str) -> bool:
        return any(keyword in layer.schema for layer in self.layers)

    def every(self, keyword: str) -> list[Any]:
        """The values of a keyword in all layers, the narrowest first; marks it as compared."""
        found = [layer for layer in self.layers if keyword in layer.schema]
        for layer in found:
            self.schemas.compare(layer, keyword)
        return [layer.schema[keyword] for layer in found]

    def says(self, keyword: str) -> Any:
        """The value of a keyword in the narrowest layer that has it, or None; marks it as compared."""
        return next(iter(self.every(keyword)), None)

    def values(self) -> tuple[str, list[Any]] | None:
        """The place of the narrowest list of values, and the values; does not mark it as compared."""
        for layer in self.layers:
            if "enum" in layer.schema:
                return str(layer), layer.schema["enum"]
            if "const" in layer.schema:
                return str(layer), [layer.schema["const"]]
        return None

    def types(self) -> set[str]:
        """The JSON types it allows, from `type` or from the listed values."""
        named = [{one} if isinstance(one, str) else set(one) for one in self.every("type")]
        listed = self.values()
        return set.union(*named) if named else {json_type(value) for value in (listed[1] if listed else ())}

    def required(self) -> set[str]:
        return {name for names in self.every("required") for name in names}

    def members(self) -> dict[str, "Node"]:
        names = dict.fromkeys(name for members in reversed(self.every("properties")) for name in members)
        return {name: self.within("properties", name) for name in names}

    def within(self, *steps: str) -> "Node":
        """The schema of a member, of the items and the like, as all layers together have it."""
        found: list[Part] = []
        for layer in self.layers:
            inner: Any = layer.schema
            for step in steps:
                inner = inner.get(step) if isinstance(inner, dict) else None
            if isinstance(inner, dict):
                self.schemas.compare(layer, steps[0])
                found += self.schemas.layers(Part(layer.file, "/".join([layer.fragment, *steps]), inner))
        return Node(self.schemas, tuple(found))

    def branches(self, keyword: str) -> list["Node"]:
        """The branches of `oneOf` or `anyOf`."""
        for layer in self.layers:
            if keyword in layer.schema:
                self.schemas.compare(layer, keyword)
                return [self.schemas.node(f"{layer}/{keyword}/{index}") for index in range(len(layer.schema[keyword]))]
        return []


JSON_TYPES = {str: "string", int: "integer", bool: "boolean", type(None): "null", list: "array", dict: "object"}


def json_type(value: Any) -> str:
    """The name of the JSON type of a value."""
    return JSON_TYPES[type(value)]
