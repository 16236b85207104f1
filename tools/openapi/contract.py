"""The contract, `openapi.yaml`: every resource once, as declared, with references to the files in `schemas/`."""

from collections.abc import Iterator
from functools import cache

from tools.openapi.answers import answer_components, answer_schema, of_all_games
from tools.openapi.bodies import body_schema
from tools.openapi.links import LINKS
from tools.openapi.nodes import Node, component, file_reference, pascal, references, schema_component
from tools.openapi.writing import as_yaml

from capomastro import __version__, addresses
from capomastro.api import problems
from capomastro.api.declarations import Resource
from capomastro.api.envelopes import Alternatives
from capomastro.api.media_types import HTML, JSON, JSONL, NDJSON, SVG
from capomastro.api.request_log import HEADER
from capomastro.api.resources import RESOURCES
from capomastro.documents import notation, shapes
from capomastro.games import all_games

HEAD = "# Made by `make generated` from what the resources declare. Do not edit.\n"
DESCRIPTION = """\
A stateless referee for building games. It stores nothing: every request contains the state, and every answer is a pure
function of the request, so that requests can be repeated safely.

Set up a game, list its legal moves, play one, continue from the state in the answer, and score the end. Pages of the
catalogue have `links` to further pages; the links of operations say what to ask next. With a `seed`, the service draws
chance; without one, chance is played like any other move.

Numbers are integers; probabilities are exact fractions as text ("3/47"). Requests must have no members that are not
described here; answers may get new ones.
"""
CATALOGUE, QUESTIONS, TABLES, ARCHIVES, SERVICE = "catalogue", "questions", "tables", "archives", "service"
TAGS = {
    CATALOGUE: "Games, rules, schemas and problems.",
    QUESTIONS: "What to ask about a game.",
    TABLES: "Games in one sealed document.",
    ARCHIVES: "Many records at once, of any game.",
    SERVICE: "The service itself.",
}
PARAMETERS = {
    "rule": "The full id of a rule, as in refusals.",
    "document": "The kind of document.",
    "problem": "The id of a kind of problem.",
}
"""The parameters of paths other than the game, described."""
RULE = r"^[a-z0-9-]+(\.[a-z0-9-]+){2}$"
HEADERS = {"request-id": HEADER, "etag": "ETag", "deprecation": "Deprecation", "sunset": "Sunset"}
RECORD_LINES, VERDICT_LINES = "RecordLines", "VerdictLines"


# --- operations ------------------------------------------------------------------------------------------------------


def described(resource: Resource) -> Node:
    """An operation of the contract."""
    headers = ["request-id", *(["if-none-match"] if resource.method == "GET" and resource.cacheable else [])]
    node: Node = {
        "operationId": resource.name,
        "tags": [tag_of(resource)],
        "summary": resource.summary.rstrip("."),
        **({"description": resource.description} if resource.description else {}),
        "parameters": [*query_parameters(resource), *(component("parameters", name) for name in headers)],
    }
    if resource.deprecated:
        node["deprecated"] = True
    if resource.envelope:
        node["requestBody"] = request_body(resource)
    if resource.streamed:
        schema = {"schema": schema_component(RECORD_LINES)}
        node["requestBody"] = {"required": True, "content": {NDJSON: schema, JSONL: schema}}
    not_modified = resource.method == "GET" and resource.cacheable
    responses = {
        "200": success(resource),
        **({"304": component("responses", "not-modified")} if not_modified else {}),
        **refusals(resource),
    }
    return {**node, "responses": responses}


def tag_of(resource: Resource) -> str:
    if resource.streamed:
        return ARCHIVES
    if resource.envelope:
        return TABLES if resource.sealed else QUESTIONS
    return CATALOGUE if resource.path.startswith("/v1/") else SERVICE


