"""The schemas of answers, from the types that declare them."""

from collections.abc import Iterator
from inspect import getdoc
from typing import Any, Literal, get_args, get_origin

from msgspec import Struct
from tools.openapi.nodes import Node, file_reference, pascal, schema_component
from tools.schemas import sentences
from tools.schemas.common import COMMON_TYPES
from tools.schemas.types import is_optional, members_of, schema_of, stated

from capomastro.answers import Document, OfGame
from capomastro.documents.reading import is_struct
from capomastro.documents.shapes import COMMON
from capomastro.games import all_games

GAMES = "capomastro.games."
"""The modules whose types belong to a game."""


def answer_schema(answer: Any) -> Node:
    """The schema of a type; objects are references to components, and documents to their files."""
    return schema_of(answer, named)


def named(answer: Any) -> Node | None:
    """Refers to the document, to what each game declares, or to the component that a type is."""
    notes = getattr(answer, "__metadata__", ())
    if notes and isinstance(notes[-1], Document | OfGame):
        return schema_of_note(notes[-1])
    if answer in COMMON_TYPES:
        return file_reference(COMMON, COMMON_TYPES[answer])
    return schema_component(name_of(answer)) if is_struct(answer) else None


def schema_of_note(note: Document | OfGame) -> Node:
    """A reference to a document, or to the component that has one alternative for each game."""
    if isinstance(note, OfGame):
        return schema_component(name_of_union(note))
    return file_reference(COMMON, note.kind) if note.shared else schema_component(pascal(note.kind))


def name_of_union(note: OfGame) -> str:
    """The name of the component with the types that games declare: "reference_type" is Reference."""
    return pascal(note.attribute.removesuffix("_type"))


def parts_of(answer: Any) -> Iterator[Any]:
    """All types in a type, including itself, and what games declare; documents are left to their schemas."""
    yield answer
    notes = [note for note in get_args(answer) if isinstance(note, Document | OfGame)]
    if notes:
        yield from notes
        return
    inner = members_of(answer).values() if is_struct(answer) else get_args(answer)
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
        elif is_struct(part):
            members, told = members_of(part), sentences.of_fields(part)
            found[name_of(part)] = {
                "description": getdoc(part),
                "type": "object",
                "properties": {
                    name: {**stated({"description": told.get(name)}), **answer_schema(member)}
                    for name, member in members.items()
                },
                "required": [name for name, member in members.items() if not is_optional(member)],
            }
    return found


def of_all_games(kind: str, place: str = "") -> Node:
    """A kind of document, or a part of it at a JSON Pointer, of whichever game."""
    return {"anyOf": [file_reference(game, kind, place) for game in all_games()]}
