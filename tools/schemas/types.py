"""Types as schemas: of answers, for the specification, and of documents, for `schemas/`."""

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from msgspec import Meta, Struct, UnsetType
from msgspec.structs import fields
from tools.openapi.nodes import Node

from capomastro.documents.reading import is_struct, tag_of
from capomastro.engine.members import Keys

SCALARS = {str: "string", int: "integer", bool: "boolean", NoneType: "null"}

LENGTHS = {"string": "Length", "array": "Items", "object": "Properties"}
"""The ends of the keywords for the length of a value."""

Named = Callable[[Any], Node | None]
"""Refers to the schema of a type that has one of its own; None if it has none."""


def schema_of(kind: Any, named: Named) -> Node:
    """The schema of a type."""
    reference = named(kind)
    if reference is not None:
        return reference
    if kind is Any:
        return {}
    if kind in SCALARS:
        return {"type": SCALARS[kind]}
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return {"type": "string", "enum": [str(one) for one in kind]}
    if isinstance(kind, TypeVar):
        return schema_of(kind.__bound__, named)
    origin, arguments = get_origin(kind), get_args(kind)
    if is_struct(origin):
        return schema_of(origin, named)
    if origin is Annotated:
        return annotated(arguments[0], arguments[1:], named)
    if origin is Literal:
        values = {"const": arguments[0]} if len(arguments) == 1 else {"enum": list(arguments)}
        return {"type": SCALARS[type(arguments[0])], **values}
    if origin in (Union, UnionType):
        return union([one for one in arguments if one is not UnsetType], named)
    if origin in (Sequence, list, tuple):
        return array(arguments, named)
    if origin in (dict, Mapping):
        return mapping(arguments, named)
    raise TypeError(f"documents cannot be of the type {kind}")


# collections.abc.Sequence and Mapping are what `Sequence[…]` and `Mapping[…]` originate from.


def array(items: Sequence[Any], named: Named) -> Node:
    """A list of any length, or a tuple whose items are alike."""
    schema = {"type": "array", "items": schema_of(items[0], named)}
    if len(items) == 1 or items[-1] is ...:
        return schema
    if any(item != items[0] for item in items):
        raise TypeError(f"the items of a tuple are not alike: {items}")
    return {"type": "array", "minItems": len(items), "maxItems": len(items), "items": schema["items"]}


def mapping(arguments: Sequence[Any], named: Named) -> Node:
    """An object whose members are alike."""
    names = schema_of(arguments[0], named)
    values = schema_of(arguments[1], named)
    narrowed = (
        {} if names == {"type": "string"} else {"propertyNames": {key: names[key] for key in names if key != "type"}}
    )
    return {"type": "object", **narrowed, **({"additionalProperties": values} if values else {})}


def annotated(kind: Any, notes: Sequence[Any], named: Named) -> Node:
    """The schema of an annotated type: that of the longest beginning that has a name, and what the rest adds."""
    for count in range(len(notes) - 1, 0, -1):
        reference = named(Annotated[(kind, *notes[:count])])
        if reference is not None:
            return with_notes(reference, kind, notes[count:])
    return with_notes(schema_of(kind, named), kind, notes)


def with_notes(schema: Node, kind: Any, notes: Sequence[Any]) -> Node:
    for note in notes:
        if isinstance(note, Meta):
            schema = with_meta(schema, kind, note)
        elif isinstance(note, Keys):
            schema = with_keys(schema, note)
    return schema


def with_meta(schema: Node, kind: Any, note: Meta) -> Node:
    """A schema and what a `Meta` says."""
    about = {"title": note.title, "description": note.description}
    length = LENGTHS.get(type_of(kind), "")
    bounds = {
        "pattern": note.pattern,
        "minimum": note.ge,
        "maximum": note.le,
        f"min{length}": note.min_length,
        f"max{length}": note.max_length,
        **(note.extra_json_schema or {}),
    }
    bounds["const"] = bounds.pop("enum")[0] if len(bounds.get("enum", ())) == 1 else None
    schema = dict(schema)
    items = {"items": schema.pop("items")} if "items" in schema else {}  # after the number of them
    return {**stated(about), **schema, **stated(bounds), **items, **stated({"examples": note.examples})}


def stated(keywords: Mapping[str, Any]) -> Node:
    return {name: value for name, value in keywords.items() if value is not None}


def type_of(kind: Any) -> str:
    """The JSON type of a type."""
    if get_origin(kind) is Annotated:
        return type_of(get_args(kind)[0])
    if get_origin(kind) in (list, tuple, Sequence):
        return "array"
    return "object" if get_origin(kind) in (dict, Mapping) else SCALARS.get(kind, "")


def with_keys(schema: Node, note: Keys) -> Node:
    """An object with a fixed set of members, which are alike."""
    properties = {
        name: {
            **stated({"description": note.sentence and note.sentence.format(name)}),
            **schema["additionalProperties"],
            **({"maximum": note.most[index]} if note.most else {}),
        }
        for index, name in enumerate(note.names)
    }
    required = {"required": list(note.names)} if note.required else {}
    return {"type": "object", "properties": properties, **required, "additionalProperties": False}


def union(alternatives: Sequence[Any], named: Named) -> Node:
    """One of several types."""
    schemas = [schema_of(one, named) for one in alternatives]
    if len(schemas) == 1:
        return schemas[0]
    simple = [schema for schema in schemas if set(schema) == {"type"}]
    if len(simple) == len(schemas):
        return {"type": [schema["type"] for schema in schemas]}
    bounded = [schema for schema in schemas if schema not in simple]
    if len(schemas) == 2 and simple == [{"type": "null"}] and set(bounded[0]) <= {"type", "minimum", "maximum"}:
        return {**bounded[0], "type": [bounded[0]["type"], "null"]}
    return {"oneOf" if all(map(tag_of, alternatives)) else "anyOf": schemas}


def members_of(kind: type[Struct]) -> dict[str, Any]:
    """The members of an object by their names in documents, each with its type."""
    hints = get_type_hints(kind, include_extras=True)
    return {field.encode_name: hints[field.name] for field in fields(kind)}


def is_optional(member: Any) -> bool:
    return get_origin(member) in (Union, UnionType) and UnsetType in get_args(member)
