"""Writes `openapi.yaml` anew: make openapi.

Paths, bodies and problems are what the resources declare, spelled out for each game so that every body is typed.
Examples are what the running code answers. What an answer consists of stands here, in `ANSWERS`.
"""

import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from flask.testing import FlaskClient

from capomastro import __version__, addresses
from capomastro.api import problems
from capomastro.api.application import create_app
from capomastro.api.declarations import JSON, JSONL, NDJSON, Resource
from capomastro.api.request_log import HEADER
from capomastro.api.resources import RESOURCES
from capomastro.documents import json_text, notation, shapes
from capomastro.documents.files import schemas_directory
from capomastro.documents.wordings import rules_of
from capomastro.engine.game import AnyGame
from capomastro.engine.records import MOST_DIVERGENCES, Repair
from capomastro.games import all_games
from capomastro.settings import Settings

Node = dict[str, Any]

FILE = Path(__file__).parents[1] / "openapi.yaml"
SEED = "example"
LONGEST_EXAMPLE = 6_500
"""Examples of more characters are left out: the specification is to be read."""
BEGINNING = 3
"""So many moves have the records in examples of streams."""

CATALOGUE, ARCHIVES, SERVICE = "catalogue", "archives", "service"
DESCRIPTION = """\
A stateless referee for building games. It keeps nothing: every question brings the state along, every answer is a pure
function of the request, so that it is safe to ask again.

Set up a game, list its legal moves, play one, go on from the state in the answer, and score the end. The `links` of
each answer say what can be asked next. With a `seed` chance is drawn by the service, without one it is played like any
other move.

Numbers are integers; probabilities are exact fractions as text ("3/47"). Requests must have no members that are not
described here; answers can get new ones.
"""


class Example(dict[str, Any]):
    """A value that is written in few lines."""


# --- references ------------------------------------------------------------------------------------------------------


def document(folder: str, kind: str) -> Node:
    """A reference to a schema by its file."""
    return {"$ref": f"schemas/{folder}/{kind}.json"}


def common(kind: str) -> Node:
    return document(shapes.COMMON, kind)


def component(part: str, name: str) -> Node:
    return {"$ref": f"#/components/{part}/{name}"}


# --- what answers consist of -----------------------------------------------------------------------------------------


def text(description: str) -> Node:
    return {"description": description, "type": "string"}


def number(description: str) -> Node:
    return {"description": description, "type": "integer", "minimum": 0}


def flag(description: str) -> Node:
    return {"description": description, "type": "boolean"}


def array(description: str, items: Node) -> Node:
    return {"description": description, "type": "array", "items": items}


def open_object(description: str) -> Node:
    return {"description": description, "type": "object"}


def members(description: str, required: Mapping[str, Node], optional: Mapping[str, Node] | None = None) -> Node:
    """An object; it can get further members, so it is not closed."""
    return {
        "description": description,
        "type": "object",
        "properties": {**required, **(optional or {})},
        "required": list(required),
    }


def reading(description: str, reference: Node) -> Node:
    return {"description": description, **reference}


def self_link() -> Node:
    return {"links": open_object("Where to go on, as paths on this server.")}


def standing(game: str) -> dict[str, Node]:
    """What every answer says of the state it leads to."""
    return {
        "state": reading("The state now.", document(game, "state")),
        "state_hash": common("state-hash"),
        "derived": reading("What follows from the state and is good to show.", document(game, "derived")),
        "decision": common("decision"),
    }


def played(game: str) -> dict[str, Node]:
    return {
        **standing(game),
        "moves": array("The moves as played, those of chance included.", document(game, "move")),
        "events": array("What happened, in order.", document(game, "event")),
    }


