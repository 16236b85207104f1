"""Reference data: it describes every component, and agrees with the tables in docs/."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from jsonschema import Draft202012Validator
from referencing import Registry
from referencing.jsonschema import DRAFT202012

from capomastro.documents import json_text
from capomastro.documents.files import openapi_json
from capomastro.engine.game import AnyGame
from capomastro.games import all_games
from tests.api.asking import Asker
from tests.support.schemas import schema_files

DOCS = Path(__file__).parents[2] / "docs"
ADDRESS = "https://capomastro.invalid/openapi.json"
every_game = pytest.mark.parametrize("game", list(all_games().values()), ids=lambda game: game.id)


def reference_of(game_id: str) -> Any:
    return json_text.decode(json_text.encode(all_games()[game_id].reference()))


def rows(game_id: str, first_cell: str) -> Iterator[list[str]]:
    """The rows of the table in the docs whose header begins with this cell; the header first."""
    lines = (DOCS / f"{game_id}.md").read_text("utf-8").splitlines()
    start = next(index for index, line in enumerate(lines) if line.startswith(f"| {first_cell} |"))
    for line in lines[start:]:
        if not line.startswith("|"):
            return
        if not re.fullmatch(r"[|-]+", line):
            yield [cell.strip() for cell in line.strip("|").split("|")]


def numbers(text: str) -> list[int]:
    return [int(number) for number in re.findall(r"-?\d+", text.replace("\N{MINUS SIGN}", "-"))]


def tokens(text: str) -> list[str]:
    return re.findall(r"`([a-z0-9-]+)`", text)


@every_game
def test_the_page_of_a_game_has_its_reference_as_declared(game: AnyGame) -> None:
    specification = json_text.decode(openapi_json().read_bytes())
    prefix = game.id.title().replace("-", "")
    alone: Registry[Any] = Registry().with_resource(ADDRESS, DRAFT202012.create_resource(specification))
    validator = Draft202012Validator({"$ref": f"{ADDRESS}#/components/schemas/{prefix}Reference"}, registry=alone)
    found = reference_of(game.id)
    assert [error.message for error in validator.iter_errors(found)] == []
    assert msgspec.convert(found, game.reference_type) == game.reference()
    assert len(found) >= 7


@every_game
def test_every_counted_token_is_in_the_box(game: AnyGame) -> None:
    box = {token: count for group in game.components().values() for token, count in group.items()}
    known = {token for part in token_lists(schema_files()[f"{game.id}/tokens.json"]) for token in part}
    entries = [one for part in reference_of(game.id).values() for one in counted(part)]
    assert len(entries) > 8
    for entry in entries:
        assert entry["token"] in known
        assert box[entry["token"]] == entry["count"]


def token_lists(node: Any) -> Iterator[list[str]]:
    if isinstance(node, dict):
        if "enum" in node:
            yield node["enum"]
        if "const" in node:
            yield [node["const"]]
        for member in node.values():
            yield from token_lists(member)
    elif isinstance(node, list):
        for item in node:
            yield from token_lists(item)


def counted(part: Any) -> list[Any]:
    entries = part if isinstance(part, list) else [part]
    return [one for one in entries if isinstance(one, dict) and {"token", "count"} <= one.keys()]


# --- held against the docs -------------------------------------------------------------------------------------------


def test_palazzo_tiles_and_money_match_their_tokens() -> None:
    reference = reference_of("palazzo")
    for tile in reference["tiles"]:
        assert tile["token"] == f"{tile['material']}-{tile['floor']}-{tile['windows']}"
    assert sum(tile["count"] for tile in reference["tiles"]) == 48
    for card in reference["money"]:
        assert card["token"] == f"{card['currency'] or 'certificate'}-{card['value']}"


def test_palazzo_points() -> None:
    heads, points, materials = rows("palazzo", "floors")
    by_floors = {entry["floors"]: entry for entry in reference_of("palazzo")["points"]}
    assert list(by_floors) == [int(head) for head in heads[1:]]
    for head, cell, material in zip(heads[1:], points[1:], materials[1:], strict=True):
        entry = by_floors[int(head)]
        assert entry["windows_score"] == ("windows" in cell)
        assert [entry["points"]] == (numbers(cell) or [0])
        assert [entry["one_material"]] == (numbers(material) or [0])


def test_campanile_flags() -> None:
    head, *table = rows("campanile", "rank of the tower")
    columns = [[flag["tokens"] for flag in scoring["flags"]] for scoring in reference_of("campanile")["flags"]]
    assert len(columns) == len(head) - 1
    assert [[numbers(cell) for cell in row[1:]] for row in table] == [list(row) for row in zip(*columns, strict=True)]


def test_carrara_cities_and_prices() -> None:
    reference = reference_of("carrara")
    _, *table = rows("carrara", "city")
    colours = [block["token"] for block in reference["blocks"]]
    for city, row in zip(reference["cities"], table, strict=True):
        assert [city["token"]] == tokens(row[1])
        assert [city["rate"]] == numbers(row[2])
        assert city["pays"].removesuffix("s") in row[2]
        assert [city["minimum"]] == numbers(row[4])
        cell = row[3].replace("all but black", ", ".join(colours[:5])).replace("all", ", ".join(colours))
        assert city["accepts"] == cell.split(", ")
    assert [block["prices"][0]["coins"] for block in reference["blocks"]] == [6, 5, 4, 3, 2, 1]
    for block in reference["blocks"]:
        coins = [price["coins"] for price in block["prices"]]
        assert coins == [max(0, coins[0] - section) for section in range(6)]


def test_fifth_avenue_map_and_points() -> None:
    reference = reference_of("fifth-avenue")
    _, *table = rows("fifth-avenue", "a commissioner goes from")
    exits = {start: tokens(row[1]) for row in table for start in tokens(row[0])}
    assert {space["token"]: space["exits"] for space in reference["spaces"]} == exits
    heads, points = rows("fifth-avenue", "different businesses beside a building")
    assert [(one["kinds"], one["points"]) for one in reference["points"]] == [
        (int(kinds), int(each)) for kinds, each in zip(heads[1:], points[1:], strict=True)
    ]
    text = " ".join((DOCS / "fifth-avenue.md").read_text("utf-8").split())
    bonuses = reference["bonuses"]
    placed = [numbers(re.sub(r"(\d)(rd|th)", r"\1", text[text.index("After players have placed the") :]))[:9]]
    assert placed == [[one[name] for name in ("businesses", "districts", "points") for one in bonuses]]


@every_game
def test_the_docs_of_a_game_match_its_reference(ask: Asker, game: AnyGame) -> None:
    assert ask.get(f"/v1/games/{game.id}")["reference"] == reference_of(game.id)
