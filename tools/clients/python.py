"""The questions of the client in Python."""

import re
from collections.abc import Iterator
from typing import Any

from tools.clients.questions import Game, Question, games, of_no_game, records

REQUEST = re.compile(r"class \w+Request\(")
OBJECT = "dict[str, object]"
KINDS = ("", "", "_either", "_of_three")
"""What the maker of a question is called, by the number of kinds of request it takes."""


def snake(id: str) -> str:
    return id.replace("-", "_")


def pascal(id: str) -> str:
    return "".join(part.capitalize() for part in id.split("-"))


def _attributes(question: Question) -> Iterator[tuple[str, str, str]]:
    """The name, value and docstring of each method for a question."""
    name, path = snake(question.name), f'"{question.path}"'
    answer = f"m.{question.answer}" if question.answer else OBJECT
    requests = ", ".join(f"m.{request}" for request in question.requests)
    if question.method == "get":
        make = "page_of" if "{" in question.path else "page"
        yield name, f"exchange.{make}({path}, {answer})", question.summary
        return
    make = f"question{KINDS[len(question.requests)]}"
    yield name, f"exchange.{make}({path}, {requests}, {answer})", question.summary
    if question.takes_text:
        description = f"As `{name}`, of a record as people write it"
        yield f"{name}_in_text", f"exchange.question_in_text({path}, {answer})", description
    if question.answers_text:
        description = f"As `{name}`, answered as people write it"
        yield f"{name}_for_text", f"exchange.question_for_text({path}, {requests})", description
    if question.answers_svg:
        description = f"As `{name}`, answered with one picture"
        yield f"{name}_for_svg", f"exchange.question_of_three_for_svg({path}, {requests})", description


def _class(name: str, description: str, questions: tuple[Question, ...], further: tuple[str, ...] = ()) -> str:
    lines = [
        line
        for question in questions
        for attribute, value, summary in _attributes(question)
        for line in (f"        self.{attribute} = {value}", f'        """{summary}."""')
    ]
    body = "\n".join([*further, *lines])
    return f'class {name}:\n    """{description}"""\n\n    def __init__(self, exchange: Exchange) -> None:\n{body}\n'


def _game(game: Game) -> str:
    return _class(pascal(game.id), f"What can be asked about {game.title}.", game.questions)


def decodable(document: dict[str, Any]) -> dict[str, Any]:
    """The specification for documents that msgspec decodes, and encodes as they were.

    Unions of objects without a distinguishing `type` become any object. Members have no defaults: one that a document
    lacks would be filled in, and a sealed table with one more member is another table.

    Requests stay as they are: a client only encodes those.
    """
    schemas = document["components"]["schemas"]

    def is_object(schema: dict[str, Any]) -> bool:
        found = schemas[schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema
        return found.get("type") == "object"

    def changed(value: Any) -> Any:
        if isinstance(value, list):
            return [changed(item) for item in value]
        if not isinstance(value, dict):
            return value
        kinds: list[dict[str, Any]] = value.get("anyOf") or value.get("oneOf") or []
        if "discriminator" not in value and sum(map(is_object, kinds)) > 1:
            return {"description": value.get("description", ""), "type": "object"}
        return parts(value)

    def parts(schema: dict[str, Any]) -> dict[str, Any]:
        return {
            key: {name: changed(member) for name, member in part.items()} if key == "properties" else changed(part)
            for key, part in schema.items()
            if key != "default"
        }

    made = {name: schema if name.endswith("Request") else parts(schema) for name, schema in schemas.items()}
    return {**document, "components": {**document["components"], "schemas": made}}


def taking_any_sequence(models: str) -> str:
    """The classes of requests with sequences in place of lists: these are only encoded, and a list of seats will do.

    A `list[int]` is no `list[int | None]`, but it is a `Sequence[int | None]`.
    """
    parts = re.split(r"(?m)^(?=class )", models)
    changed = (part.replace("list[", "Sequence[") if REQUEST.match(part) else part for part in parts)
    return "".join(changed).replace(
        "\nfrom typing import", "\nfrom collections.abc import Sequence\nfrom typing import", 1
    )


def _position(game: Game) -> str:
    """What a set-up and a transition of a game have in common."""
    name = pascal(game.id)
    members = ", ".join(f"m.{name}{part}" for part in ("State", "Derived", "Move"))
    return f'{name}Position: TypeAlias = Position[{members}]\n"""A set-up or a transition of {game.title}."""\n'


def module(document: dict[str, Any]) -> str:
    """The text of the module with all questions."""
    known = games(document)
    attributes = tuple(f"        self.{snake(game.id)} = {pascal(game.id)}(exchange)" for game in known)
    imports = (
        '"""What can be asked, made of the specification by `make clients`."""\n\n'
        "from typing import TypeAlias\n\n"
        "from capomastro_client.exchange import Exchange\n"
        "from capomastro_client import models as m\n"
        "from capomastro_client.positions import Position\n\n"
        f"Record: TypeAlias = {' | '.join(f'm.{name}' for name in records(document))}\n"
        '"""A recorded game of any kind."""\n'
        f"{''.join(map(_position, known))}"
    )
    description = "The games, and what can be asked of the service itself."
    classes = [*map(_game, known), _class("Questions", description, of_no_game(document), attributes)]
    return "\n\n".join([imports, *classes])