def legal_moves(game: str) -> Node:
    with_probability = members(
        "An outcome of chance.",
        {
            "move": reading("The move that plays this outcome.", document(game, "move")),
            "probability": common("probability"),
        },
    )
    unavailable = members(
        "A kind of move that is not available.",
        {
            "type": text("The `type` of the move."),
            "rule": common("rule-id"),
            "message": text("The reason as a sentence."),
        },
    )
    return members(
        "One page of the legal moves.",
        {
            "decision": common("decision"),
            "moves": array(
                "Each as `transitions` accepts it; for chance each with its probability.",
                {"anyOf": [document(game, "move"), with_probability]},
            ),
            "total": number("How many legal moves there are, on all pages."),
            "complete": flag("False if cards that are not known may allow further moves."),
        },
        {
            "next_cursor": text("`cursor` for the next page; absent on the last."),
            "unavailable": array("With `explain`: why other kinds of move are not available.", unavailable),
        },
    )


def transition(game: str) -> Node:
    view = members(
        "The transition as one seat may know it.",
        {"seat": {"description": "Who looks; null for a spectator.", "type": ["integer", "null"]}, **played(game)},
    )
    optional = {
        "result": reading("There if the game is over.", document(game, "result")),
        "views": array("What the `views` of the request may know, in their order.", view),
        "legal_moves": component("schemas", f"{game}-legal-moves"),
    }
    return members("What the moves led to.", played(game), optional)


def score(game: str) -> Node:
    outcome = members(
        "What chance may still bring, and the result then.",
        {"probability": common("probability"), "result": document(game, "result")},
    )
    return {
        **members(
            "The result, or every possible one where only chance is still open.",
            {},
            {
                "result": document(game, "result"),
                "outcomes": array("Every outcome of chance, with its exact probability.", outcome),
            },
        ),
        "anyOf": [{"required": ["result"]}, {"required": ["outcomes"]}],
    }


def divergence(game: str) -> dict[str, Node]:
    """A recorded move that is not legal."""
    return {
        "index": number("Its place in the record."),
        "departure": common("departure"),
        "move": document(game, "move"),
        "decision": reading("What was to be decided instead.", common("decision")),
        "refusal": common("refusal"),
    }


def standing_of_replay(game: str) -> tuple[dict[str, Node], dict[str, Node]]:
    """Where a replay has come to: what is always said, and what only at the end or of a claim."""
    required = {
        "plies": number("How many moves were played."),
        "state": reading("The state after the last of them.", document(game, "state")),
        "decision": common("decision"),
    }
    optional = {
        "result": reading("There if the game is over.", document(game, "result")),
        "claimed_result_matches": flag("Whether the result that the record claims is right; there if it claims one."),
        "claimed_result_lines": array("The claimed result beside the computed one.", common("claimed-line")),
    }
    return required, optional


def replay(game: str) -> Node:
    near = members(
        "A legal move.",
        {
            "move": document(game, "move"),
            "distance": number("How far it is from the recorded one; docs/records.md says how that is counted."),
            "differs": array("The members in which the two differ.", {"type": "string"}),
        },
    )
    remedy = members(
        "What was done about it.",
        {
            "action": {
                "description": "Not played, another one played in its place, or one played before it.",
                "type": "string",
                "enum": ["left-out", "replaced", "inserted"],
            }
        },
        {"move": reading("The move that was played.", document(game, "move"))},
    )
    further = members(
        "A divergence.",
        {
            **divergence(game),
            "remedy": remedy,
            "conditional": flag("Whether it presupposes the remedies before it: true for all but the first."),
        },
    )
    required, optional = standing_of_replay(game)
    lenient = members(
        "How the record goes on if something is done about each illegal move; all after the first is conditional.",
        {
            "repair": {"description": "As requested.", "type": "string", "enum": [repair.value for repair in Repair]},
            "divergences": array("Every move that is not legal, the first one included.", further),
            "followed_to_the_end": flag(f"False if there were more than {MOST_DIVERGENCES} divergences."),
            **required,
        },
        optional,
    )
    first = members(
        "The first move that is not legal.",
        {**divergence(game), "nearest": array("The legal moves that are nearest to it, nearest first.", near)},
    )
    return members(
        "How far the record is legal, and where it stands then.",
        {"verdict": common("verdict-on-record"), "legal": flag("Whether every move is."), **required},
        {"first_divergence": first, **optional, "lenient": lenient},
    )


