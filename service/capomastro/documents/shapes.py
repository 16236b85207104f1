"""The schemas of documents, and what they say of a document that does not have its shape."""

from collections.abc import Callable, Iterable, Sequence
from functools import cache, partial
from json import loads
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import urljoin

from capomastro.documents.files import schemas_directory
from capomastro.documents.phrases import ShapeError
from capomastro.documents.reading import KINDS, can_read, reader_of
from capomastro.engine.game import AnyGame

Schema = dict[str, Any]

COMMON = "common"
"""The folder of the schemas that belong to no game; every other folder has the name of its game."""

ORIGIN = "https://capomastro.invalid"
"""The base URI of the schemas: `jsonschema` needs absolute URIs. Nothing is ever fetched."""


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
    """The absolute URI of a schema."""
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


@cache
def schema_at(reference: str) -> Any:
    """The schema at an absolute address, as in the output of `bundle` and `absolute`.

    It is a file, or a part of one if there is a JSON Pointer.
    """
    file, _, pointer = reference.partition("#")
    schema: Any = _schemas()[file]
    for step in pointer.split("/")[1:]:
        schema = schema[step]
    return schema


def prepare(games: Iterable[AnyGame]) -> int:
    """Makes every reader, and loads what explains errors, so that no request waits for it.

    Returns the number of schemas.
    """
    for game in games:
        for kind in KINDS:
            reader_of(game, kind)
        _explainer(game, "state")
    return sum(map(len, _files().values()))


# --- errors -----------------------------------------------------------------------------------------------------------


def errors_in(game: AnyGame, kind: str, document: Any, quoting: bool = True) -> list[ShapeError]:
    """The errors in the shape of a document, at most `MAXIMUM_ERRORS`; empty if it can be read.

    Without `quoting` they repeat nothing of the document.
    """
    return _explainer(game, kind)(document, quoting)


@cache
def _explainer(game: AnyGame, kind: str) -> Callable[[Any, bool], list[ShapeError]]:
    # jsonschema takes longer to import than everything else that a command needs
    from capomastro.documents.explanations import explaining_validator, explanations  # noqa: PLC0415

    readable = {address_of(game, each): partial(can_read, game, each) for each in KINDS}

    @cache
    def quick_check_at(address: str) -> Callable[[Any], bool] | None:
        return readable.get(address) or is_one_of(schema_at(address).get("enum", ()))

    own = schema_at(address_of(game, kind))
    return partial(explanations, explaining_validator(quick_check_at, schema_at)(own))


def address_of(game: AnyGame, kind: str) -> str:
    """The address of the schema of one of `KINDS`."""
    if kind == "line":
        return f"{identifier(game.id, 'result')}#/$defs/line"
    return identifier(COMMON if kind == "score-line" else game.id, kind)


def is_one_of(texts: Sequence[Any]) -> Callable[[Any], bool] | None:
    """Whether a value is one of several texts, such as tokens; None if they are none."""
    allowed = frozenset(text for text in texts if isinstance(text, str))
    return (lambda value: isinstance(value, str) and value in allowed) if allowed else None