def path_parameters(path: str) -> list[Node]:
    """What is chosen by a path, described once for all its methods."""
    game = [component("parameters", "game")] if "{game}" in path else []
    documents = next(iter(all_games())) if game else None
    schemas: dict[str, Node] = {
        "rule": {"type": "string", "pattern": RULE},
        "document": {"type": "string", "enum": list(shapes.documents_of(documents))},
        "problem": {"type": "string", "enum": list(problems.catalogue())},
    }
    chosen = [name for name in PARAMETERS if f"{{{name}}}" in path]
    return game + [
        {"name": name, "in": "path", "required": True, "description": PARAMETERS[name], "schema": schemas[name]}
        for name in chosen
    ]


def query_parameters(resource: Resource) -> list[Node]:
    """The parameters of the query."""
    members = body_schema(resource.parameters, document_of_game)["properties"] if resource.parameters else {}
    return [
        {"name": name, "in": "query", "description": member.pop("description"), "schema": member}
        for name, member in members.items()
    ]


def document_of_game(kind: str) -> Node:
    """A reference to a kind of document of whichever game is asked about."""
    return schema_component(pascal(kind))


def request_name(resource: Resource) -> str:
    """The name of the component that describes the body."""
    return f"{type(resource.envelope).__name__}Request"


def request_body(resource: Resource) -> Node:
    content: Node = {JSON: {"schema": schema_component(request_name(resource))}}
    if resource.accepts_notation:
        content[notation.MEDIA_TYPE] = notation_body(resource)
    return {"required": True, "content": content}


def request_components(resource: Resource) -> Iterator[tuple[str, Node]]:
    """The body of a request; exactly one of several members gives a union of closed objects."""
    envelope, name = resource.envelope, request_name(resource)
    assert envelope is not None
    schema = body_schema(envelope, document_of_game)
    if isinstance(envelope, Alternatives):
        names = [f"{name}With{pascal(member)}" for member in envelope.exactly_one_of]
        yield from zip(names, schema["oneOf"], strict=True)
        yield name, {**schema, "oneOf": [schema_component(alternative) for alternative in names]}
        return
    members = schema["properties"]
    if "players" in members:  # how many can play, and have a name, is up to the game
        for member, union in (("players", "PlayerCount"), ("names", "Names")):
            members[member] = {"description": members[member]["description"], **schema_component(union)}
    yield name, schema


def notation_body(_: Resource) -> Node:
    """The body of a record in text notation."""
    description = "A record in text notation, one move per line, in UTF-8. docs/notation.md has the grammar."
    return {"schema": {"description": description, "type": "string"}}


def picture_answer(resource: Resource) -> Node:
    """The answer that is only a picture."""
    description = (
        "The picture of its example, if it has one."
        if resource.method == "GET"
        else "One picture, if no more are asked for; also the answer to a request that says nothing in `Accept`."
    )
    return {"schema": {"description": description, "type": "string"}}


FORMS = {notation.MEDIA_TYPE: notation_body, SVG: picture_answer}
"""What describes an answer that is not JSON, by media type."""
PAGE = {
    "schema": {
        "description": "The start page, for a client that prefers HTML; not if the service has no pages.",
        "type": "string",
    }
}


def success(resource: Resource) -> Node:
    """The successful response."""
    schema = schema_component(VERDICT_LINES) if resource.streamed else answer_schema(resource.answer)
    headers = ["request-id"]
    headers += ["etag"] if resource.method == "GET" and resource.cacheable else []
    headers += ["deprecation", "sunset"] if resource.deprecated else []
    node: Node = {
        "description": described_answer(schema),
        "headers": {HEADERS[name]: component("headers", name) for name in headers},
        "content": {
            resource.media_type: {"schema": schema},
            **{form: FORMS[form](resource) for form in resource.forms},
            **({HTML: PAGE} if resource.path == "/" else {}),
        },
    }
    links = {
        name: {"operationId": to, "description": why, "requestBody": body}
        for name, (to, why, body) in LINKS.get(resource.name, {}).items()
    }
    return {**node, "links": links} if links else node


def described_answer(schema: Node) -> str:
    reference = schema.get("$ref", "").rpartition("/")[2]
    description: str = schema.get("description") or schemas()[reference].get("description", f"The {reference.lower()}.")
    return description