def entry() -> dict[str, Node]:
    return {
        "id": text("The id of the game, in paths and documents."),
        "title": text("What the game is called."),
        "rules_version": common("rules-version"),
        "schema_version": common("schema-version"),
        "players": array("How many can play.", common("player-count")),
        **self_link(),
    }


def game_page(_: str) -> Node:
    decision = members(
        "A kind of decision.",
        {
            "kind": text("The `type` of the stage."),
            "actor": {"description": "Who decides.", "type": "string", "enum": ["seat", "chance"]},
            "moves": array("The types of its moves.", {"type": "string"}),
        },
    )
    assumption = members("A rule we had to assume.", {"rule": common("rule-id"), "wording": text("The rule.")})
    return members(
        "All about a game that does not depend on a state.",
        {
            **entry(),
            "options": open_object("The defaults of the options, and their schema."),
            "components": open_object("What is in the box."),
            "decisions": array("Every kind of decision, in the order of the rulebook.", decision),
            "assumptions": array("Where the rulebook leaves room.", assumption),
        },
    )


def rule(_: str) -> Node:
    return members(
        "A rule.",
        {
            "id": common("rule-id"),
            "game": text("The id of the game."),
            "wording": text("The rule in our words."),
            "source": text("Where it stands."),
            "mark": {
                "description": "As the rulebook says it, as it was ruled elsewhere, or as we assume it.",
                "type": "string",
                "enum": ["text", "ruling", "assumed"],
            },
            **self_link(),
        },
        {"refusal": text("The sentence of a refusal, with places for its numbers.")},
    )


def problem_type(_: str) -> Node:
    return members(
        "A kind of problem.",
        {
            "id": text("Its id."),
            "type": text("The `type` of its occurrences: the path of this page."),
            "title": text("What it is called."),
            "status": {"description": "The status code it comes with.", "type": "integer"},
            "meaning": text("What it means, and what to do."),
        },
    )


ANSWERS: dict[str, Callable[[str], Node]] = {
    "games": lambda _: members("The games.", {"games": array("Every game.", members("A game.", entry()))}),
    "game": game_page,
    "rules": lambda game: members("The rules.", {"rules": array("In the order of the rulebook.", rule(game))}),
    "rule": rule,
    "schema": lambda _: members("A JSON Schema.", {"$schema": text("Its dialect."), "$id": text("Its path.")}),
    "problems": lambda game: members("Kinds of problems.", {"problems": array("All of them.", problem_type(game))}),
    "problem-type": problem_type,
    "setup": lambda game: members("The game as it begins.", played(game)),
    "legal-moves": legal_moves,
    "verdict": lambda _: common("verdict"),
    "transition": transition,
    "audit": lambda _: members("What was found.", {"findings": array("None if the state can be.", common("finding"))}),
    "score": score,
    "replay": replay,
    "verdicts": lambda _: lines(
        "Verdicts, one for each line that is not blank, in order; sent as soon as they are known.",
        common("verdict-on-line"),
    ),
    "view": lambda game: {
        "description": "The state or the record, with what the viewer may not know taken out.",
        "oneOf": [document(game, "state"), document(game, "record")],
    },
    "record": lambda game: reading("The record, as it was.", document(game, "record")),
    "health": lambda _: members("Alive.", {"status": {"const": "alive"}}),
    "readiness": lambda _: members(
        "Ready.",
        {
            "status": {"const": "ready"},
            "games": array("The ids of the games.", {"type": "string"}),
            "schemas": number("How many schemas are compiled."),
        },
    ),
    "specification": lambda _: members("This document.", {"openapi": text("The version of OpenAPI.")}),
}
"""The schema of each answer, by its name; the argument is the game, or "" where there is none."""


# --- examples --------------------------------------------------------------------------------------------------------


@cache
def client() -> FlaskClient:
    return create_app(Settings(log_level="ERROR")).test_client()


def answered(method: str, path: str, body: Any = None) -> Any:
    """What the running code answers."""
    content = None if body is None else json_text.encode(body)
    response = client().open(path, method=method, data=content, content_type=JSON)
    assert response.status_code == 200, (path, response.get_data(as_text=True))
    return json_text.decode(response.get_data())


