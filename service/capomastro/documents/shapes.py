"""The shape of documents: whether one has it, and everything that is wrong if it has not.

`schemas/` is the only truth. Two libraries read it: `jsonschema-rs` accepts documents, because it is fast;
`jsonschema` (in `explanations`) is asked only after a refusal, because what it finds can be explained.
"""

from collections.abc import Callable
from functools import cache, partial
from json import loads
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import urljoin

import jsonschema_rs
from jsonschema import Draft202012Validator

from capomastro.documents.explanations import ShapeError, explaining_validator, explanations
from capomastro.documents.files import schemas_directory

Schema = dict[str, Any]

COMMON = "common"
"""The folder of the schemas that belong to no game; every other folder is named by the game it belongs to."""

ORIGIN = "https://capomastro.invalid"
"""Where the validators think the folder of schemas lies: they want absolute URIs. Nothing is ever fetched."""


# --- schemas and their identifiers -----------------------------------------------------------------------------------


@cache
def _files() -> dict[str, dict[str, Schema]]:
    """Every schema as it stands in its file, by folder and name."""
    return {
        folder.name: {path.stem: loads(path.read_text("utf-8")) for path in sorted(folder.glob("*.json"))}
        for folder in sorted(schemas_directory().iterdir())
        if folder.is_dir()
    }


def games_with_schemas() -> tuple[str, ...]:
    """The ids of all games that have schemas."""
    return tuple(folder for folder in _files() if folder != COMMON)


def documents_of(game_id: str | None) -> tuple[str, ...]:
    """The documents that have a schema in this game; None: those that belong to no game."""
    return tuple(_files().get(game_id or COMMON, ()))


def schema_of(game_id: str | None, document: str) -> Schema:
    """A schema as it stands in its file; its references are relative paths of files.

    Raises:
        KeyError: if there is no such schema.
    """
    return _files()[game_id or COMMON][document]


def referred(game_id: str | None, file: str) -> tuple[str | None, str]:
    """Game and document of the schema that a schema of a game refers to as `file`, such as "../common/hand.json"."""
    path = PurePosixPath(file)
    return None if path.parts[:2] == ("..", COMMON) else game_id, path.stem


def with_references(node: Any, rename: Callable[[str], str]) -> Any:
    """A copy of a schema, every reference in it renamed."""
    if isinstance(node, list):
        return [with_references(item, rename) for item in node]
    if not isinstance(node, dict):
        return node
    copy = {name: with_references(member, rename) for name, member in node.items()}
    if isinstance(node.get("$ref"), str):
        copy["$ref"] = rename(node["$ref"])
    return copy


def identifier(folder: str, document: str) -> str:
    """The absolute URI that names a schema to the validators."""
    return f"{ORIGIN}/{folder}/{document}.json"


def absolute(own: str, schema: Schema) -> Schema:
    """The schema with the identifier `own`, its references absolute.

    It does not name its dialect: `jsonschema` would take that as the wish for another validator.
    """
    copy = with_references(schema, partial(urljoin, own))
    return {name: member for name, member in copy.items() if name != "$schema"}


@cache
def _schemas() -> dict[str, Schema]:
    """Every schema by its identifier."""
    return {
        (own := identifier(folder, document)): absolute(own, schema)
        for folder, schemas in _files().items()
        for document, schema in schemas.items()
    }


# --- the two validators ----------------------------------------------------------------------------------------------


@cache
def _accepting_registry() -> jsonschema_rs.Registry:
    return jsonschema_rs.Registry(list(_schemas().items()), draft=jsonschema_rs.Draft202012)


@cache
def _accepts(reference: str) -> Callable[[Any], bool]:
    """Tells whether a value is valid by the schema at an absolute address."""
    return jsonschema_rs.Draft202012Validator({"$ref": reference}, registry=_accepting_registry()).is_valid


@cache
def _explainer(reference: str) -> Draft202012Validator:
    """Finds what is wrong with a value by the schema at an absolute address."""
    return explaining_validator(_accepts, _schema_at)({"$ref": reference})


@cache
def _schema_at(reference: str) -> Any:
    """The schema at an absolute address: a file, or with a JSON Pointer a part of one."""
    file, _, pointer = reference.partition("#")
    schema: Any = _schemas()[file]
    for step in pointer.split("/")[1:]:
        schema = schema[step]
    return schema


class Shape:
    """The shape of one kind of document."""

    def __init__(self, reference: str) -> None:
        self.reference = reference
        self.accepts: Callable[[Any], bool] = _accepts(reference)
        """Whether a decoded JSON document has this shape."""

    def errors(self, document: Any) -> list[ShapeError]:
        """Everything that is wrong with a document that was not accepted, up to a cap; empty for an accepted one."""
        return explanations(_explainer(self.reference), document)


@cache
def shape_of(game_id: str | None, document: str) -> Shape:
    """The shape of a document of a game; None: of one that belongs to no game.

    Raises:
        KeyError: if there is no such schema.
    """
    schema_of(game_id, document)
    return Shape(identifier(game_id or COMMON, document))


def compile_all() -> int:
    """Compiles every schema now, so that no request waits for it; the number of schemas."""
    shapes = [shape_of(folder, document) for folder, schemas in _files().items() for document in schemas]
    return len(shapes)
