"""The questions one can ask the service, read from the specification; both clients have a method for each."""

from collections.abc import Iterator
from typing import Any, NamedTuple

JSON = "application/json"
TEXT = "text/vnd.capomastro.record"
LINES = "application/x-ndjson"
SVG = "image/svg+xml"
GAMES = "/v1/games/"
SUCCESS = "200"
MOST_KINDS = 3


class Question(NamedTuple):
    """An operation, as a method of a client.

    Attributes:
        name: The name of the operation in kebab case, without its game.
        method: "get" or "post".
        summary: One sentence without its full stop.
        requests: The names of the schemas of its JSON requests: none, or up to three.
        answer: The name of the schema of its JSON answer; "" for any object.
        takes_text, answers_text: Whether records can be in text notation, in the request and in the answer.
        answers_svg: Whether the answer can be a picture.
    """

    name: str
    path: str
    method: str
    summary: str
    requests: tuple[str, ...]
    answer: str
    takes_text: bool
    answers_text: bool
    answers_svg: bool


class Game(NamedTuple):
    """A game and the questions about it."""

    id: str
    title: str
    questions: tuple[Question, ...]


class UnsupportedOperation(Exception):
    """An operation for which clients cannot have a method."""


def _named(schema: dict[str, Any]) -> str:
    return str(schema.get("$ref", "")).rpartition("/")[2]


def _requests(document: dict[str, Any], operation: dict[str, Any]) -> tuple[str, ...]:
    content = operation.get("requestBody", {}).get("content", {})
    if JSON not in content:
        return ()
    name = _named(content[JSON]["schema"])
    schema = document["components"]["schemas"][name]
    kinds = tuple(_named(kind) for kind in schema.get("oneOf", ())) or (name,)
    if len(kinds) > MOST_KINDS or not all(kinds):
        raise UnsupportedOperation(f"{operation['operationId']} takes {len(kinds)} kinds of request")
    return kinds


def _question(document: dict[str, Any], path: str, method: str, name: str) -> Question:
    operation = document["paths"][path][method]
    answers = operation["responses"][SUCCESS]["content"]
    return Question(
        name,
        path,
        method,
        operation["summary"].rstrip("."),
        _requests(document, operation),
        _named(answers[JSON]["schema"]),
        TEXT in operation.get("requestBody", {}).get("content", {}),
        TEXT in answers,
        SVG in answers,
    )


def _operations(document: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Path, method and id of all operations with a JSON answer."""
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            if JSON in operation["responses"][SUCCESS].get("content", {}):
                yield path, method, operation["operationId"]


def games(document: dict[str, Any]) -> tuple[Game, ...]:
    """All games, with their questions."""
    ids = sorted({path.split("/")[3] for path in document["paths"] if path.startswith(GAMES)})
    titles = {tag["name"]: tag["description"].partition(":")[0] for tag in document["tags"]}
    return tuple(
        Game(
            game,
            titles[game],
            tuple(
                _question(document, path, method, id.removeprefix(f"{game}-"))
                for path, method, id in _operations(document)
                if id.startswith(f"{game}-")
            ),
        )
        for game in ids
    )


def of_no_game(document: dict[str, Any]) -> tuple[Question, ...]:
    """The questions that belong to no game. Streams of records have a hand-written method, because they are lines."""
    prefixes = tuple(f"{game.id}-" for game in games(document))
    return tuple(
        _question(document, path, method, id)
        for path, method, id in _operations(document)
        if not id.startswith(prefixes)
    )


def records(document: dict[str, Any]) -> tuple[str, ...]:
    """The names of the schemas of records."""
    members = {name: schema.get("properties", {}).keys() for name, schema in document["components"]["schemas"].items()}
    return tuple(sorted(name for name, found in members.items() if {"game", "players", "moves"} <= found))
