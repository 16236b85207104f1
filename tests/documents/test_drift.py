"""Schemas and types say the same: every field of a type is in its schema and the other way round."""

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, get_args

import msgspec
import pytest
from msgspec import NODEFAULT
from msgspec.inspect import (
    BoolType,
    DictType,
    Field,
    IntType,
    LiteralType,
    NoneType,
    StrType,
    StructType,
    TupleType,
    Type,
    UnionType,
    VarTupleType,
    type_info,
)

from capomastro.engine.decisions import Decision
from capomastro.engine.game import AnyGame
from capomastro.engine.results import Result
from capomastro.games import all_games
from tests.support.documents import as_document
from tests.support.playouts import positions
from tests.support.schemas import Part, Schema, schema_files, target
from tests.support.setups import setups

every_game = pytest.mark.parametrize("game", list(all_games().values()), ids=lambda game: game.id)

MOST_ROUNDS = 40
"""After so many random games of every setup, what can occur has occurred."""


@cache
def schemas() -> dict[str, Schema]:
    """Every schema by its file, with references that start above all folders: "common/hand.json#"."""
    return {file: rebased(schema, file) for file, schema in schema_files().items()}


def rebased(node: Any, file: str) -> Any:
    if isinstance(node, dict):
        copy = {name: rebased(member, file) for name, member in node.items()}
        if isinstance(node.get("$ref"), str):
            found = target(Part(file, "", node))
            copy["$ref"] = f"{found.file}#{found.fragment}"
        return copy
    return [rebased(item, file) for item in node] if isinstance(node, list) else node


def resolved(schema: Schema) -> Schema:
    """The schema with its reference followed, and what is narrowed beside the reference merged into it."""
    if "$ref" not in schema:
        return schema
    file, _, fragment = schema["$ref"].partition("#")
    base: Any = schemas()[file]
    for step in fragment.split("/")[1:]:
        base = base[step]
    return merged(resolved(base), {name: member for name, member in schema.items() if name != "$ref"})


def merged(base: Schema, beside: Schema) -> Schema:
    """The base schema as it is narrowed by what stands beside the reference to it."""
    schema = dict(base)
    for name, member in beside.items():
        if name == "properties":
            known = base.get("properties", {})
            schema[name] = {
                **known,
                **{one: merged(resolved(known.get(one, {})), narrow) for one, narrow in member.items()},
            }
        elif name == "items" and "items" in base:
            schema[name] = merged(resolved(base["items"]), member)
        elif name == "required":
            schema[name] = [*base.get(name, ()), *member]
        else:
            schema[name] = member
    return schema


def differences(kind: Type, schema: Schema, at: str, closed: bool) -> Iterator[str]:
    """Where a type and a schema say different things; `closed`: unknown members are refused."""
    schema = resolved(schema)
    match kind:
        case StructType():
            yield from struct_differences(kind, schema, at, closed)
        case VarTupleType():
            if schema.get("type") != "array":
                yield f"{at}: not an array"
            elif "items" in schema:
                yield from differences(kind.item_type, schema["items"], f"{at}[]", closed)
        case TupleType():
            if (schema.get("minItems"), schema.get("maxItems")) != (len(kind.item_types),) * 2:
                yield f"{at}: not exactly {len(kind.item_types)} items"
            for index, item in enumerate(kind.item_types):
                prefix = schema.get("prefixItems", ())
                item_schema = prefix[index] if index < len(prefix) else schema["items"]
                yield from differences(item, item_schema, f"{at}[{index}]", closed)
        case DictType():
            if schema.get("type") != "object":
                yield f"{at}: not an object"
            elif isinstance(schema.get("additionalProperties"), dict):
                yield from differences(kind.value_type, schema["additionalProperties"], f"{at}.*", closed)
            for name, member in schema.get("properties", {}).items():
                yield from differences(kind.value_type, member, f"{at}.{name}", closed)
        case UnionType():
            yield from union_differences(kind, schema, at, closed)
        case LiteralType():
            if set(schema.get("enum", ())) != set(kind.values):
                yield f"{at}: {schema.get('enum')} are not the values {kind.values}"
        case StrType() | IntType() | BoolType() | NoneType():
            names = {StrType: "string", IntType: "integer", BoolType: "boolean", NoneType: "null"}
            if not accepts_only(schema, names[type(kind)]):
                yield f"{at}: not of type {names[type(kind)]}: {schema}"


def accepts_only(schema: Schema, name: str) -> bool:
    """Whether a schema asks for the JSON type `name`, be it by an enumeration."""
    schema = resolved(schema)
    if "anyOf" in schema:
        return all(accepts_only(branch, name) for branch in schema["anyOf"])
    if "type" in schema:
        return bool(schema["type"] == name)
    values = schema.get("enum", [schema.get("const")])
    kinds = {"string": str, "integer": int, "boolean": bool}
    return name in kinds and all(type(value) is kinds[name] for value in values)


