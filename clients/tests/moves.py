"""Literal moves of every kind of every game, right and wrong, as a client would write them: made of recorded games.

The right ones have to compile, and none of the wrong ones must: a token that is none, a member that is missing, unknown
or of another type, a move of another game.
"""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from jsonschema import Draft202012Validator
from tools.openapi.files import built

CHECKOUT = Path(__file__).parents[2]
NO_TOKEN = "no-such-token"
GAMES = ("campanile", "carrara", "fifth-avenue", "palazzo")

Move = dict[str, Any]


class Literal(NamedTuple):
    """A move as somebody may write it for a game, and what is wrong with it ("" if nothing)."""

    game: str
    move: Move
    fault: str


def pascal(id: str) -> str:
    return "".join(part.capitalize() for part in id.split("-"))


@cache
def specification() -> dict[str, Any]:
    document: dict[str, Any] = json.loads(built().read_bytes())
    return document


def kinds(game: str) -> frozenset[str]:
    """The types of all moves of a game, by the specification."""
    schema = specification()["components"]["schemas"][f"{pascal(game)}Move"]
    return frozenset(schema["discriminator"]["mapping"])


@cache
def recorded(game: str) -> dict[str, Move]:
    """A recorded move of each type, with as many words in it as there are, by type."""
    found: dict[str, Move] = {}
    for file in sorted((CHECKOUT / "conformance" / game / "records").glob("*.json")):
        for move in json.loads(file.read_bytes())["moves"]:
            known = found.get(move["type"])
            if known is None or len(json.dumps(move)) > len(json.dumps(known)):
                found[move["type"]] = move
    return found


def with_wrong_tokens(move: Move) -> Iterator[tuple[str, Move]]:
    """The move with a token that is none, in each of its members that has tokens."""
    for name, value in move.items():
        if name != "type" and isinstance(value, str):
            yield name, {**move, name: NO_TOKEN}
        if isinstance(value, list) and value and isinstance(value[0], str):
            yield name, {**move, name: [*value[:-1], NO_TOKEN]}


def is_move(game: str, move: Move) -> bool:
    """Whether the move has the shape of one of that game."""
    schema = {"$ref": f"#/components/schemas/{pascal(game)}Move", "components": specification()["components"]}
    return Draft202012Validator(schema).is_valid(move)


def required(game: str, move: Move) -> list[str]:
    schemas = specification()["components"]["schemas"]
    address = schemas[f"{pascal(game)}Move"]["discriminator"]["mapping"][move["type"]]
    return [name for name in schemas[address.rpartition("/")[2]]["required"] if name != "type"]


def literals() -> Iterator[Literal]:
    """All of them, right and wrong."""
    for game in GAMES:
        for _, move in sorted(recorded(game).items()):
            yield Literal(game, move, "")
            for name, wrong in with_wrong_tokens(move):
                yield Literal(game, wrong, f"{name} has a token that is none")
            for name in (name for name, value in move.items() if isinstance(value, int)):
                yield Literal(game, {**move, name: str(move[name])}, f"{name} is a text")
            yield Literal(game, {**move, "colour": "red"}, "there is no such member")
            for name in required(game, move):
                yield Literal(game, {key: value for key, value in move.items() if key != name}, f"{name} is missing")
            for other in GAMES:
                if not is_move(other, move):
                    yield Literal(other, move, f"a move of {game}")


def in_typescript() -> str:
    """A module: right moves, and wrong ones that are expected to be errors."""
    types = ", ".join(f"type {pascal(game)}Move" for game in GAMES)
    lines = [f'import {{ {types} }} from "capomastro-client";', ""]
    for number, (game, move, fault) in enumerate(literals()):
        if fault:
            lines.append(f"// @ts-expect-error {fault}")
        lines.append(f"export const move{number}: {pascal(game)}Move = {json.dumps(move)};")
    return "\n".join([*lines, ""])


def constructed(game: str, move: Move) -> str:
    """A move of a game as Python constructs it."""
    members = ", ".join(f"{name}={value!r}" for name, value in move.items() if name != "type")
    return f"m.{pascal(game)}Move{pascal(move['type'])}({members})"


def in_python() -> tuple[str, frozenset[int]]:
    """A module with all moves, and the numbers of the lines that are wrong."""
    lines = ["from capomastro_client import models as m"]
    wrong = set()
    for number, (game, move, fault) in enumerate(literals()):
        owner = fault.removeprefix("a move of ") if fault.startswith("a move of ") else game
        lines.append(f"move{number}: m.{pascal(game)}Move = {constructed(owner, move)}")
        if fault:
            wrong.add(len(lines))
    return "\n".join([*lines, ""]), frozenset(wrong)
