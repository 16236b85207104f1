"""No change of the specification breaks a client unnoticed: it is compared with that of the last release."""

import json
import re
from collections.abc import Callable, Iterator
from copy import deepcopy
from fnmatch import fnmatchcase

import pytest
from tools.contract.comparing import Comparison, Direction, Node, Pair, breaking, without_prose
from tools.contract.release import announcements, breaking_since_release, is_announced, specification

from capomastro.games import all_games


def test_every_breaking_change_since_the_release_is_announced() -> None:
    unannounced = [change for change in breaking_since_release() if not is_announced(change)]
    assert not unannounced, "tools/contract/announced.toml and CHANGELOG.md have to say why:\n" + "\n".join(unannounced)


def test_every_announcement_is_of_a_change_and_has_a_reason() -> None:
    found = breaking_since_release()
    for announcement in announcements():
        assert announcement.reason.endswith("."), announcement
        idle = [pattern for pattern in announcement.breaks if not any(fnmatchcase(change, pattern) for change in found)]
        assert not idle, idle


# --- the comparison itself -------------------------------------------------------------------------------------------

CURRENT: Node = without_prose(specification())
OTHERS = tuple(f"/v1/games/{game}" for game in all_games() if game != "palazzo")
PART: Node = {**CURRENT, "paths": {path: one for path, one in CURRENT["paths"].items() if not path.startswith(OTHERS)}}
"""Without the operations of the games in which nothing is changed here."""
PALAZZO = "POST /v1/games/{game}"


def changed(original: Node, change: Callable[[Node, Node], object]) -> Node:
    """A specification after a change of its paths and schemas."""
    document: Node = json.loads(json.dumps(original))
    change(document["paths"], document["components"]["schemas"])
    return document


def properties(schemas: Node, name: str) -> Node:
    found: Node = schemas[name]["properties"]
    return found


def rename_schemas(paths: Node, schemas: Node) -> None:
    """Refers to a component by another name, without any change of what is sent."""
    schemas["Gentle"] = deepcopy(schemas["PalazzoDerived"])
    for schema in (schemas["PalazzoSetup"], schemas["PalazzoTransition"], schemas["PalazzoViewedTransition"]):
        schema["properties"]["derived"]["$ref"] = "#/components/schemas/Gentle"


def add_event(paths: Node, schemas: Node) -> None:
    schemas["PalazzoEventStorm"] = {"type": "object", "properties": {"type": {"type": "string", "const": "storm"}}}
    schemas["PalazzoEvent"]["oneOf"].append({"$ref": "#/components/schemas/PalazzoEventStorm"})


