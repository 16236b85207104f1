"""The schemas of answers, from the types that declare them."""

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from inspect import getdoc
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from msgspec import Meta, Struct, UnsetType
from msgspec.structs import fields
from tools.openapi.nodes import Node, file_reference, pascal, schema_component

from capomastro.answers import Document, OfGame
from capomastro.documents.shapes import COMMON
from capomastro.games import all_games

GAMES = "capomastro.games."
"""The modules whose types belong to a game."""

SCALARS = {str: "string", int: "integer", bool: "boolean", NoneType: "null"}


def answer_schema(answer: Any) -> Node:
    """The schema of a type; objects are references to components, and documents to their files."""
    if answer is Any:
        return {}
    if answer in SCALARS:
        return {"type": SCALARS[answer]}
    if isinstance(answer, type) and issubclass(answer, Struct):
        return schema_component(name_of(answer))
    if isinstance(answer, type) and issubclass(answer, StrEnum):
        return {"type": "string", "enum": [str(word) for word in answer]}
    origin, arguments = get_origin(answer), get_args(answer)
    if origin is Annotated:
        return annotated(arguments[0], arguments[1:])
    if origin is Literal:
        kind = SCALARS[type(arguments[0])]
        return {"type": kind, **({"const": arguments[0]} if len(arguments) == 1 else {"enum": list(arguments)})}
    if origin in (Union, UnionType):
        return union([alternative for alternative in arguments if alternative is not UnsetType])
    if origin in (Sequence, tuple):  # collections.abc.Sequence and Mapping are what `Sequence[…]` originates from
        return {"type": "array", "items": answer_schema(arguments[0])}
    if origin in (dict, Mapping):
        values = answer_schema(arguments[1])
        return {"type": "object", "additionalProperties": values} if values else {"type": "object"}
    raise TypeError(f"answers cannot be of the type {answer}")


def annotated(answer: Any, notes: Sequence[Any]) -> Node:
    """The schema of an annotated type: its document, description and bounds; or that of what each game declares."""
    schema = next((schema_of_note(note) for note in notes if isinstance(note, Document | OfGame)), None)
    schema = answer_schema(answer) if schema is None else schema
    for note in notes:
        if isinstance(note, Meta):
            description = {"description": note.description} if note.description else {}
            minimum = {"minimum": note.ge} if note.ge is not None else {}
            schema = {**description, **schema, **minimum}
    return schema


def schema_of_note(note: Document | OfGame) -> Node:
    """A reference to a document, or to the component that has one alternative for each game."""
    if isinstance(note, OfGame):
        return schema_component(name_of_union(note))
    return file_reference(COMMON, note.kind) if note.shared else schema_component(pascal(note.kind))


def name_of_union(note: OfGame) -> str:
    """The name of the component with the types that games declare: "reference_type" is Reference."""
    return pascal(note.attribute.removesuffix("_type"))


def union(alternatives: Sequence[Any]) -> Node:
    schemas = list(map(answer_schema, alternatives))
    if len(schemas) == 1:
        return schemas[0]
    if all(set(schema) == {"type"} for schema in schemas):
        return {"type": [schema["type"] for schema in schemas]}
    return {"anyOf": schemas}


def members_of(answer: type[Struct]) -> dict[str, Any]:
    """The members of an answer by their names in documents, each with its type."""
    hints = get_type_hints(answer, include_extras=True)
    return {field.encode_name: hints[field.name] for field in fields(answer)}


def is_optional(member: Any) -> bool:
    return get_origin(member) in (Union, UnionType) and UnsetType in get_args(member)


def parts_of(answer: Any) -> Iterator[Any]:
    """All types in a type, including itself, and what games declare; documents are left to their schemas."""
    yield answer
    notes = [note for note in get_args(answer) if isinstance(note, Document | OfGame)]
    if notes:
        yield from notes
        return
    inner = members_of(answer).values() if isinstance(answer, type) and issubclass(answer, Struct) else get_args(answer)
    if get_origin(answer) is not Literal:
        for part in inner:
            yield from parts_of(part)


def name_of(answer: type[Struct]) -> str:
    """The name of the component: the class, with the game if that declares it."""
    if not answer.__module__.startswith(GAMES):
        return answer.__name__
    prefix = pascal(answer.__module__.removeprefix(GAMES).partition(".")[0])
    return prefix + answer.__name__.removeprefix(prefix)


def answer_components(answer: Any) -> dict[str, Node]:
    """Every object in an answer as a component; not closed, since answers may get members."""
    found: dict[str, Node] = {}
    for part in parts_of(answer):
        if isinstance(part, OfGame):
            declared = [getattr(game, part.attribute) for game in all_games().values()]
            found[name_of_union(part)] = {"anyOf": list(map(answer_schema, declared))}
            for own in declared:
                found |= answer_components(own)
        elif isinstance(part, Document) and not part.shared:
            found[pascal(part.kind)] = of_all_games(part.kind)
        elif isinstance(part, type) and issubclass(part, Struct):
            members = members_of(part)
            found[name_of(part)] = {
                "description": getdoc(part),
                "type": "object",
                "properties": {name: answer_schema(member) for name, member in members.items()},
                "required": [name for name, member in members.items() if not is_optional(member)],
            }
    return found


def of_all_games(kind: str, place: str = "") -> Node:
    """A kind of document, or a part of it at a JSON Pointer, of whichever game."""
    return {"anyOf": [file_reference(game, kind, place) for game in all_games()]}
