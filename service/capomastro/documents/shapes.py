"""The shape of documents: whether one has it, and everything that is wrong if it has not.

`schemas/` is the only truth. Two libraries read it: `jsonschema-rs` accepts documents, because it is fast;
`jsonschema` (in `explanations`) is asked only after a refusal, because what it finds can be explained.
"""

from collections.abc import Callable
from functools import cache
from json import loads
from pathlib import PurePosixPath
from typing import Any

import jsonschema_rs
from jsonschema import Draft202012Validator
from referencing import Registry
from referencing.jsonschema import DRAFT202012

from capomastro.documents.explanations import ShapeError, explaining_validator, explanations
from capomastro.documents.files import schemas_directory

Schema = dict[str, Any]

COMMON = "common"
"""The folder of the schemas that belong to no game; every other folder is named by the game it belongs to."""

ORIGIN = "https://capomastro.invalid"
"""Stands for whatever server the schemas are served by, where a library wants an absolute address."""


# --- schemas and their addresses -------------------------------------------------------------------------------------


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


def address(folder: str, document: str) -> str:
    """Where a schema is served."""
    return f"/v1/schemas/{document}" if folder == COMMON else f"/v1/games/{folder}/schemas/{document}"


def address_of_file(folder: str, file: str) -> str:
    """Where the schema is served that a schema in `folder` refers to as `file`, such as "../common/hand.json"."""
    path = PurePosixPath(file)
    return address(COMMON if path.parts[:2] == ("..", COMMON) else folder, path.stem)


def with_references(node: Any, address_of: Callable[[str], str]) -> Any:
    """A copy of a schema whose references name addresses, not files."""
    if isinstance(node, list):
        return [with_references(item, address_of) for item in node]
    if not isinstance(node, dict):
        return node
    copy = {name: with_references(member, address_of) for name, member in node.items()}
    if isinstance(node.get("$ref"), str):
        file, number_sign, fragment = node["$ref"].partition("#")
        copy["$ref"] = address_of(file) + number_sign + fragment
    return copy


def served_schema(game_id: str | None, document: str) -> Schema:
    """A schema as it is served: its `$id` is its address on the server, and its references resolve there.

    Raises:
        KeyError: if there is no such schema.
    """
    folder = game_id or COMMON
    schema = _files()[folder][document]
    referring = with_references(schema, lambda file: address_of_file(folder, file) if file else "")
    return {"$schema": schema["$schema"], "$id": address(folder, document), **referring}


def absolute(folder: str, document: str, schema: Schema) -> Schema:
    """A schema whose references are all absolute.

    It says no more which dialect it is written in: `jsonschema` would take that as the wish for another validator.
    """
    own = ORIGIN + address(folder, document)
    copy = with_references(schema, lambda file: ORIGIN + address_of_file(folder, file) if file else own)
    return {name: member for name, member in copy.items() if name != "$schema"}


@cache
def _schemas() -> dict[str, Schema]:
    """Every schema by its absolute address."""
    return {
        ORIGIN + address(folder, document): absolute(folder, document, schema)
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
    resources = [(address, DRAFT202012.create_resource(schema)) for address, schema in _schemas().items()]
    registry: Registry[Any] = Registry().with_resources(resources)
    return explaining_validator(_accepts)({"$ref": reference}, registry=registry)


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
    folder = game_id or COMMON
    if document not in _files()[folder]:
        raise KeyError(document)
    return Shape(ORIGIN + address(folder, document))


def compile_all() -> int:
    """Compiles every schema now, so that no request waits for it; the number of schemas."""
    shapes = [shape_of(folder, document) for folder, schemas in _files().items() for document in schemas]
    return len(shapes)