def streamed(method: str, path: str, content: str) -> str:
    """What the running code answers to lines."""
    response = client().open(path, method=method, data=content, content_type=NDJSON)
    assert response.status_code == 200, (path, response.get_data(as_text=True))
    return response.get_data(as_text=True)


@cache
def example_bodies(game: AnyGame) -> dict[str, dict[str, Any]]:
    """For each question by name its examples: bodies by name."""
    base = f"/v1/games/{game.id}"
    setup = {"players": game.players[0], "seed": SEED}
    begun = answered("POST", f"{base}/setups", setup)
    state = begun["state"]
    here = answered("POST", f"{base}/legal-moves", {"state": state, "limit": 1})
    move = here["moves"][0]
    recorded = {
        "game": game.id,
        "schema_version": state["schema_version"],
        "rules_version": game.rules_version,
        "players": game.players[0],
        "options": {},
        "moves": [*begun["moves"], move],
    }
    first = {"state": state, "moves": [move], "seed": SEED, "legal_moves": 2}
    sheets = json_text.decode((schemas_directory() / game.id / "scoresheet.json").read_bytes())["examples"]
    return {
        "create-setup": {"drawn": setup, "open": {"players": game.players[-1]}},
        "list-legal-moves": {"page": {"state": state, "limit": 3, "explain": True}},
        "judge-move": {"legal": {"state": state, "move": move}, "refused": {"state": state, "move": begun["moves"][0]}},
        "play-moves": {"move": first},
        "audit-state": {"state": {"state": state}},
        "score-game": {"scoresheet": {"scoresheet": sheets[0]}},
        "replay-record": {
            "record": {"record": recorded},
            "slip": {"record": {**recorded, "moves": recorded["moves"][1:]}, "repair": Repair.CORRECT.value},
        },
        "convert-record": {"record": {"record": recorded}},
        "view-document": {"spectator": {"state": state, "seat": None}, "record": {"record": recorded, "seat": 0}},
    }


def example(value: Any) -> Node | None:
    """A value as an example; None if it is too long, or a schema whose references would be taken for ours."""
    written = json_text.encode(value).decode()
    return None if len(written) > LONGEST_EXAMPLE or '"$ref"' in written else {"value": flowing(value)}


def examples(values: Mapping[str, Any]) -> Node:
    """The member `examples` of a body, absent if there are none."""
    shown = {name: shown for name, value in values.items() if (shown := example(value)) is not None}
    return {"examples": shown} if shown else {}


# --- operations ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Operation:
    """A resource, spelled out for a game if it is one of games."""

    resource: Resource
    game: AnyGame | None

    @property
    def path(self) -> str:
        return self.resource.path.replace("{game}", self.game.id) if self.game else self.resource.path

    @property
    def folder(self) -> str:
        return self.game.id if self.game else ""

    @property
    def id(self) -> str:
        return self.named(self.resource.name)

    @property
    def tag(self) -> str:
        if self.game:
            return self.game.id
        if self.resource.streamed:
            return ARCHIVES
        return CATALOGUE if self.resource.path.startswith("/v1/") else SERVICE

    @property
    def answer(self) -> str:
        """The component that describes the answer."""
        return self.named(self.resource.answer)

    def named(self, name: str) -> str:
        return f"{self.game.id}-{name}" if self.game else name


def operations() -> Iterator[Operation]:
    """What there is on the whole, then game by game."""
    for resource in RESOURCES:
        if "{game}" not in resource.path:
            yield Operation(resource, None)
    for game in all_games().values():
        for resource in RESOURCES:
            if "{game}" in resource.path:
                yield Operation(resource, game)


def path_parameters(operation: Operation) -> dict[str, tuple[Node, str]]:
    """The schema of each parameter of the path, and a value that is there."""
    found: dict[str, tuple[Node, str]] = {}
    if "{rule}" in operation.path and operation.game:
        pattern = rf"^{operation.game.id}(\.[a-z0-9-]+){{2}}$"
        found["rule"] = ({"type": "string", "pattern": pattern}, next(iter(rules_of(operation.game))))
    if "{document}" in operation.path:
        known = shapes.documents_of(operation.folder or None)
        found["document"] = ({"type": "string", "enum": list(known)}, known[0])
    if "{problem}" in operation.path:
        found["problem"] = ({"type": "string", "enum": list(problems.catalogue())}, next(iter(problems.catalogue())))
    return found


