"""Shapes: validates documents against their schemas, and lists all errors.

`schemas/` is the only source. Two libraries read it: `jsonschema-rs` validates documents, because it is fast;
`jsonschema` (in `explanations`) runs only after a refusal, because its errors can be explained. Where `jsonschema-rs`
is missing, as in a browser, `acceptance` takes its place.
"""

from collections.abc import Callable
from functools import cache, partial
from json import loads
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import urljoin

try:
    import jsonschema_rs

    HAS_VALIDATOR = True
except ModuleNotFoundError:  # it has no wheel for WebAssembly
    HAS_VALIDATOR = False

from capomastro.documents.acceptance import accepting
from capomastro.documents.files import schemas_directory
from capomastro.documents.phrases import ShapeError

Schema = dict[str, Any]

COMMON = "common"
"""The folder of the schemas that belong to no game; every other folder has the name of its game."""

ORIGIN = "https://capomastro.invalid"
"""The base URI of the schemas: the validators need absolute URIs. Nothing is ever fetched."""


# --- schemas and their identifiers -----------------------------------------------------------------------------------


@cache
def _files() -> dict[str, dict[str, Schema]]:
    """The content of every schema file, by folder and name."""
    return {
        folder.name: {path.stem: loads(path.read_text("utf-8")) for path in sorted(folder.glob("*.json"))}
        for folder in sorted(schemas_directory().iterdir())
        if folder.is_dir()
    }


def games_with_schemas() -> tuple[str, ...]:
    """The ids of all games that have schemas."""
    return tuple(folder for folder in _files() if folder != COMMON)


def documents_of(game_id: str | None) -> tuple[str, ...]:
    """The kinds of documents with a schema in this game (None: those that belong to no game)."""
    return tuple(_files().get(game_id or COMMON, ()))


def schema_of(game_id: str | None, document: str) -> Schema:
    """The content of a schema file; its references are relative file paths.

    Raises:
        KeyError: if there is no such schema.
    """
    return _files()[game_id or COMMON][document]


def referred(game_id: str | None, file: str) -> tuple[str | None, str]:
    """Game and kind of document of the schema that a schema of `game_id` refers to as, say, "../common/hand.json"."""
    path = PurePosixPath(file)
    return None if path.parts[:2] == ("..", COMMON) else game_id, path.stem


def with_references(node: Any, rename: Callable[[str], str]) -> Any:
    """A copy of a schema with every reference renamed."""
    if isinstance(node, list):
        return [with_references(item, rename) for item in node]
    if not isinstance(node, dict):
        return node
    copy = {name: with_references(member, rename) for name, member in node.items()}
    if isinstance(node.get("$ref"), str):
        copy["$ref"] = rename(node["$ref"])
    return copy


def identifier(folder: str, document: str) -> str:
    """The absolute URI of a schema, for the validators."""
    return f"{ORIGIN}/{folder}/{document}.json"


def absolute(own: str, schema: Schema) -> Schema:
    """The schema with the identifier `own` and absolute references.

    Its dialect is removed: `jsonschema` would switch to another validator.
    """
    copy = with_references(schema, cache(partial(urljoin, own)))
    return {name: member for name, member in copy.items() if name != "$schema"}


@cache
def _schemas() -> dict[str, Schema]:
    """Every schema by its identifier."""
    return {
        (own := identifier(folder, document)): absolute(own, schema)
        for folder, schemas in _files().items()
        for document, schema in schemas.items()
    }


def bundle(game_id: str | None, document: str) -> Schema:
    """A schema with every schema it refers to among its `$defs`, as 2020-12 defines it, for use without a server.

    Raises:
        KeyError: if there is no such schema.
    """
    own = identifier(game_id or COMMON, document)
    schema = _schemas()[own]
    needed: dict[str, Schema] = {}
    waiting = [own]
    while waiting:
        for file in sorted(files_referred_to(_schemas()[waiting.pop()]) - {own, *needed}):
            needed[file] = _schemas()[file]
            waiting.append(file)
    definitions = {
        file.removeprefix(f"{ORIGIN}/").removesuffix(".json"): {"$id": file, **needed[file]} for file in needed
    }
    whole = {"$schema": schema_of(game_id, document)["$schema"], "$id": own, **schema}
    return {**whole, "$defs": {**schema.get("$defs", {}), **definitions}} if definitions else whole


def files_referred_to(schema: Schema) -> set[str]:
    """The absolute addresses of all files that a schema refers to."""
    found: set[str] = set()

    def noted(reference: str) -> str:
        found.add(reference.partition("#")[0])
        return reference

    with_references(schema, noted)
    return found


def schema_at(reference: str) -> Schema:
    """The schema at an absolute address, as in the output of `bundle` and `absolute`."""
    found: Schema = _schema_at(reference)
    return found


# --- the two validators ----------------------------------------------------------------------------------------------


@cache
def _accepting_registry() -> "jsonschema_rs.Registry":
    return jsonschema_rs.Registry(list(_schemas().items()), draft=jsonschema_rs.Draft202012)


@cache
def _accepts(reference: str) -> Callable[[Any], bool]:
    """Validates values against the schema at an absolute address."""
    if not HAS_VALIDATOR:
        return accepting(_schema_at(reference), _accepts)
    return jsonschema_rs.Draft202012Validator({"$ref": reference}, registry=_accepting_registry()).is_valid


@cache
def _explainer(reference: str) -> Callable[[Any, bool], list[ShapeError]]:
    """Lists the errors in a value by the schema at an absolute address."""
    # jsonschema takes longer to import than everything else that a command needs
    from capomastro.documents.explanations import explaining_validator, explanations  # noqa: PLC0415

    return partial(explanations, explaining_validator(_accepts, _schema_at)({"$ref": reference}))


@cache
def _schema_at(reference: str) -> Any:
    """The schema at an absolute address: a file, or a part of one if there is a JSON Pointer."""
    file, _, pointer = reference.partition("#")
    schema: Any = _schemas()[file]
    for step in pointer.split("/")[1:]:
        schema = schema[step]
    return schema


class Shape:
    """The shape of a kind of document."""

    def __init__(self, reference: str) -> None:
        self.reference = reference
        self.accepts: Callable[[Any], bool] = _accepts(reference)
        """Whether a decoded JSON document has this shape."""

    def errors(self, document: Any, quoting: bool = True) -> list[ShapeError]:
        """The errors in a document, at most `MAXIMUM_ERRORS`; empty for an accepted one.

        Without `quoting` they repeat nothing of the document.
        """
        return _explainer(self.reference)(document, quoting)


@cache
def shape_of(game_id: str | None, document: str) -> Shape:
    """The shape of a kind of document of a game (None: of one that belongs to no game).

    Raises:
        KeyError: if there is no such schema.
    """
    schema_of(game_id, document)
    return Shape(identifier(game_id or COMMON, document))


def compile_all() -> int:
    """Compiles every schema, so that no request waits for it; returns their number."""
    _explainer(identifier(COMMON, "problem"))
    shapes = [shape_of(folder, document) for folder, schemas in _files().items() for document in schemas]
    return len(shapes)