def union_differences(kind: UnionType, schema: Schema, at: str, closed: bool) -> Iterator[str]:
    tagged = {one.tag: one for one in kind.types if isinstance(one, StructType) and one.tag is not None}
    if tagged:
        branches = {branch["$ref"].rpartition("/")[2]: branch for branch in schema.get("oneOf", ())}
        if branches.keys() != tagged.keys():
            yield f"{at}: the types {branches.keys() ^ tagged.keys()} are only on one side"
        for tag in branches.keys() & tagged.keys():
            yield from differences(tagged[str(tag)], branches[tag], f"{at}<{tag}>", closed)
        return
    branches_of_any = schema.get("anyOf", [schema])
    if isinstance(schema.get("type"), list):
        branches_of_any = [{**schema, "type": name} for name in schema["type"]]
    for one in kind.types:
        found = [list(differences(one, branch, at, closed)) for branch in branches_of_any]
        if all(found):
            yield from min(found, key=len)


def absent_rather_than_null(field: Field) -> Type:
    """The type of an optional field whose default None means that the member is absent."""
    if field.default is None and isinstance(field.type, UnionType):
        rest = tuple(one for one in field.type.types if not isinstance(one, NoneType))
        return rest[0] if len(rest) == 1 else UnionType(rest)
    return field.type


def struct_differences(kind: StructType, schema: Schema, at: str, closed: bool) -> Iterator[str]:
    members = schema.get("properties", {})
    fields = {field.encode_name: field for field in kind.fields}
    expected = fields.keys() | ({kind.tag_field} if kind.tag_field else set())
    if schema.get("type") != "object":
        yield f"{at}: not an object"
    for name in sorted(expected ^ members.keys()):
        yield f"{at}.{name}: only in the {'schema' if name in members else 'type'}"
    if kind.tag_field and members.get(kind.tag_field, {}).get("const") != kind.tag:
        yield f"{at}: not of the {kind.tag_field} {kind.tag}"
    required = {name for name, field in fields.items() if field.required} | (expected - fields.keys())
    if required != set(schema.get("required", ())):
        yield f"{at}: required are {sorted(required ^ set(schema.get('required', ())))} only on one side"
    if closed and schema.get("additionalProperties") is not False:
        yield f"{at}: open"
    for name in fields.keys() & members.keys():
        field, member = fields[name], members[name]
        yield from differences(absent_rather_than_null(field), member, f"{at}.{name}", closed)
        default = field.default_factory() if field.default_factory is not NODEFAULT else field.default
        if closed and default is not NODEFAULT and default is not None:
            stated = resolved(member).get("default")
            if stated != as_document(default):
                yield f"{at}.{name}: the default is {stated} in the schema, {default} in the type"


def declared(schema: Schema, at: str = "") -> Iterator[tuple[str, bool]]:
    """Every member that a schema names, by its place such as "/seats/*/hand", and whether it is required."""
    schema = resolved(schema)
    for name, member in schema.get("properties", {}).items():
        yield f"{at}/{name}", name in schema.get("required", ())
        yield from declared(member, f"{at}/{name}")
    if "items" in schema:
        yield from declared(schema["items"], f"{at}/*")


def objects(document: Any, at: str = "") -> Iterator[tuple[str, frozenset[str]]]:
    """Every object in a document by its place, and the places of its members."""
    if isinstance(document, dict):
        yield at, frozenset(f"{at}/{name}" for name in document)
        for name, member in document.items():
            yield from objects(member, f"{at}/{name}")
    elif isinstance(document, list):
        for item in document:
            yield from objects(item, f"{at}/*")


def differences_in_use(schema: Schema, rounds: Iterable[Iterable[Any]]) -> list[str]:
    """Where a schema and documents differ in their members; as many rounds of documents as it takes, but one whole."""
    required = dict(declared(schema))
    present: set[str] = set()
    absent: set[str] = set()
    for documents in rounds:
        found = {one for document in documents for one in objects(document)}
        present |= {member for _, members in found for member in members}
        absent |= {
            member for at, members in found for member in required.keys() - members if member.rpartition("/")[0] == at
        }
        if present == required.keys() and absent == {member for member in required if not required[member]}:
            break
    return [
        *(f"{member}: not in the schema" for member in sorted(present - required.keys())),
        *(f"{member}: never there" for member in sorted(required.keys() - present)),
        *(f"{member}: required, and not always there" for member in sorted(absent) if required[member]),
        *(
            f"{member}: always there, and not required"
            for member in sorted(present & required.keys() - absent)
            if not required[member]
        ),
    ]


def drift(kind: Any, file: str, closed: bool = True) -> list[str]:
    return list(differences(type_info(kind), schemas()[file], "", closed))