PARAMETERS = {
    "rule": "The full id of a rule, as a refusal names it.",
    "document": "The kind of document.",
    "problem": "The id of a kind of problem.",
}


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
    headers = ["request-id", *(["if-none-match"] if resource.method == "GET" and resource.lasting else [])]
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
        node["requestBody"] = streamed_request(operation)
    return {**node, "responses": {"200": success(operation), **not_modified(resource), **refusals(resource)}}


def query_parameters(operation: Operation) -> list[Node]:
    """What the query may say."""
    envelope = operation.resource.parameters
    schema = envelope.described(lambda kind: document(operation.folder, kind)) if envelope else {"properties": {}}
    return [
        {"name": name, "in": "query", "description": member.pop("description"), "schema": member}
        for name, member in schema["properties"].items()
    ]


def bodies_of(operation: Operation) -> dict[str, Any]:
    return example_bodies(operation.game)[operation.resource.name] if operation.game else {}


def request_body(operation: Operation) -> Node:
    schema = component("schemas", f"{operation.id}-request")
    content: Node = {JSON: {"schema": schema, **examples(bodies_of(operation))}}
    if operation.resource.by_hand:
        content[notation.MEDIA_TYPE] = by_hand(operation)
    return {"required": True, "content": content}


# --- records written by hand -----------------------------------------------------------------------------------------


def by_hand(operation: Operation) -> Node:
    """A record as people write it."""
    assert operation.game is not None
    schema = text("A record as people write it, one move a line, in UTF-8. docs/notation.md has the grammar.")
    record = example_bodies(operation.game)["convert-record"]["record"]["record"]
    return {"schema": schema, "examples": {"record": {"value": notation.written(operation.game, record)}}}


# --- streams of lines ------------------------------------------------------------------------------------------------


def lines(description: str, items: Node) -> Node:
    """A text of lines; OpenAPI 3.1 has no other way to say of what each of them consists."""
    content = {"type": "array", "items": items}
    return {"description": description, "type": "string", "contentMediaType": NDJSON, "contentSchema": content}


@cache
def example_lines() -> str:
    """The beginning of a record of every game, a line each, and a line that is no record."""
    records = [example_bodies(game)["replay-record"]["record"]["record"] for game in all_games().values()]
    begun = [{**record, "moves": record["moves"][:BEGINNING]} for record in records]
    return "".join(json_text.encode(record).decode() + "\n" for record in begun) + '{"game": "chess"}\n'


def streamed_request(operation: Operation) -> Node:
    schema = component("schemas", f"{operation.id}-request")
    shown = {"examples": {"records": {"value": example_lines()}}}
    return {"required": True, "content": {NDJSON: {"schema": schema, **shown}, JSONL: {"schema": schema}}}


def streamed_request_schema() -> Node:
    records = {"anyOf": [document(game, "record") for game in all_games()]}
    return lines("Records, one a line, in UTF-8. A line that is none is answered in its place.", records)


def success(operation: Operation) -> Node:
    """The answer that is no problem."""
    resource = operation.resource
    media: Node = {"schema": component("schemas", operation.answer)}
    if resource.envelope:
        asked = bodies_of(operation)
        media |= examples({name: answered("POST", operation.path, body) for name, body in asked.items()})
    elif resource.streamed:
        media["examples"] = {"verdicts": {"value": streamed("POST", operation.path, example_lines())}}
    elif resource.media_type == JSON and resource.answer != "specification":
        values = {name: value for name, (_, value) in path_parameters(operation).items()}
        media |= examples({"answer": answered("GET", operation.path.format(**values))})
    headers = ["request-id"]
    headers += ["etag"] if resource.method == "GET" and resource.lasting else []
    headers += ["deprecation"] if resource.deprecated else []
    node: Node = {
        "description": described_answer(operation),
        "headers": {HEADERS[name]: component("headers", name) for name in headers},
        "content": {resource.media_type: media, **{form: by_hand(operation) for form in resource.forms}},
    }
    links = links_of(operation)
    return {**node, "links": links} if links else node


