"""The schema files: what must hold for every one, whichever game it belongs to."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry
from referencing.jsonschema import DRAFT202012

from capomastro.catalogue import served_schema
from capomastro.documents import json_text
from capomastro.documents.shapes import COMMON, ORIGIN, documents_of, games_with_schemas
from capomastro.games import all_games
from tests.support.schemas import REQUESTS, SINGLE, Part, Schema, all_parts, parts, schema_files, target

DOCUMENTS = {"state", "move", "options", "record", "scoresheet", "result", "event", "derived"}
"""The documents of every game."""

WORDED = {"$ref", "oneOf", "anyOf", "type", "enum", "const", "properties", "required", "additionalProperties"}
WORDED |= {"propertyNames", "minProperties", "maxProperties", "items", "prefixItems", "minItems", "maxItems"}
WORDED |= {"uniqueItems", "minLength", "maxLength", "pattern", "minimum", "maximum"}
"""The keywords whose errors are explained in words."""

NOTES = {"$schema", "$defs", "title", "description", "examples", "default", "deprecated"}
"""The keywords that refuse nothing."""

UNWORDED = {"common/event.json": {"dependentRequired"}, "common/problem.json": {"format"}}
"""Keywords that are allowed in schemas of answers only."""

FILES = sorted(schema_files())


def parts_of(file: str) -> Iterator[Part]:
    return parts(file, schema_files()[file])


def is_request(file: str) -> bool:
    folder, _, document = file.removesuffix(".json").partition("/")
    return folder != COMMON and document in REQUESTS


def test_every_game_has_its_documents() -> None:
    assert set(games_with_schemas()) >= set(all_games())
    for game in all_games():
        assert set(documents_of(game)) >= DOCUMENTS


def test_a_schema_names_its_dialect_and_has_no_id() -> None:
    for file in FILES:
        assert schema_files()[file]["$schema"] == "https://json-schema.org/draft/2020-12/schema"
        assert all("$id" not in part.schema for part in parts_of(file)), "the service adds an $id that resolves"


def test_references_are_relative_and_lead_to_a_schema() -> None:
    for file in FILES:
        folder = file.partition("/")[0]
        for part in parts_of(file):
            if "$ref" in part.schema:
                assert re.fullmatch(r"((\.\./common/)?[a-z-]+\.json)?(#/\$defs/[a-z-]+)?", part.schema["$ref"]), part
                assert target(part).file.partition("/")[0] in (folder, COMMON), f"{part} leads to another game"


def test_documents_and_definitions_have_title_description_and_examples() -> None:
    for file in FILES:
        for part in parts_of(file):
            if re.fullmatch(r"(/\$defs/[^/]+)?", part.fragment):
                assert part.schema["title"], part
                assert part.schema["description"].endswith("."), part
                if is_request(file) or not part.fragment:
                    assert part.schema["examples"], part


def test_every_member_is_described() -> None:
    for file in FILES:
        for part in parts_of(file):
            for name, member in part.schema.get("properties", {}).items():
                if (name == "type" and "const" in member) or "$ref" in part.schema:
                    continue  # the branch is described; or the member, if it is only narrowed here
                described = member if "description" in member else target(Part(file, "", member)).schema
                assert described["description"].endswith("."), f"{part}: {name}"


def test_narrowed_members_are_described_there_or_in_the_reference() -> None:
    for part in all_parts():
        if "$ref" in part.schema and "properties" in part.schema:
            base = target(part).schema
            for name, member in part.schema["properties"].items():
                known = name in base.get("properties", {}) or "description" in member or "$ref" in member
                assert known or member.get("const"), f"{part}: {name}"


def test_only_keywords_are_used_that_are_explained() -> None:
    for file in FILES:
        for part in parts_of(file):
            assert set(part.schema) <= WORDED | NOTES | UNWORDED.get(file, set()), part


def test_a_choice_of_branches_is_made_by_type() -> None:
    for file in FILES:
        for part in parts_of(file):
            for index, branch in enumerate(part.schema.get("oneOf", ())):
                name = branch["$ref"].rpartition("/")[2]
                assert branch["$ref"] == f"#/$defs/{name}", part
                meant = target(Part(file, f"{part.fragment}/oneOf/{index}", branch)).schema
                assert meant["properties"]["type"] == {"const": name}, f"{part}: {name}"
                assert "type" in meant["required"], f"{part}: {name}"


def test_patterns_are_anchored_and_ascii() -> None:
    for file in FILES:
        for part in parts_of(file):
            pattern = part.schema.get("pattern", "^$")
            assert pattern.startswith("^"), part
            assert pattern.endswith("$"), part
            assert "|" not in re.sub(r"\(.*\)", "", pattern), f"{part}: an alternative outside a group is not anchored"
            assert not re.search(r"\\[dwsDWSbB]", pattern), part
            assert pattern.isascii(), part


def test_requests_are_closed() -> None:
    for file in filter(is_request, FILES):
        for part in parts_of(file):
            if part.schema.get("type") == "object":
                assert "additionalProperties" in part.schema, part
                assert part.schema["additionalProperties"] is not True, part


def reachable_from_requests() -> Iterator[Part]:
    """Every schema that validates documents of clients."""
    seen = set()
    waiting = [part for file in schema_files() if is_request(file) for part in parts_of(file)]
    while waiting:
        part = waiting.pop()
        if (part.file, part.fragment) not in seen:
            seen.add((part.file, part.fragment))
            yield part
            if "$ref" in part.schema:
                waiting.extend(parts(*(found := target(part))[::2], fragment=found.fragment))


def test_everything_in_a_request_has_a_maximum_size() -> None:
    for part in reachable_from_requests():
        kinds = part.schema.get("type", ())
        schema = part.schema
        if "array" in kinds:
            assert "maxItems" in schema, part
        if "string" in kinds:
            assert {"enum", "const", "maxLength"} & set(schema), part
        if "integer" in kinds and "const" not in schema and "enum" not in schema:
            in_answers_only = part.file.endswith(("/result.json", "/score-line.json"))
            assert {"minimum", "maximum"} <= set(schema) or in_answers_only, part
        if "object" in kinds and schema.get("additionalProperties") is not False:
            in_answers_only = part.file.endswith(("/result.json", "/score-line.json"))
            assert "maxProperties" in schema or in_answers_only, part


def test_no_request_exceeds_the_maximum_depth() -> None:
    for file in filter(is_request, FILES):
        wrappings = 2 if file.endswith("/move.json") else 1  # a member of the request, or an item of its list of moves
        assert depth_of(Part(file, "", schema_files()[file])) + wrappings <= json_text.USUAL_DEPTH, file


def depth_of(part: Part) -> int:
    """The maximum nesting of objects and arrays in a document of this schema; undeclared values count as flat."""
    schema = part.schema
    same = [part_of(part, branch) for keyword in ("oneOf", "anyOf", "allOf") for branch in schema.get(keyword, ())]
    same += [target(part)] if "$ref" in schema else []
    inside = [*schema.get("properties", {}).values(), *schema.get("prefixItems", ())]
    inside += [schema[keyword] for keyword in SINGLE if isinstance(schema.get(keyword), dict)]
    holds = any(kind in schema.get("type", ()) for kind in ("object", "array"))
    return max(
        [int(holds)] + [depth_of(one) for one in same] + [1 + depth_of(part_of(part, member)) for member in inside],
    )


def part_of(part: Part, schema: Schema) -> Part:
    """A schema within another; where exactly does not matter."""
    return Part(part.file, "", schema)


# --- examples and defaults -------------------------------------------------------------------------------------------


def validator_of(part: Part) -> Draft202012Validator:
    folder, _, document = part.file.removesuffix(".json").partition("/")
    served = served_schema(None if folder == COMMON else folder, document)
    reference = ORIGIN + served["$id"] + ("#" + part.fragment if part.fragment else "")
    return Draft202012Validator({"$ref": reference}, registry=registry())


@cache
def registry() -> Registry[Any]:
    """The schemas as a client finds them on the server; crawled once, not for every example."""
    every = [(game, name) for game in (None, *games_with_schemas()) for name in documents_of(game)]
    schemas = [served_schema(game, name) for game, name in every]
    resources = [(ORIGIN + schema["$id"], DRAFT202012.create_resource(schema)) for schema in schemas]
    return Registry[Any]().with_resources(resources).crawl()


def test_examples_and_defaults_match_their_schemas() -> None:
    for file in FILES:
        for part in parts_of(file):
            examples = [
                *part.schema.get("examples", ()),
                *([part.schema["default"]] if "default" in part.schema else ()),
            ]
            for example in examples:
                errors = [(error.json_path, error.message[:200]) for error in validator_of(part).iter_errors(example)]
                assert not errors, part


# --- as they are served ----------------------------------------------------------------------------------------------


def references(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        if isinstance(node.get("$ref"), str):
            yield node["$ref"]
        for member in node.values():
            yield from references(member)
    elif isinstance(node, list):
        for item in node:
            yield from references(item)


def test_a_served_schema_is_valid_and_its_ids_and_references_are_addresses_on_the_server() -> None:
    for file in FILES:
        folder, _, document = file.removesuffix(".json").partition("/")
        schema = served_schema(None if folder == COMMON else folder, document)
        own = f"/v1/schemas/{document}" if folder == COMMON else f"/v1/games/{folder}/schemas/{document}"
        assert schema["$id"] == own
        Draft202012Validator.check_schema(schema)
        resolver = registry().resolver(base_uri=ORIGIN + own)
        for reference in references(schema):
            assert reference.startswith(("#/$defs/", "/v1/schemas/", f"/v1/games/{folder}/schemas/")), reference
            assert resolver.lookup(reference).contents["description"]


def test_an_unknown_schema_is_not_served() -> None:
    for game, document in (
        ("palazzo", "states"),
        ("nowhere", "state"),
        (None, "state"),
        ("../common", "hand"),
        ("palazzo", "../common/hand"),
    ):
        with pytest.raises(KeyError):
            served_schema(game, document)
