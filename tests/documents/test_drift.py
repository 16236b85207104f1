"""Schemas agree with the rest of the project: types, the box, the bounds of the code, and documents in use."""

from collections.abc import Callable
from copy import deepcopy
from random import Random
from typing import Any, get_args

import msgspec
import pytest
from msgspec.inspect import type_info

from capomastro.engine.game import AnyGame
from capomastro.games import all_games
from tests.support.drift import type_differences
from tests.support.faults import Fault, faults, planted
from tests.support.schema_reading import Schemas
from tests.support.schemas import schema_files
from tests.support.truths import FOLDERS, differences, differences_with

every_game = pytest.mark.parametrize("game", list(all_games().values()), ids=lambda game: game.id)
every_folder = pytest.mark.parametrize("folder", FOLDERS)


@every_folder
def test_the_schemas_of_a_folder_match_types_box_and_documents(folder: str) -> None:
    assert list(differences(Schemas(schema_files()), [folder])) == []


def test_every_keyword_of_every_schema_is_compared_with_something() -> None:
    files = schema_files()
    schemas = Schemas({file: files[file] for file in files if file.partition("/")[0] in FOLDERS})  # finished games only
    assert list(differences(schemas)) == []
    assert len(schemas.compared) > 2_000
    assert not schemas.left_over()


@every_game
def test_every_move_of_a_decision_and_every_stage_has_a_schema(game: AnyGame) -> None:
    moves = {kind.__struct_config__.tag for kind in get_args(game.moves)}
    rules = [decision.rules if decision.actor == "seat" else [decision.rule.move] for decision in game.decisions]
    assert {kind.__struct_config__.tag for kinds in rules for kind in kinds} == moves
    stages = {branch["$ref"].rpartition("/")[2] for branch in schema_files()[f"{game.id}/stage.json"]["oneOf"]}
    assert {decision.stage.__struct_config__.tag for decision in game.decisions} == stages - {"game-over"}


# --- that differences are found --------------------------------------------------------------------------------------


def faults_to_plant() -> list[Fault]:
    """One of every kind of fault, always the same; `python -m tests.support.faults` plants all possible ones."""
    of_kinds: dict[str, list[Fault]] = {}
    files = [file for file in schema_files() if file.partition("/")[0] in FOLDERS]
    for fault in (fault for file in files for fault in faults(file)):
        of_kinds.setdefault(fault.kind, []).append(fault)
    return [Random(kind).choice(some) for kind, some in of_kinds.items()]


@pytest.mark.parametrize("fault", faults_to_plant(), ids=str)
def test_a_fault_is_noticed(fault: Fault) -> None:
    assert any(differences_with(fault.place.file, planted(fault)))


ONCE_UNNOTICED = {
    "a member that no event has": (
        "campanile/event.json",
        lambda schema: schema["$defs"]["tower-raised"]["properties"].update(heigth={"type": "integer"}),
        "campanile/event.json#/$defs/tower-raised: heigth is never there",
    ),
}


@pytest.mark.parametrize(("file", "change", "expected"), ONCE_UNNOTICED.values(), ids=ONCE_UNNOTICED)
def test_faults_that_once_went_unnoticed_are_noticed(file: str, change: Callable[[Any], None], expected: str) -> None:
    schema = deepcopy(schema_files()[file])
    change(schema)
    assert any(difference.startswith(expected) for difference in differences_with(file, schema))


class Sample(msgspec.Struct, tag="sample", tag_field="type"):
    one: int
    two: tuple[str, ...] = ("a",)


SAMPLE: Any = {
    "type": "object",
    "properties": {
        "type": {"const": "sample"},
        "one": {"type": "integer"},
        "two": {"type": "array", "items": {"type": "string", "enum": ["a"]}, "default": ["a"]},
    },
    "required": ["type", "one"],
    "additionalProperties": False,
}
MEMBERS: Any = SAMPLE["properties"]


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({}, []),
        ({"required": ["type"]}, [": required are ['one'] only on one side"]),
        ({"additionalProperties": True}, [": open"]),
        ({"properties": {**MEMBERS, "one": {"type": "string"}}}, [".one: ['string'] in the schema, ['integer'] in"]),
        ({"properties": {**MEMBERS, "three": {}}}, [".three: only in the schema"]),
        ({"properties": {**MEMBERS, "type": {"const": "simple"}}}, [".type: not sample"]),
        ({"properties": {name: MEMBERS[name] for name in ("type", "one")}}, [".two: only in the type"]),
        (
            {"properties": {**MEMBERS, "two": {"type": "array", "items": {"type": "string"}}}},
            [".two[]: any text", ".two: the default is [] in the schema, [['a']] in the type"],
        ),
    ],
)
def test_differences_from_a_type_are_reported(change: Any, expected: list[str]) -> None:
    node = Schemas({"common/sample.json": {**SAMPLE, **change}}).node("common/sample.json#")
    found = list(type_differences(type_info(Sample), node, "", closed=True))
    assert len(found) == len(expected), found
    assert all(one.startswith(start) for one, start in zip(found, expected, strict=True)), found