def described_answer(operation: Operation) -> str:
    description: str = ANSWERS[operation.resource.answer](operation.folder).get("description", "The answer.")
    return description


def not_modified(resource: Resource) -> Node:
    lasting = resource.method == "GET" and resource.lasting
    return {"304": component("responses", "not-modified")} if lasting else {}


def by_status(resource: Resource) -> dict[int, list[str]]:
    """The ids of its problems by status code."""
    found: dict[int, list[str]] = {}
    for id in resource.problems:
        found.setdefault(problems.catalogue()[id]["status"], []).append(id)
    return dict(sorted(found.items()))


def refusals(resource: Resource) -> Node:
    return {str(status): component("responses", "-or-".join(ids)) for status, ids in by_status(resource).items()}


def refusal_components() -> Node:
    """A response for each set of problems that come with one status code."""
    sets = {tuple(ids): status for resource in RESOURCES for status, ids in by_status(resource).items()}
    return {"-or-".join(ids): refusal(ids) for ids, _ in sorted(sets.items(), key=lambda item: (item[1], item[0]))}


def refusal(ids: tuple[str, ...]) -> Node:
    catalogue = problems.catalogue()
    kinds = {"type": {"enum": [addresses.problem(id) for id in ids]}}
    return {
        "description": " ".join(f"`{id}`: {catalogue[id]['title']}." for id in ids),
        "headers": {
            HEADER: component("headers", "request-id"),
            **({"Retry-After": component("headers", "retry-after")} if "busy" in ids else {}),
        },
        "content": {problems.MEDIA_TYPE: {"schema": {**common("problem"), "properties": kinds}}},
    }


# --- links -----------------------------------------------------------------------------------------------------------


STATE = "$response.body#/state"
LINKS: dict[str, dict[str, tuple[str, str, Node]]] = {
    "create-setup": {
        "draw": (
            "play-moves",
            "Have the chance drawn that is still open.",
            {"state": STATE, "moves": [], "seed": SEED},
        ),
        "legal-moves": ("list-legal-moves", "What can be done first.", {"state": STATE}),
        "audit": ("audit-state", "Examine the state.", {"state": STATE}),
        "view": ("view-document", "The state as a spectator may know it.", {"state": STATE, "seat": None}),
    },
    "list-legal-moves": {
        "play": (
            "play-moves",
            "Play the first move, if a seat decides. Of an outcome of chance it would be `/moves/0/move`.",
            {"state": "$request.body#/state", "moves": ["$response.body#/moves/0"], "seed": SEED},
        ),
        "verdict": (
            "judge-move",
            "Judge the first move, if a seat decides.",
            {"state": "$request.body#/state", "move": "$response.body#/moves/0"},
        ),
    },
    "play-moves": {
        "legal-moves": ("list-legal-moves", "What can be done next.", {"state": STATE}),
        "score": ("score-game", "The score, if the game is over.", {"state": STATE}),
        "audit": ("audit-state", "Examine the state.", {"state": STATE}),
        "view": ("view-document", "The state as a spectator may know it.", {"state": STATE, "seat": None}),
    },
    "replay-record": {
        "legal-moves": ("list-legal-moves", "What can be done where the record ends.", {"state": STATE}),
        "score": ("score-game", "The score, if the game is over.", {"state": STATE}),
    },
}
"""What can be asked after what: by operation and name of the link the next operation, why, and its body."""


def links_of(operation: Operation) -> Node:
    return {
        name: {"operationId": operation.named(to), "description": why, "requestBody": body}
        for name, (to, why, body) in LINKS.get(operation.resource.name, {}).items()
    }


# --- the whole -------------------------------------------------------------------------------------------------------


HEADERS = {"request-id": HEADER, "etag": "ETag", "deprecation": "Deprecation"}


