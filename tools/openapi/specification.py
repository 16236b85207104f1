"""The whole specification, put together."""

from copy import deepcopy
from functools import cache
from typing import Any

from tools.openapi import bundle
from tools.openapi.answers import answer_components
from tools.openapi.examples import (
    answers_to,
    bodies_of,
    example_lines,
    example_picture,
    examples,
    examples_of_problems,
    record_by_hand,
    start_page,
)
from tools.openapi.links import links_of
from tools.openapi.nodes import Node, component, schema_component
from tools.openapi.operations import (
    ARCHIVES,
    CATALOGUE,
    PARAMETERS,
    SERVICE,
    Operation,
    operations,
    path_parameters,
    query_parameters,
    request_components,
)
from tools.openapi.writing import flowing

from capomastro import __version__, addresses
from capomastro.api import problems
from capomastro.api.declarations import Resource
from capomastro.api.media_types import HTML, JSON, JSONL, NDJSON, SVG
from capomastro.api.request_log import HEADER
from capomastro.api.resources import RESOURCES
from capomastro.documents import notation
from capomastro.games import all_games

DESCRIPTION = """\
A stateless referee for building games. It stores nothing: every request contains the state, and every answer is a pure
function of the request, so that requests can be repeated safely.

Set up a game, list its legal moves, play one, continue from the state in the answer, and score the end. Pages of the
catalogue have `links` to further pages; the links of operations say what to ask next. With a `seed`, the service draws
chance; without one, chance is played like any other move.

Numbers are integers; probabilities are exact fractions as text ("3/47"). Requests must have no members that are not
described here; answers may get new ones.
"""
CONTACT = {"name": "the capomastro authors"}
HEADERS = {"request-id": HEADER, "etag": "ETag", "deprecation": "Deprecation"}
RECORD_LINES, VERDICT_LINES = "RecordLines", "VerdictLines"
SPECIFICATIONS = ("show-specification", "show-specification-as-yaml")
"""The operations that answer the specification itself."""


# --- operations ------------------------------------------------------------------------------------------------------


def described(operation: Operation) -> Node:
    """An operation of the specification."""
    resource = operation.resource
    path = [
        {
            "name": name,
            "in": "path",
            "required": True,
            "description": PARAMETERS[name],
            "schema": schema,
            "example": value,
        }
        for name, (schema, value) in path_parameters(operation).items()
    ]
    headers = ["request-id", *(["if-none-match"] if resource.method == "GET" and resource.cacheable else [])]
    node: Node = {
        "operationId": operation.id,
        "tags": [operation.tag],
        "summary": resource.summary.rstrip("."),
        "description": resource.description,
        "parameters": [*path, *query_parameters(operation), *(component("parameters", name) for name in headers)],
    }
    if resource.deprecated:
        node["deprecated"] = True
    if resource.envelope:
        node["requestBody"] = request_body(operation)
    if resource.streamed:
        node["requestBody"] = streamed_request()
    return {**node, "responses": {"200": success(operation), **not_modified(resource), **refusals(operation)}}


def request_body(operation: Operation) -> Node:
    content: Node = {JSON: {"schema": schema_component(operation.request), **examples(bodies_of(operation))}}
    if operation.resource.accepts_notation:
        content[notation.MEDIA_TYPE] = notation_body(operation)
    return {"required": True, "content": content}


def notation_body(operation: Operation) -> Node:
    """The body of a record in text notation."""
    assert operation.game is not None
    description = "A record in text notation, one move per line, in UTF-8. docs/notation.md has the grammar."
    schema = {"description": description, "type": "string"}
    return {"schema": schema, "examples": {"record": {"value": record_by_hand(operation.game)}}}


def picture_answer(operation: Operation) -> Node:
    """The answer that is only a picture."""
    if operation.resource.method == "GET":
        description = "The picture of its example, if it has one."
    else:
        description = (
            "One picture, if no more are asked for; also the answer to a request that says nothing in `Accept`."
        )
    schema = {"description": description, "type": "string"}
    picture = example_picture(operation)
    return {"schema": schema, **({"examples": {"picture": {"value": picture}}} if picture else {})}


FORMS = {notation.MEDIA_TYPE: notation_body, SVG: picture_answer}
"""What describes an answer that is not JSON, by media type."""


def page_for_people() -> Node:
    """The answer that is a page."""
    description = "The start page, for a client that prefers HTML; not if the service has no pages."
    schema = {"description": description, "type": "string"}
    return {"schema": schema, "examples": {"page": {"value": start_page()}}}


def streamed_request() -> Node:
    schema = schema_component(RECORD_LINES)
    shown = {"examples": {"records": {"value": example_lines()}}}
    return {"required": True, "content": {NDJSON: {"schema": schema, **shown}, JSONL: {"schema": schema, **shown}}}


def success(operation: Operation) -> Node:
    """The successful response."""
    resource = operation.resource
    schema = schema_component(VERDICT_LINES) if resource.streamed else operation.answer
    headers = ["request-id"]
    headers += ["etag"] if resource.method == "GET" and resource.cacheable else []
    headers += ["deprecation"] if resource.deprecated else []
    shown = beginning() if resource.name in SPECIFICATIONS else answers_to(operation)
    media = {"schema": schema, **shown}
    node: Node = {
        "description": described_answer(schema),
        "headers": {HEADERS[name]: component("headers", name) for name in headers},
        "content": {
            resource.media_type: media,
            **{form: FORMS[form](operation) for form in resource.forms},
            **({HTML: page_for_people()} if resource.path == "/" else {}),
        },
    }
    links = links_of(operation)
    return {**node, "links": links} if links else node