@every_game
def test_the_schemas_of_a_game_are_those_of_its_types(game: AnyGame) -> None:
    assert drift(game.state_type, f"{game.id}/state.json") == []
    assert drift(game.options_type, f"{game.id}/options.json") == []
    assert drift(game.scoresheet_type, f"{game.id}/scoresheet.json") == []
    assert drift(game.moves, f"{game.id}/move.json") == []
    assert drift(game.result_type, f"{game.id}/result.json", closed=False) == []


def derived_figures(game: AnyGame, seed: str) -> Iterator[Any]:
    """What is derived from every position of a random game of every setup, and from what a spectator sees of it."""
    for setup in setups():
        if setup.game is game:
            for state in positions(game, setup.players, setup.options, seed):
                yield as_document(game.derived(state))
                yield as_document(game.derived(game.view(state, None)))


@every_game
def test_derived_figures_have_the_members_of_their_schema_and_no_others(game: AnyGame) -> None:
    rounds = (derived_figures(game, str(seed)) for seed in range(MOST_ROUNDS))
    assert differences_in_use(schemas()[f"{game.id}/derived.json"], rounds) == []


def test_the_common_schemas_are_those_of_the_types_of_the_engine() -> None:
    assert drift(Result, "common/result.json", closed=False) == []
    assert drift(Decision, "common/decision.json", closed=False) == []


@every_game
def test_every_move_of_a_decision_and_every_stage_has_a_schema(game: AnyGame) -> None:
    moves = {kind.__struct_config__.tag for kind in get_args(game.moves)}
    rules = [decision.rules if decision.actor == "seat" else [decision.rule.move] for decision in game.decisions]
    assert {kind.__struct_config__.tag for kinds in rules for kind in kinds} == moves
    stage = resolved(schemas()[f"{game.id}/state.json"]["properties"]["stage"])
    branches = {branch["$ref"].rpartition("/")[2] for branch in stage["oneOf"]}
    assert {decision.stage.__struct_config__.tag for decision in game.decisions} == branches - {"game-over"}


@every_game
def test_documents_of_a_game_say_that_they_are_its_own(game: AnyGame) -> None:
    for document in ("state", "record", "scoresheet"):
        schema = schema_files()[f"{game.id}/{document}.json"]
        assert schema["properties"]["game"]["const"] == game.id
        assert "game" in schema["required"]


class Sample(msgspec.Struct, tag="sample", tag_field="type"):
    one: int
    two: tuple[str, ...] = ("a",)


SAMPLE: Schema = {
    "type": "object",
    "properties": {
        "type": {"const": "sample"},
        "one": {"type": "integer"},
        "two": {"type": "array", "items": {"type": "string"}, "default": ["a"]},
    },
    "required": ["type", "one"],
    "additionalProperties": False,
}


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({}, []),
        ({"required": ["type"]}, [": required are ['one'] only on one side"]),
        ({"additionalProperties": True}, [": open"]),
        ({"properties": {**SAMPLE["properties"], "one": {"type": "string"}}}, [".one: not of type integer: "]),
        ({"properties": {**SAMPLE["properties"], "three": {}}}, [".three: only in the schema"]),
        ({"properties": {**SAMPLE["properties"], "type": {"const": "simple"}}}, [": not of the type sample"]),
        (
            {"properties": {name: SAMPLE["properties"][name] for name in ("type", "one")}},
            [".two: only in the type"],
        ),
        (
            {"properties": {**SAMPLE["properties"], "two": {"type": "array", "items": {"type": "integer"}}}},
            [".two[]: not of type string: ", ".two: the default is None in the schema"],
        ),
    ],
)
def test_drift_is_found(change: Schema, told: list[str]) -> None:
    found = list(differences(type_info(Sample), {**SAMPLE, **change}, "", closed=True))
    assert len(found) == len(told)
    assert all(one.startswith(start) for one, start in zip(found, told, strict=True)), found


@pytest.mark.parametrize(
    ("rounds", "told"),
    [
        ([[{"one": 1}], [{"one": 1, "two": [{"three": 3}]}]], []),
        ([[{"one": 1}, {"one": 1, "two": [{"three": 3, "four": 4}]}]], ["/two/*/four: not in the schema"]),
        ([[{"one": 1}]], ["/two: never there", "/two/*/three: never there"]),
        ([[{"one": 1}, {"two": [{"three": 3}]}]], ["/one: required, and not always there"]),
        ([[{"one": 1, "two": [{"three": 3}]}]], ["/two: always there, and not required"]),
    ],
)
def test_drift_of_members_is_found(rounds: list[list[Any]], told: list[str]) -> None:
    three = {"type": "object", "properties": {"three": {"type": "integer"}}, "required": ["three"]}
    members = {"one": {"type": "integer"}, "two": {"type": "array", "items": three}}
    schema = {"type": "object", "properties": members, "required": ["one"]}
    assert differences_in_use(schema, rounds) == told