def request_schema(operation: Operation) -> Node:
    """The body of a request; how many play is narrowed to what the game says."""
    envelope = operation.resource.envelope
    assert envelope is not None
    schema = envelope.described(lambda kind: document(operation.folder, kind))
    if operation.game and "players" in schema["properties"]:
        fewest, most = operation.game.players[0], operation.game.players[-1]
        schema["properties"]["players"] |= {"minimum": fewest, "maximum": most}
        schema["properties"]["names"] |= {"minItems": fewest, "maxItems": most}
    return schema


def schema_components() -> Node:
    """The bodies of all requests and answers; those of a game by its id."""
    found: Node = {}
    for operation in operations():
        if operation.resource.envelope:
            found[f"{operation.id}-request"] = request_schema(operation)
        if operation.resource.streamed:
            found[f"{operation.id}-request"] = streamed_request_schema()
        found[operation.answer] = ANSWERS[operation.resource.answer](operation.folder)
    return found


def tags() -> list[Node]:
    return [
        {"name": CATALOGUE, "description": "What there is."},
        *({"name": game.id, "description": game.title} for game in all_games().values()),
        {"name": ARCHIVES, "description": "Many records at once, of any games."},
        {"name": SERVICE, "description": "The service itself."},
    ]


def components() -> Node:
    since = {"description": "Since when not to use it (RFC 9745).", "schema": {"type": "string"}}
    deprecation = {"deprecation": since} if any(one.deprecated for one in RESOURCES) else {}
    return {
        "schemas": schema_components(),
        "parameters": {
            "request-id": {
                "name": HEADER,
                "in": "header",
                "description": "An id of the caller for this request; one that is no sane id is replaced.",
                "schema": {"type": "string"},
            },
            "if-none-match": {
                "name": "If-None-Match",
                "in": "header",
                "description": "The `ETag` of the answer the caller has kept.",
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
            "retry-after": {"description": "After how many seconds to ask again.", "schema": {"type": "string"}},
            **deprecation,
        },
        "responses": {
            "not-modified": {
                "description": "What the caller has kept is still right.",
                "headers": {HEADERS[name]: component("headers", name) for name in ("request-id", "etag")},
            },
            **refusal_components(),
        },
    }


def specification() -> Node:
    """The whole specification."""
    paths: Node = {}
    for operation in operations():
        paths.setdefault(operation.path, {})[operation.resource.method.lower()] = described(operation)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "capomastro",
            "version": __version__,
            "summary": "A referee for building games.",
            "description": DESCRIPTION,
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/", "description": "The server that shows this."}],
        "tags": tags(),
        "paths": paths,
        "components": components(),
    }


class Writer(yaml.SafeDumper):
    """Writes everything out, texts of several lines as blocks and examples in few lines."""

    def ignore_aliases(self, _: Any) -> bool:
        return True


def write_text(writer: Writer, value: str) -> yaml.ScalarNode:
    return writer.represent_scalar("tag:yaml.org,2002:str", value, style="|" if "\n" in value else None)


def write_example(writer: Writer, value: Example) -> yaml.MappingNode:
    return writer.represent_mapping("tag:yaml.org,2002:map", value, flow_style=True)


class Flow(list[Any]):
    """An array on few lines."""


def flowing(value: Any) -> Any:
    """A value all of whose parts are written in few lines."""
    if isinstance(value, dict):
        return Example({name: flowing(member) for name, member in value.items()})
    return Flow(map(flowing, value)) if isinstance(value, list) else value


def write_flow(writer: Writer, value: Flow) -> yaml.SequenceNode:
    return writer.represent_sequence("tag:yaml.org,2002:seq", value, flow_style=True)


Writer.add_representer(str, write_text)
Writer.add_representer(Example, write_example)
Writer.add_representer(Flow, write_flow)


def written() -> str:
    """`openapi.yaml` as it should be."""
    head = "# Made by `make openapi` from what the resources declare. Do not edit.\n"
    return head + yaml.dump(specification(), Dumper=Writer, sort_keys=False, allow_unicode=True, width=120)


if __name__ == "__main__":
    FILE.write_text(written(), "utf-8")
    sys.stdout.write(f"{FILE.name}: {len(FILE.read_text('utf-8').splitlines())} lines\n")
