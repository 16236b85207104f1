"""Building blocks of a specification: nodes, references, names in two spellings."""

from collections.abc import Callable, Iterator
from typing import Any

Node = dict[str, Any]

VALUES = frozenset({"const", "default", "enum", "example", "examples"})
"""Members of a schema that hold values, not schemas."""


EXAMPLES = frozenset({"example", "examples"})
SCHEMAS = "#/components/schemas/"


def component(part: str, name: str) -> Node:
    """A reference to a component."""
    return {"$ref": f"#/components/{part}/{name}"}


def schema_component(name: str) -> Node:
    return component("schemas", name)


def file_reference(folder: str, document: str, place: str = "") -> Node:
    """A reference to a schema file, as seen from `openapi.yaml`; `place` is a JSON Pointer into it."""
    return {"$ref": f"schemas/{folder}/{document}.json" + (f"#{place}" if place else "")}


def pascal(name: str) -> str:
    """The name of a class: "tile-drawn" and "tile_drawn" are TileDrawn."""
    return "".join(word[:1].upper() + word[1:] for word in name.replace("_", "-").split("-"))


def mapped(node: Any, change: Callable[[Node], Node]) -> Any:
    """A copy of a schema with `change` applied to every schema in it, innermost first."""
    if isinstance(node, list):
        return [mapped(item, change) for item in node]
    if not isinstance(node, dict):
        return node
    return change({name: below(name, member, change) for name, member in node.items()})


def below(name: str, member: Any, change: Callable[[Node], Node]) -> Any:
    """A member of a schema with `change` applied to its schemas: schemas by name, one, several, or none."""
    if name in VALUES:
        return member
    if name in ("properties", "$defs"):
        return {inner: mapped(schema, change) for inner, schema in member.items()}
    return mapped(member, change)


def references(node: Any) -> Iterator[str]:
    """The names of all components of schemas that a node refers to."""
    if isinstance(node, list):
        for item in node:
            yield from references(item)
    elif isinstance(node, dict):
        if isinstance(node.get("$ref"), str) and node["$ref"].startswith(SCHEMAS):
            yield node["$ref"].removeprefix(SCHEMAS)
        for name, member in node.items():
            if name not in EXAMPLES:
                yield from references(member)