def refusals(resource: Resource) -> Node:
    """A response for each status code of its problems, described by their ids."""
    by_status: dict[int, list[str]] = {}
    for id in resource.problems:
        by_status.setdefault(problems.catalogue()[id]["status"], []).append(id)
    return {
        str(status): {
            **component("responses", "busy" if {"busy", "too-many-requests"} & set(ids) else "problem"),
            "description": ", ".join(f"`{id}`" for id in ids),
        }
        for status, ids in sorted(by_status.items())
    }


# --- components ------------------------------------------------------------------------------------------------------


def lines(description: str, items: Node) -> Node:
    """The schema of a text of lines; OpenAPI 3.1 has no better way to describe them."""
    content = {"type": "array", "items": items}
    return {"description": description, "type": "string", "contentMediaType": NDJSON, "contentSchema": content}


def of_requests() -> dict[str, Node]:
    """What bodies consist of, the documents of games apart."""
    records = "Records, one per line, in UTF-8. A line that is not a record gets a verdict that says so."
    verdicts = "Verdicts, one for each line that is not blank, in order; sent as soon as they are known."
    found = {
        RECORD_LINES: lines(records, document_of_game("record")),
        VERDICT_LINES: lines(verdicts, file_reference(shapes.COMMON, "verdict-on-line")),
        "PlayerCount": of_all_games("record", "/properties/players"),
        "Names": of_all_games("record", "/properties/names"),
    }
    for resource in RESOURCES:
        if resource.envelope:
            found |= dict(request_components(resource))
    return found


@cache
def schemas() -> dict[str, Node]:
    """Every schema by name: requests, answers, then what has one alternative per game, and the kinds of problems."""
    found = of_requests()
    for resource in RESOURCES:
        for name, schema in answer_components(resource.answer).items():
            assert found.setdefault(name, schema) == schema, f"two schemas are called {name}"
    wanted = {name for schema in found.values() for name in references(schema)}
    for kind in shapes.documents_of(next(iter(all_games()))):
        if pascal(kind) in wanted:
            found.setdefault(pascal(kind), of_all_games(kind))
    kinds = [addresses.problem(id) for id in problems.catalogue()]
    types = {"description": "A URI reference to the explanation of the problem.", "type": "string", "enum": kinds}
    return {**dict(sorted(found.items(), key=lambda item: "anyOf" in item[1])), "ProblemType": types}


def components() -> Node:
    since = {"description": "The date of deprecation (RFC 9745).", "schema": {"type": "string"}}
    until = {"description": "Until when it is answered (RFC 8594).", "schema": {"type": "string"}}
    deprecation = {"deprecation": since, "sunset": until} if any(resource.deprecated for resource in RESOURCES) else {}
    titles = [{"const": game.id, "title": game.title} for game in all_games().values()]
    headers = {HEADER: component("headers", "request-id")}
    problem = {
        "description": "A problem (RFC 9457).",
        "headers": headers,
        "content": {problems.MEDIA_TYPE: {"schema": file_reference(shapes.COMMON, "problem")}},
    }
    return {
        "parameters": {
            "game": {
                "name": "game",
                "in": "path",
                "required": True,
                "description": "The id of a game.",
                "schema": {"type": "string", "oneOf": titles},
            },
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
            "problem": problem,
            "busy": {
                **problem,
                "headers": {**headers, "Retry-After": component("headers", "retry-after")},
            },
        },
        "schemas": schemas(),
    }


def contract() -> Node:
    """The whole contract."""
    paths: dict[str, Node] = {}
    for resource in RESOURCES:
        chosen = path_parameters(resource.path)
        item = paths.setdefault(resource.path, {"parameters": chosen} if chosen else {})
        item[resource.method.lower()] = described(resource)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "capomastro",
            "version": __version__,
            "summary": "A referee for building games.",
            "description": DESCRIPTION,
            "contact": {"name": "the capomastro authors"},
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/", "description": "The server of this document."}],
        "security": [],
        "tags": [{"name": name, "description": description} for name, description in TAGS.items()],
        "paths": paths,
        "components": components(),
    }


def contract_text() -> str:
    """What `openapi.yaml` has to contain."""
    return HEAD + as_yaml(contract())