BREAKING: dict[str, tuple[Callable[[Node, Node], object], str]] = {
    "an operation that is gone": (
        lambda paths, schemas: paths.pop("/v1/games/palazzo/verdicts"),
        f"{PALAZZO}/verdicts is gone",
    ),
    "a form of request that is gone": (
        lambda paths, schemas: paths["/v1/games/palazzo/replays"]["post"]["requestBody"]["content"].pop(
            "text/vnd.capomastro.record"
        ),
        f"{PALAZZO}/replays: request: text/vnd.capomastro.record is gone",
    ),
    "a parameter that is required": (
        lambda paths, schemas: paths["/v1/replays"]["post"]["parameters"].append(
            {"name": "by", "in": "query", "required": True, "schema": {"type": "string"}}
        ),
        "POST /v1/replays: the parameter by in the query is required now",
    ),
    "an operation of another name": (
        lambda paths, schemas: paths["/v1/games"]["get"].update(operationId="games"),
        "GET /v1/games: the operation is called games now, list-games before",
    ),
    "a key that is asked for": (
        lambda paths, schemas: paths["/v1/games"]["get"].update(security=[{"key": []}]),
        "GET /v1/games: credentials are asked for now",
    ),
    "an answer with another status": (
        lambda paths, schemas: (responses := paths["/v1/games"]["get"]["responses"]).update(
            {"201": responses.pop("200")}
        ),
        "GET /v1/games: 200 is gone",
    ),
    "a header that is gone": (
        lambda paths, schemas: paths["/v1/games"]["get"]["responses"]["200"]["headers"].pop("ETag"),
        "GET /v1/games: 200: the header ETag is gone",
    ),
    "a page that is gone": (
        lambda paths, schemas: paths["/v1/schemas/{document}"]["get"]["parameters"][0]["schema"]["enum"].remove("hand"),
        "GET /v1/schemas/{}: the parameter 1 in the path cannot be 'hand' any more",
    ),
    "a member of the lines of an answer that is gone": (
        lambda paths, schemas: properties(schemas, "VerdictOnLine").pop("plies"),
        "POST /v1/replays: answer[].plies is gone",
    ),
    "a member of an answer that is gone": (
        lambda paths, schemas: properties(schemas, "PalazzoTransition").pop("derived"),
        f"{PALAZZO}/transitions: answer.derived is gone",
    ),
    "a member of an answer that need not be there": (
        lambda paths, schemas: schemas["PalazzoTransition"]["required"].remove("derived"),
        f"{PALAZZO}/transitions: answer.derived may be absent now",
    ),
    "a member of an answer of another type": (
        lambda paths, schemas: properties(schemas, "PalazzoLegalMoves")["total"].update(type=["integer", "null"]),
        f"{PALAZZO}/setups: answer.legal_moves.total can be of type null now",
    ),
    "a further value in answers": (
        lambda paths, schemas: properties(schemas, "Decision")["actor"]["enum"].append("dealer"),
        "POST /v1/replays: answer[].first_divergence.decision.actor can be 'dealer' now",
    ),
    "a kind of event that is gone": (
        lambda paths, schemas: schemas["PalazzoEvent"]["oneOf"].remove(
            {"$ref": "#/components/schemas/PalazzoEventPassed"}
        ),
        f"{PALAZZO}/setups: answer.events[][passed] is gone",
    ),
    "a further kind of event": (add_event, f"{PALAZZO}/setups: answer.events[][storm] is new"),
    "a member of requests that is required": (
        lambda paths, schemas: schemas["PalazzoSetupRequest"]["required"].append("seed"),
        f"{PALAZZO}/setups: request.seed is required now",
    ),
    "a member of requests that is gone": (
        lambda paths, schemas: properties(schemas, "PalazzoSetupRequest").pop("seed"),
        f"{PALAZZO}/setups: request.seed is gone",
    ),
    "fewer values in requests": (
        lambda paths, schemas: properties(schemas, "PalazzoLegalMovesRequest")["payments"]["enum"].remove("all"),
        f"{PALAZZO}/legal-moves: request.payments cannot be 'all' any more",
    ),
    "a narrower bound of requests": (
        lambda paths, schemas: properties(schemas, "PalazzoLegalMovesRequest")["limit"].update(maximum=500),
        f"{PALAZZO}/legal-moves: request.limit: maximum is 500 now, 1000 before",
    ),
    "a token that is gone": (
        lambda paths, schemas: schemas["PalazzoTile"]["enum"].remove("brick-1-1"),
        f"{PALAZZO}/legal-moves: request.state.stage[place-tile].tiles[] cannot be 'brick-1-1' any more",
    ),
    "a kind of move that is gone": (
        lambda paths, schemas: schemas["PalazzoMove"]["oneOf"].remove({"$ref": "#/components/schemas/PalazzoMovePass"}),
        f"{PALAZZO}/verdicts: request.move[pass] is gone",
    ),
    "a member of a move that is required": (
        lambda paths, schemas: (
            properties(schemas, "PalazzoMovePass").update(loudly={"type": "boolean"}),
            schemas["PalazzoMovePass"]["required"].append("loudly"),
        ),
        f"{PALAZZO}/verdicts: request.move[pass].loudly is required now",
    ),
}


@pytest.mark.parametrize(("change", "sentence"), BREAKING.values(), ids=list(BREAKING))
def test_breaking_changes_are_detected(change: Callable[[Node, Node], object], sentence: str) -> None:
    part = {**PART, "paths": {path: one for path, one in PART["paths"].items() if as_said(path) in sentence}}
    assert sentence in breaking(part, changed(part, change))


def as_said(path: str) -> str:
    """A path of Palazzo as a sentence has it."""
    return re.sub(r"\{\w+\}", "{}", path).replace("/palazzo", "/{game}")


