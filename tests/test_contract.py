"""No change of the specification breaks a client unnoticed: it is compared with that of the last release."""

from collections.abc import Callable
from copy import deepcopy
from fnmatch import fnmatchcase

import pytest
from tools.contract.comparing import Node, breaking, without_prose
from tools.contract.release import announcements, breaking_since_release, is_announced, specification


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
PALAZZO = "POST /v1/games/{game}"


def changed(change: Callable[[Node, Node], object]) -> Node:
    """The specification after a change of its paths and schemas."""
    document: Node = deepcopy(CURRENT)
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
        f"{PALAZZO}/setups: answer.decision.actor can be 'dealer' now",
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
def test_what_breaks_clients_is_noticed(change: Callable[[Node, Node], object], sentence: str) -> None:
    assert sentence in breaking(CURRENT, changed(change))


HARMLESS: dict[str, Callable[[Node, Node], object]] = {
    "nothing": lambda paths, schemas: None,
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


@pytest.mark.parametrize("change", HARMLESS.values(), ids=list(HARMLESS))
def test_what_breaks_nothing_is_not_held_against_a_change(change: Callable[[Node, Node], object]) -> None:
    assert breaking(CURRENT, changed(change)) == ()


def test_prose_is_left_out_and_members_called_like_prose_are_not() -> None:
    schema = {"description": "d", "properties": {"title": {"description": "d", "type": "string", "examples": ["e"]}}}
    assert without_prose(schema) == {"properties": {"title": {"type": "string"}}}