def described_answer(schema: Node) -> str:
    reference = schema.get("$ref", "").rpartition("/")[2]
    description: str = schema.get("description") or schemas()[reference]["description"]
    return description


def not_modified(resource: Resource) -> Node:
    cacheable = resource.method == "GET" and resource.cacheable
    return {"304": component("responses", "not-modified")} if cacheable else {}


def refusals(operation: Operation) -> Node:
    """A response for each status code of its problems."""
    catalogue = problems.catalogue()
    by_status: dict[int, list[str]] = {}
    for id in operation.problems:
        by_status.setdefault(catalogue[id]["status"], []).append(id)
    return {str(status): refusal(operation, ids) for status, ids in sorted(by_status.items())}


def refusal(operation: Operation, ids: list[str]) -> Node:
    """A response with one of these problems; its examples are named after them."""
    catalogue = problems.catalogue()
    shown = examples_of_problems(operation, ids)
    return {
        "description": " ".join(f"`{id}`: {catalogue[id]['title']}." for id in ids),
        "headers": {
            HEADER: component("headers", "request-id"),
            **({"Retry-After": component("headers", "retry-after")} if "busy" in ids else {}),
        },
        "content": {problems.MEDIA_TYPE: {"schema": schema_component("Problem"), **shown}},
    }


# --- components ------------------------------------------------------------------------------------------------------


def lines(description: str, items: Node) -> Node:
    """The schema of a text of lines; OpenAPI 3.1 has no better way to describe them."""
    content = {"type": "array", "items": items}
    return {"description": description, "type": "string", "contentMediaType": NDJSON, "contentSchema": content}


def line_components() -> dict[str, Node]:
    records = {"anyOf": [bundle.document(game, "record") for game in all_games()]}
    return {
        RECORD_LINES: lines(
            "Records, one per line, in UTF-8. A line that is not a record gets a verdict that says so.", records
        ),
        VERDICT_LINES: lines(
            "Verdicts, one for each line that is not blank, in order; sent as soon as they are known.",
            bundle.document("", "verdict-on-line"),
        ),
    }


def shapes() -> dict[str, Node]:
    """The schemas of documents; for problems with all types."""
    known = deepcopy(bundle.components())
    type_of_problem = known["Problem"]["properties"]["type"]
    known["Problem"]["properties"]["type"] = schema_component("ProblemType")
    kinds = [addresses.problem(id) for id in problems.catalogue()]
    return {"ProblemType": {"description": type_of_problem["description"], "type": "string", "enum": kinds}, **known}


@cache
def schemas() -> dict[str, Node]:
    """Every schema by name: requests and answers, then the documents in them."""
    own: dict[str, Node] = line_components()
    for operation in operations():
        requests = request_components(operation) if operation.resource.envelope else ()
        for name, schema in (*requests, *answer_components(operation.resource.answer, operation.folder).items()):
            assert own.setdefault(name, schema) == schema, f"two schemas are called {name}"
    known = shapes()
    assert not own.keys() & known.keys(), f"two schemas are called {own.keys() & known.keys()}"
    answers = [operation.answer for operation in operations()]
    found = {**own, **bundle.reachable([*own.values(), *answers, schema_component("Problem")], {**own, **known})}
    assert len({name.lower() for name in found}) == len(found)
    return {name: with_examples(schema) for name, schema in found.items()}


def with_examples(schema: Node) -> Node:
    """A schema whose examples are written in few lines."""
    return {**schema, "examples": flowing(schema["examples"])} if "examples" in schema else schema


def tags() -> list[Node]:
    return [
        {"name": CATALOGUE, "description": "Games, rules, schemas and problems."},
        *({"name": game.id, "description": f"{game.title}: every operation."} for game in all_games().values()),
        {"name": ARCHIVES, "description": "Many records at once, of any game."},
        {"name": SERVICE, "description": "The service itself."},
    ]


def components() -> Node:
    since = {"description": "The date of deprecation (RFC 9745).", "schema": {"type": "string"}}
    deprecation = {"deprecation": since} if any(one.deprecated for one in RESOURCES) else {}
    return {
        "schemas": schemas(),
        "parameters": {
            "request-id": {
                "name": HEADER,
                "in": "header",
                "description": "The client's id for this request; an invalid one is replaced.",
                "schema": {"type": "string"},
            },
            "if-none-match": {
                "name": "If-None-Match",
                "in": "header",
                "description": "The `ETag` of the cached answer.",
                "schema": {"type": "string"},
            },
        },
        "headers": {
            "request-id": {
                "description": "The id of the request, as in the log.",
                "required": True,
                "schema": {"type": "string"},
            },
            "etag": {"description": "Changes with the answer.", "required": True, "schema": {"type": "string"}},
            "retry-after": {"description": "Seconds to wait before a retry.", "schema": {"type": "string"}},
            **deprecation,
        },
        "responses": {
            "not-modified": {
                "description": "The cached answer is still valid.",
                "headers": {HEADERS[name]: component("headers", name) for name in ("request-id", "etag")},
            },
        },
    }


def head() -> Node:
    """The `info` and other general members of the specification."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "capomastro",
            "version": __version__,
            "summary": "A referee for building games.",
            "description": DESCRIPTION,
            "contact": CONTACT,
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/", "description": "The server of this document."}],
        "security": [],
        "tags": tags(),
    }


def beginning() -> Node:
    """The beginning of the specification, as an example within it."""
    description = "Shortened: without `paths` and `components`."
    return {"examples": {"beginning": {"description": description, "value": flowing(head())}}}


def specification() -> dict[str, Any]:
    """The whole specification."""
    paths: Node = {}
    for operation in operations():
        paths.setdefault(operation.path, {})[operation.resource.method.lower()] = described(operation)
    return {**head(), "paths": paths, "components": components()}