KEYWORDS: dict[str, tuple[Direction, Node, Node, str]] = {
    "type": ("request", {"type": ["integer", "null"]}, {"type": "integer"}, "it cannot be of type null any more"),
    "const": ("answer", {"const": 1}, {"const": 2}, "it can be 2 now"),
    "enum": ("request", {"enum": ["a", "b"]}, {"enum": ["a"]}, "it cannot be 'b' any more"),
    "minimum": ("request", {"minimum": 1}, {"minimum": 2}, "it: minimum is 2 now, 1 before"),
    "maximum": ("request", {}, {"maximum": 2}, "it: maximum is 2 now, nothing before"),
    "minLength": ("request", {"minLength": 1}, {"minLength": 2}, "it: minLength is 2 now, 1 before"),
    "maxLength": ("request", {"maxLength": 2}, {"maxLength": 1}, "it: maxLength is 1 now, 2 before"),
    "minItems": ("request", {}, {"minItems": 1}, "it: minItems is 1 now, nothing before"),
    "maxItems": ("request", {"maxItems": 2}, {"maxItems": 1}, "it: maxItems is 1 now, 2 before"),
    "maxProperties": ("request", {}, {"maxProperties": 1}, "it: maxProperties is 1 now, nothing before"),
    "pattern": ("request", {"pattern": "^a"}, {"pattern": "^ab"}, "it: the pattern is another one now"),
    "uniqueItems": ("request", {}, {"uniqueItems": True}, "it: items have to be unique now"),
    "properties": ("answer", {"properties": {"a": {}}}, {"properties": {}}, "it.a is gone"),
    "required": (
        "request",
        {"properties": {"a": {}}},
        {"properties": {"a": {}}, "required": ["a"]},
        "it.a is required now",
    ),
    "items": ("answer", {"items": {"type": "string"}}, {}, "it[] can be anything now"),
    "additionalProperties": ("request", {}, {"additionalProperties": False}, "it.* is not allowed any more"),
    "propertyNames": (
        "request",
        {"propertyNames": {"maxLength": 9}},
        {"propertyNames": {"maxLength": 8}},
        "it: the name of a member: maxLength is 8 now, 9 before",
    ),
    "contentSchema": (
        "answer",
        {"contentSchema": {"properties": {"a": {}}}},
        {"contentSchema": {"properties": {}}},
        "it.a is gone",
    ),
    "oneOf": ("answer", {"oneOf": [{"type": "string"}]}, {"oneOf": [{}]}, "it can be of type integer now"),
    "anyOf": ("request", {"anyOf": [{"maximum": 2}]}, {"anyOf": [{"maximum": 1}]}, "it: maximum is 1 now, 2 before"),
    "$ref": ("request", {"$ref": "#/old"}, {"$ref": "#/new"}, "it cannot be of type null any more"),
    "default": ("request", {"default": 100}, {"default": 50}, "it: the default is 50 now, 100 before"),
}
"""Every keyword: what is promised of "it", what breaks that, and the sentence."""

SAID_TWICE = {"discriminator", "propertyName", "mapping", "contentMediaType", "writeOnly"}
"""Keywords that say what others, or paths, say as well."""


@pytest.mark.parametrize(("direction", "old", "new", "sentence"), KEYWORDS.values(), ids=list(KEYWORDS))
def test_every_keyword_is_compared(direction: Direction, old: Node, new: Node, sentence: str) -> None:
    comparison = Comparison({"old": {"type": ["string", "null"]}}, {"new": {"type": "string"}})
    assert sentence in list(
        comparison.differences("it", Pair(comparison.old.followed(old), comparison.new.followed(new)), direction)
    )


def keywords(schema: object) -> Iterator[str]:
    """Every keyword in a schema."""
    for item in schema if isinstance(schema, list) else ():
        yield from keywords(item)
    for keyword, value in schema.items() if isinstance(schema, dict) else ():
        yield keyword
        if keyword not in {"default", "const", "enum"}:
            yield from keywords(list(value.values()) if keyword in {"properties", "mapping"} else value)


def test_no_keyword_is_unknown_to_the_comparison() -> None:
    assert set(keywords(list(CURRENT["components"]["schemas"].values()))) == KEYWORDS.keys() | SAID_TWICE


HARMLESS: dict[str, Callable[[Node, Node], object]] = {
    "a further operation": lambda paths, schemas: paths.update({"/v2": paths["/healthz"]}),
    "a further optional member of requests": lambda paths, schemas: properties(schemas, "PalazzoSetupRequest").update(
        mood={"type": "string"}
    ),
    "a further member of answers": lambda paths, schemas: (
        properties(schemas, "PalazzoSetup").update(mood={"type": "string"}),
        schemas["PalazzoSetup"]["required"].append("mood"),
    ),
    "a wider bound of requests": lambda paths, schemas: properties(schemas, "PalazzoLegalMovesRequest")["limit"].update(
        maximum=5000
    ),
    "a further value in requests": lambda paths, schemas: properties(schemas, "PalazzoLegalMovesRequest")["payments"][
        "enum"
    ].append("some"),
    "another name of a schema": rename_schemas,
}


def test_compatible_changes_are_not_reported() -> None:
    def change_all(paths: Node, schemas: Node) -> None:
        for change in HARMLESS.values():
            change(paths, schemas)

    assert breaking(CURRENT, changed(CURRENT, change_all)) == ()


def test_prose_is_left_out_and_members_called_like_prose_are_not() -> None:
    schema = {"description": "d", "properties": {"title": {"description": "d", "type": "string", "examples": ["e"]}}}
    assert without_prose(schema) == {"properties": {"title": {"type": "string"}}}
