"""The specification: it matches the code, is valid and self-contained, and its examples are right."""

import json
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any
from urllib.parse import quote, unquote

import jsonschema_rs
import pytest
from flask import Flask
from flask.testing import FlaskClient
from tools.openapi import operations as declared
from tools.openapi.contract import contract_text
from tools.openapi.expansion import without_examples
from tools.openapi.files import CONTRACT

from capomastro import addresses
from capomastro.api import problems
from capomastro.api.declarations import template
from capomastro.api.resources import RESOURCES
from capomastro.games import all_games
from tests.api.asking import Asker
from tests.support.yaml_reading import read_yaml

ADDRESS = "https://capomastro.invalid/openapi.json"
AROUND = re.compile(r"/(docs|pages|play|score|rules|replay|book)(/|$)|/(favicon\.ico|manifest\.webmanifest)$")
"""The documentation, and the pages for people, which the specification does not describe."""
SHARED = {"parameters"}
LINES = "RecordLines"
START_PAGE = "pages.start"
"""Where nothing else is at /."""


@pytest.fixture(scope="module")
def served(app: Flask) -> dict[str, Any]:
    """The specification as the running service sends it; it is only read."""
    specification: dict[str, Any] = Asker(app.test_client()).get("/openapi.json")
    return specification


def nodes(node: Any, at: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every object in a document, except in examples, with its place."""
    if isinstance(node, list):
        for index, item in enumerate(node):
            yield from nodes(item, f"{at}/{index}")
    if isinstance(node, dict):
        yield at, node
        for name, member in node.items():
            if name not in {"example", "examples"}:
                yield from nodes(member, f"{at}/{name}")


def operations(specification: dict[str, Any]) -> dict[tuple[str, str], dict[str, Any]]:
    """Every operation by method and path."""
    return {
        (method.upper(), path): operation
        for path, methods in specification["paths"].items()
        for method, operation in methods.items()
    }


def test_the_contract_matches_the_code() -> None:
    assert CONTRACT.read_text("utf-8") == contract_text(), "make generated"


def test_the_contract_has_every_resource_once_and_its_references_lead_somewhere(client: FlaskClient) -> None:
    contract = read_yaml(client.get("/openapi.yaml").get_data())
    assert [(method.upper(), path) for path, item in contract["paths"].items() for method in item.keys() - SHARED] == [
        (resource.method, resource.path) for resource in RESOURCES
    ]
    for at, node in nodes(contract):
        address, _, place = node.get("$ref", "#").partition("#")
        found = Asker(client).get(address) if address else contract
        for part in place.split("/")[1:]:
            assert part in found, at
            found = found[part]


@pytest.mark.parametrize("game", all_games())
def test_the_specification_of_a_game_is_its_part_of_the_whole(ask: Asker, served: dict[str, Any], game: str) -> None:
    alone = ask.get(f"/v1/games/{game}/openapi.json")
    others = [f"/v1/games/{other}" for other in all_games() if other != game]
    assert alone["paths"].keys() == {path for path in served["paths"] if not path.startswith(tuple(others))}
    for (method, path), operation in operations(alone).items():
        same = {**served["paths"][path][method.lower()], "tags": operation["tags"]}
        assert without_examples(operation) == without_examples(same)
    used = {node["$ref"].rpartition("/")[2] for _, node in nodes(alone) if "$ref" in node}
    assert alone["components"]["schemas"].keys() <= used
    for name, schema in alone["components"]["schemas"].items():
        assert name == LINES or schema == served["components"]["schemas"][name]
    assert alone["components"]["schemas"][LINES]["contentSchema"]["items"] == {
        "$ref": f"#/components/schemas/{game.title().replace('-', '')}Record"
    }


@pytest.mark.parametrize("path", ["/openapi.json", *(f"/v1/games/{game}/openapi.json" for game in all_games())])
def test_a_specification_can_be_had_without_examples(ask: Asker, path: str) -> None:
    whole, plain = ask.get(path), ask.get(f"{path}?examples=false")
    assert plain == without_examples(whole) != whole
    assert ask.get(f"{path}?examples=true") == whole


def test_it_has_every_route_and_no_other(app: Flask, served: dict[str, Any]) -> None:
    routes = {
        (method, template(rule.rule).replace("{game}", game))
        for rule in app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
        for game in all_games()
        if not AROUND.match(rule.rule) and rule.endpoint != START_PAGE
    }
    assert set(operations(served)) == routes


def test_it_is_valid(ask: Asker) -> None:
    """That of one game: those of the others are as it is, and `make generators` has linters read the whole."""
    from openapi_spec_validator import OpenAPIV31SpecValidator  # takes a while, and every process collects this module

    contract = read_yaml(CONTRACT.read_bytes())
    assert list(OpenAPIV31SpecValidator(ask.get("/v1/games/palazzo/openapi.json?examples=false")).iter_errors()) == []
    assert list(OpenAPIV31SpecValidator(contract, base_uri=CONTRACT.as_uri()).iter_errors()) == []


def test_everything_has_a_description(served: dict[str, Any]) -> None:
    for operation in operations(served).values():
        assert operation["summary"]
        assert operation["summary"] not in operation.get("description", "")
        assert operation["tags"]
        assert all(answer.get("description") or answer.get("$ref") for answer in operation["responses"].values())
    tags = {tag["name"] for tag in served["tags"]}
    assert {tag for operation in operations(served).values() for tag in operation["tags"]} == tags
    for at, node in nodes(served["components"]["schemas"]):
        if at.count("/") == 3 and at.split("/")[2] == "properties":
            assert {"description", "$ref", "const"} & set(node), at


def test_every_component_is_used(served: dict[str, Any]) -> None:
    used = {node["$ref"] for _, node in nodes(served) if "$ref" in node}
    for part, named in served["components"].items():
        assert {f"#/components/{part}/{name}" for name in named} <= used


def test_deprecated_operations_are_marked(served: dict[str, Any]) -> None:
    marked = {operation["operationId"] for operation in operations(served).values() if operation.get("deprecated")}
    assert marked == {one.id for one in declared.operations() if one.resource.deprecated}


def test_no_reference_leaves_it_and_every_one_resolves(served: dict[str, Any]) -> None:
    for at, node in nodes(served):
        if "$ref" in node:
            assert node["$ref"].startswith("#/"), at
            found = served
            for part in node["$ref"].removeprefix("#/").split("/"):
                found = found[unquote(part).replace("~1", "/").replace("~0", "~")]


def test_no_inline_schema_needs_a_name(served: dict[str, Any]) -> None:
    """Class generators find a name for each, and invent none."""
    for name, schema in served["components"]["schemas"].items():
        assert "title" not in schema, name
        assert re.fullmatch(r"([A-Z0-9][a-z0-9]*)+", name), name
        for at, node in nodes(schema):
            assert not at or "properties" not in node, f"{name}{at}"
            assert "$defs" not in node, f"{name}{at}"


def test_unions_of_objects_have_discriminators(served: dict[str, Any]) -> None:
    """Wherever the alternatives differ in a constant `type`: the requests that do not have none to differ in."""
    schemas = served["components"]["schemas"]
    told_apart = set()
    for at, node in nodes(schemas):
        references = [alternative.get("$ref", "") for alternative in node.get("oneOf", ())]
        alternatives = [schemas.get(reference.rpartition("/")[2], {}) for reference in references]
        types = [alternative.get("properties", {}).get("type", {}).get("const") for alternative in alternatives]
        if any(types):
            told_apart.add(at.removeprefix("/"))
            mapping = dict(zip(types, references, strict=True))
            assert node.get("discriminator") == {"propertyName": "type", "mapping": mapping}, at
            for alternative in alternatives:
                assert alternative["properties"]["type"].keys() == {"type", "const"}
                assert "type" in alternative["required"]
        else:
            assert "discriminator" not in node, at
    prefixes = [game.title().replace("-", "") for game in all_games()]
    assert {f"{prefix}{union}" for prefix in prefixes for union in ("Move", "Stage", "Event")} <= told_apart


def bodies(specification: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Every body that has examples: its JSON Pointer, the id of its operation, and its schema."""
    for (method, path), operation in operations(specification).items():
        at = f"/paths/{path.replace('~', '~0').replace('/', '~1')}/{method.lower()}"
        holders = {f"{at}/requestBody": operation.get("requestBody", {})}
        holders |= {f"{at}/responses/{status}": answer for status, answer in operation["responses"].items()}
        for place, holder in holders.items():
            for media_type, media in holder.get("content", {}).items():
                yield f"{place}/content/{media_type.replace('/', '~1')}", operation["operationId"], media


@pytest.fixture(scope="module")
def registry(served: dict[str, Any]) -> jsonschema_rs.Registry:
    """A registry of the specification alone, so that references to anything else fail."""
    return jsonschema_rs.Registry([(ADDRESS, served)])


def test_the_examples_are_valid(served: dict[str, Any], registry: jsonschema_rs.Registry) -> None:
    with_examples = set()
    valid = set()
    for at, operation, media in bodies(served):
        reference = f"{ADDRESS}#{quote(at, safe='/~')}/schema"
        validator = jsonschema_rs.Draft202012Validator({"$ref": reference}, registry=registry)
        for name, example in media.get("examples", {}).items():
            with_examples.add((operation, "requestBody" in at))
            known = json.dumps([media["schema"], example["value"]])  # three of four, most of them problems
            if known not in valid:
                errors = [str(error) for error in validator.iter_errors(example["value"])]
                assert errors == [], f"{operation}, {name}"
                valid.add(known)
    with_bodies = {operation["operationId"] for operation in operations(served).values() if "requestBody" in operation}
    assert {(operation, True) for operation in with_bodies} <= with_examples


def test_every_answer_has_an_example(served: dict[str, Any]) -> None:
    """Each form of each operation's answer has one, so that newcomers see it in advance."""
    answers = [
        (operation["operationId"], media_type, media)
        for operation in operations(served).values()
        for status, answer in operation["responses"].items()
        if status.startswith("2")
        for media_type, media in answer["content"].items()
    ]
    assert {id for id, *_ in answers} == {operation["operationId"] for operation in operations(served).values()}
    assert [(id, media_type) for id, media_type, media in answers if not media.get("examples")] == []


def test_the_specification_shows_its_own_beginning(served: dict[str, Any]) -> None:
    head = {name: member for name, member in served.items() if name not in {"paths", "components"}}
    for path, media_type in (("/openapi.json", "application/json"), ("/openapi.yaml", "application/yaml")):
        content = served["paths"][path]["get"]["responses"]["200"]["content"]
        assert content[media_type]["examples"]["beginning"]["value"] == head


def test_the_examples_of_schemas_are_valid(served: dict[str, Any], registry: jsonschema_rs.Registry) -> None:
    shown = 0
    for name, schema in served["components"]["schemas"].items():
        validator = jsonschema_rs.Draft202012Validator(
            {"$ref": f"{ADDRESS}#/components/schemas/{name}"}, registry=registry
        )
        for example in schema.get("examples", []):
            assert validator.is_valid(example), name
            shown += 1
    assert shown > 300


def test_every_problem_has_an_example_at_its_operation(served: dict[str, Any]) -> None:
    by_id = {operation["operationId"]: operation for operation in operations(served).values()}
    for one in declared.operations():
        shown = [
            (id, example["value"]["type"], example["value"]["status"], int(status))
            for status, answer in by_id[one.id]["responses"].items()
            if int(status) >= 400
            for id, example in answer["content"][problems.MEDIA_TYPE]["examples"].items()
        ]
        assert {id for id, *_ in shown} == set(one.problems)
        for id, type, status, declared_status in shown:
            assert type == addresses.problem(id)
            assert status == declared_status


def test_links_lead_to_operations_and_bodies_they_take(served: dict[str, Any]) -> None:
    by_id = {operation["operationId"]: operation for operation in operations(served).values()}
    linked = set()
    for id, operation in by_id.items():
        for link in operation["responses"]["200"].get("links", {}).values():
            reference = by_id[link["operationId"]]["requestBody"]["content"]["application/json"]["schema"]["$ref"]
            schema = served["components"]["schemas"][reference.rpartition("/")[2]]
            alternatives = [one["$ref"].rpartition("/")[2] for one in schema.get("oneOf", [])]
            assert any(
                set(one["required"]) <= set(link["requestBody"]) <= set(one["properties"])
                for one in [served["components"]["schemas"][name] for name in alternatives] or [schema]
            )
            linked.add((id, link["operationId"]))
    for game in all_games():
        walk = [f"{game}-{name}" for name in ("create-setup", "list-legal-moves", "play-moves", "score-game")]
        assert set(pairwise(walk)) <= linked
