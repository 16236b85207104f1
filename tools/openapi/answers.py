"""The schemas of answers, from the types that declare them."""

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from inspect import getdoc
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from msgspec import Meta, Struct, UnsetType
from msgspec.structs import fields
from tools.openapi.bundle import document
from tools.openapi.nodes import Node, pascal, schema_component

from capomastro.answers import Document, OfGame
from capomastro.games import all_games

GAMES = "capomastro.games."
"""The modules whose types belong to a game."""

SCALARS = {str: "string", int: "integer", bool: "boolean", NoneType: "null"}


def answer_schema(answer: Any, folder: str) -> Node:
    """The schema of a type for a game (or for none: ""); objects are references to components."""
    if answer is Any:
        return {}
    if answer in SCALARS:
        return {"type": SCALARS[answer]}
    if isinstance(answer, type) and issubclass(answer, Struct):
        return schema_component(name_of(answer, folder))
    if isinstance(answer, type) and issubclass(answer, StrEnum):
        return {"type": "string", "enum": [str(one) for one in answer]}
    origin, arguments = get_origin(answer), get_args(answer)
    if origin is Annotated:
        return annotated(arguments[0], arguments[1:], folder)
    if origin is Literal:
        kind = SCALARS[type(arguments[0])]
        return {"type": kind, "const": arguments[0]} if len(arguments) == 1 else enumeration(arguments)
    if origin in (Union, UnionType):
        return union([one for one in arguments if one is not UnsetType], folder)
    if origin in (Sequence, tuple):
        return {"type": "array", "items": answer_schema(arguments[0], folder)}
    if origin in (dict, Mapping):
        values = answer_schema(arguments[1], folder)
        return {"type": "object", "additionalProperties": values} if values else {"type": "object"}
    raise TypeError(f"answers cannot be of the type {answer}")


# collections.abc.Sequence and Mapping are what `Sequence[…]` and `Mapping[…]` originate from.


def enumeration(values: Sequence[str]) -> Node:
    return {"type": "string", "enum": list(values)}


def annotated(answer: Any, notes: Sequence[Any], folder: str) -> Node:
    """The schema of an annotated type: its document, description and bounds; or that of the type a game declares."""
    answer = next((type_of_game(note, folder) for note in notes if isinstance(note, OfGame)), answer)
    kinds = [note for note in notes if isinstance(note, Document)]
    schema = document("" if kinds[0].shared else folder, kinds[0].kind) if kinds else answer_schema(answer, folder)
    for note in notes:
        if isinstance(note, Meta):
            description = {"description": note.description} if note.description else {}
            minimum = {"minimum": note.ge} if note.ge is not None else {}
            schema = {**description, **schema, **minimum}
    return schema


def union(alternatives: Sequence[Any], folder: str) -> Node:
    schemas = [answer_schema(one, folder) for one in alternatives]
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


def type_of_game(note: OfGame, folder: str) -> Any:
    """The type that a game declares."""
    return getattr(all_games()[folder], note.attribute)


def parts_of(answer: Any, folder: str) -> Iterator[Any]:
    """All types in a type, including itself; documents are left to their schemas."""
    yield answer
    kinds = [one for one in get_args(answer) if isinstance(one, Document)]
    if kinds:
        yield from kinds
        return
    of_game = [one for one in get_args(answer) if isinstance(one, OfGame)]
    if of_game:
        yield from (*of_game, *parts_of(type_of_game(of_game[0], folder), folder))
        return
    inner = members_of(answer).values() if isinstance(answer, type) and issubclass(answer, Struct) else get_args(answer)
    if get_origin(answer) is not Literal:
        for one in inner:
            yield from parts_of(one, folder)


def is_of_a_game(answer: Any, folder: str) -> bool:
    """Whether a type contains a document or a type of the game in question."""
    parts = parts_of(answer, folder)
    return any(isinstance(part, OfGame) or (isinstance(part, Document) and not part.shared) for part in parts)


def name_of(answer: type[Struct], folder: str) -> str:
    """The name of the component: the class, with the game if it differs from game to game."""
    prefix = pascal(folder)
    own = is_of_a_game(answer, folder) or answer.__module__.startswith(GAMES)
    return prefix + answer.__name__.removeprefix(prefix) if own else answer.__name__


def answer_components(answer: Any, folder: str) -> dict[str, Node]:
    """Every object in an answer as a component; not closed, since answers may get members."""
    found: dict[str, Node] = {}
    for part in parts_of(answer, folder):
        if isinstance(part, type) and issubclass(part, Struct):
            members = members_of(part)
            found[name_of(part, folder)] = {
                "description": getdoc(part),
                "type": "object",
                "properties": {name: answer_schema(member, folder) for name, member in members.items()},
                "required": [name for name, member in members.items() if not is_optional(member)],
            }
    return found
