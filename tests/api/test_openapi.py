"""The specification: it is what the code declares, valid, true of its own examples, and whole when it is served."""

import importlib.util
import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.parse import unquote, urljoin

import pytest
import yaml
from flask import Flask
from flask.testing import FlaskClient
from jsonschema import Draft202012Validator
from openapi_spec_validator import OpenAPIV31SpecValidator
from openapi_spec_validator.readers import read_from_filename
from referencing import Registry
from referencing.jsonschema import DRAFT202012

from capomastro.api.application import template
from capomastro.documents.files import openapi_file
from capomastro.games import all_games
from tests.api.asking import Asker

TOOL = Path(__file__).parents[2] / "tools" / "openapi.py"
HOST = "https://capomastro.invalid"
AROUND = re.compile(r"/docs(/|$)")
"""The browser: pages, not part of what the specification describes."""


@cache
def tool() -> ModuleType:
    specification = importlib.util.spec_from_file_location("openapi_tool", TOOL)
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


@pytest.fixture
def served(ask: Asker) -> dict[str, Any]:
    """The specification as the running service shows it."""
    specification: dict[str, Any] = ask.get("/openapi.json")
    return specification


def nodes(node: Any, at: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every object in a document that is no example, with its place."""
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


def test_it_is_what_the_code_declares() -> None:
    assert openapi_file().read_text("utf-8") == tool().written(), "make openapi"


def test_it_has_every_route_and_no_other(app: Flask, served: dict[str, Any]) -> None:
    routes = {
        (method, template(rule.rule).replace("{game}", game))
        for rule in app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
        for game in all_games()
        if not AROUND.match(rule.rule)
    }
    assert set(operations(served)) == routes


def test_it_is_valid() -> None:
    specification, address = read_from_filename(str(openapi_file()))
    assert list(OpenAPIV31SpecValidator(specification, base_uri=address).iter_errors()) == []


def test_everything_has_a_description(served: dict[str, Any]) -> None:
    for operation in operations(served).values():
        assert operation["summary"]
        assert operation["description"]
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


def test_what_should_not_be_used_any_more_is_marked(served: dict[str, Any]) -> None:
    marked = {operation["operationId"] for operation in operations(served).values() if operation.get("deprecated")}
    declared = {one.id for one in tool().operations() if one.resource.deprecated}
    assert marked == declared


@pytest.mark.parametrize("path", ["/openapi.yaml", "/openapi.json"])
def test_every_reference_of_the_served_specification_resolves_on_the_server(client: FlaskClient, path: str) -> None:
    specification = yaml.load(client.get(path).get_data(), getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    loaded: dict[str, Any] = {path: specification}
    open_references = [(path, node["$ref"]) for _, node in nodes(specification) if "$ref" in node]
    assert any(reference.startswith("/v1/games/") for _, reference in open_references)
    seen: set[tuple[str, str]] = set()
    while open_references:
        base, reference = open_references.pop()
        if (base, reference) in seen:
            continue
        seen.add((base, reference))
        address, _, fragment = urljoin(base, reference).partition("#")
        if address not in loaded:
            response = client.get(address)
            assert response.status_code == 200, (base, reference)
            loaded[address] = response.get_json()
            open_references += [(address, node["$ref"]) for _, node in nodes(loaded[address]) if "$ref" in node]
        found = loaded[address]
        for part in filter(None, fragment.split("/")):
            found = found[unquote(part).replace("~1", "/").replace("~0", "~")]


def bodies(specification: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Where a body stands that has examples, as a JSON Pointer, with the id of its operation and what is said of it."""
    for (method, path), operation in operations(specification).items():
        at = f"/paths/{path.replace('~', '~0').replace('/', '~1')}/{method.lower()}"
        holders = {f"{at}/requestBody": operation.get("requestBody", {})}
        holders |= {f"{at}/responses/{status}": answer for status, answer in operation["responses"].items()}
        for place, holder in holders.items():
            for media_type, media in holder.get("content", {}).items():
                yield f"{place}/content/{media_type.replace('/', '~1')}", operation["operationId"], media


def test_the_examples_are_valid(client: FlaskClient, served: dict[str, Any]) -> None:
    registry: Registry[Any] = Registry(  # type: ignore[call-arg]
        retrieve=lambda address: DRAFT202012.create_resource(client.get(address.removeprefix(HOST)).get_json())
    ).with_resource(f"{HOST}/openapi.json", DRAFT202012.create_resource(served))
    with_examples = set()
    for at, operation, media in bodies(served):
        validator = Draft202012Validator(
            {"$id": f"{HOST}/of-examples", "$ref": f"{HOST}/openapi.json#{at}/schema"}, registry=registry
        )
        for name, example in media.get("examples", {}).items():
            errors = [f"{error.json_path}: {error.message}" for error in validator.iter_errors(example["value"])]
            assert errors == [], f"{operation}, {name}"
            with_examples.add((operation, "requestBody" in at))
    asked = {operation["operationId"] for operation in operations(served).values() if "requestBody" in operation}
    assert {(operation, True) for operation in asked} <= with_examples
    assert {(operation, False) for operation in asked} <= with_examples


def test_links_lead_to_operations_and_bodies_they_take(served: dict[str, Any]) -> None:
    by_id = {operation["operationId"]: operation for operation in operations(served).values()}
    linked = set()
    for id, operation in by_id.items():
        for link in operation["responses"]["200"].get("links", {}).values():
            reference = by_id[link["operationId"]]["requestBody"]["content"]["application/json"]["schema"]["$ref"]
            schema = served["components"]["schemas"][reference.rpartition("/")[2]]
            assert set(schema["required"]) <= set(link["requestBody"]) <= set(schema["properties"])
            linked.add((id, link["operationId"]))
    for game in all_games():
        walk = [f"{game}-{name}" for name in ("create-setup", "list-legal-moves", "play-moves", "score-game")]
        assert set(pairwise(walk)) <= linked
