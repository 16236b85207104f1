"""Examples: requests, and what the running code answers to them. What is refused is refused by the running code too."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

from flask.testing import FlaskClient
from tools.openapi.nodes import Node
from tools.openapi.operations import Operation, path_parameters
from tools.openapi.writing import flowing
from werkzeug.test import TestResponse

from capomastro import addresses, adjudicator
from capomastro.api import problems
from capomastro.api.application import create_app
from capomastro.api.declarations import JSON, NDJSON
from capomastro.documents import json_text, notation
from capomastro.documents.files import schemas_directory
from capomastro.documents.problems import Problem
from capomastro.engine.game import AnyGame
from capomastro.engine.records import Repair
from capomastro.games import all_games
from capomastro.settings import Settings

SEED = "example"
LONGEST_PAGE = 6_500
"""Pages of more characters are not shown: the specification is to be read."""
BEGINNING = 3
"""So many moves have the records in examples of streams."""
SETTINGS = Settings(log_level="CRITICAL")


@cache
def client() -> FlaskClient:
    return create_app(SETTINGS).test_client()


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


# --- questions -------------------------------------------------------------------------------------------------------


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
    return {
        "create-setup": {"drawn": setup, "open": {"players": game.players[-1]}},
        "list-legal-moves": {"page": {"state": state, "limit": 3, "explain": True}},
        "judge-move": {"legal": {"state": state, "move": move}, "refused": {"state": state, "move": begun["moves"][0]}},
        "play-moves": {"move": {"state": state, "moves": [move], "seed": SEED, "views": [1], "legal_moves": 2}},
        "audit-state": {"state": {"state": state}},
        "score-game": {"scoresheet": {"scoresheet": example_scoresheet(game)}},
        "replay-record": {
            "record": {"record": recorded},
            "slip": {"record": {**recorded, "moves": recorded["moves"][1:]}, "repair": Repair.CORRECT.value},
        },
        "convert-record": {"record": {"record": recorded}},
        "view-document": {"spectator": {"state": state, "seat": None}, "record": {"record": recorded, "seat": 0}},
    }


def example_scoresheet(game: AnyGame) -> Any:
    return json_text.decode((schemas_directory() / game.id / "scoresheet.json").read_bytes())["examples"][0]


def bodies_of(operation: Operation) -> dict[str, Any]:
    return example_bodies(operation.game)[operation.resource.name] if operation.game else {}


@cache
def example_lines() -> str:
    """The beginning of a record of every game, a line each, and a line that is no record."""
    records = [example_bodies(game)["replay-record"]["record"]["record"] for game in all_games().values()]
    begun = [{**record, "moves": record["moves"][:BEGINNING]} for record in records]
    return "".join(json_text.encode(record).decode() + "\n" for record in begun) + '{"game": "chess"}\n'


def record_by_hand(game: AnyGame) -> str:
    """The example of a record as people write it."""
    return notation.written(game, example_bodies(game)["convert-record"]["record"]["record"])


def examples(values: Mapping[str, Any]) -> Node:
    """The member `examples` of a body."""
    return {"examples": {name: {"value": flowing(value)} for name, value in values.items()}} if values else {}


def answers_to(operation: Operation) -> Node:
    """What the running code answers to the examples of an operation."""
    if operation.resource.envelope:
        asked = bodies_of(operation)
        return examples({name: answered("POST", operation.path, body) for name, body in asked.items()})
    if operation.resource.streamed:
        return {"examples": {"verdicts": {"value": streamed("POST", operation.path, example_lines())}}}
    return examples(page_of(operation))


def page_of(operation: Operation) -> dict[str, Any]:
    """What GET answers, unless it is too long, no JSON, or a schema whose references would be taken for ours."""
    if operation.resource.media_type != JSON or operation.resource.name == "show-specification":
        return {}
    values = {name: value for name, (_, value) in path_parameters(operation).items()}
    page = answered("GET", operation.path.format(**values))
    written = json_text.encode(page).decode()
    return {} if len(written) > LONGEST_PAGE or '"$ref"' in written else {"answer": page}


# --- problems --------------------------------------------------------------------------------------------------------


Request = dict[str, Any]
"""What is sent: `path`, `method`, and arguments of the test client."""

NOT_PROVOKED = {
    "bad-request": "The body breaks off, or its chunks are not what HTTP says.",
    "too-long": "The game has become so long that documents could not tell how it goes on.",
    "internal": "The log has the cause, under the id in the header X-Request-Id.",
    "not-ready": "The schemas could not be compiled.",
    "deadline": f"The answer would take more than {SETTINGS.deadline} s of computing.",
    "busy": f"{SETTINGS.maximum_streams} streams are served here already.",
}
"""Problems that no small request brings about, by their details."""


def examples_of_problems(operation: Operation, ids: list[str]) -> Node:
    """What the running code answers, a problem each."""
    return {"examples": {id: {"value": flowing(example_of_problem(operation, id))} for id in ids}}


def example_of_problem(operation: Operation, id: str) -> Any:
    """A problem that this operation can answer with, as the running code does.

    Raises:
        AssertionError: if it does not.
    """
    if id in NOT_PROVOKED:
        return problems.document_of(Problem(id, NOT_PROVOKED[id]))
    answer: TestResponse = client().open(**{**plain_request(operation), **PROVOKING[id](operation)})
    document = json_text.decode(answer.get_data())
    assert document.get("type") == addresses.problem(id), (operation.id, id, document)
    return document


def plain_request(operation: Operation) -> Request:
    """A request that is answered."""
    values = {name: value for name, (_, value) in path_parameters(operation).items()}
    request: Request = {"path": operation.path.format(**values), "method": operation.resource.method}
    if operation.resource.envelope:
        return {**request, **sending(first_body(operation))}
    return {**request, "data": example_lines(), "content_type": NDJSON} if operation.resource.streamed else request


def sending(body: Any) -> Request:
    return {"data": json_text.encode(body), "content_type": JSON}


def first_body(operation: Operation) -> dict[str, Any]:
    body: dict[str, Any] = next(iter(bodies_of(operation).values()))
    return body


def changed(operation: Operation, change: Callable[[Any], Any]) -> Request:
    """The request with another document."""
    body = first_body(operation)
    name = next((name for name in ("state", "record", "scoresheet") if name in body), "options")
    return sending({**body, name: change(body.get(name, {}))})


def without_a_member(document: dict[str, Any]) -> Any:
    """A document of the wrong shape."""
    for name in ("ply", "players", "seats"):
        if name in document:
            return {member: value for member, value in document.items() if member != name}
    return {**document, "unknown": 1}


def of_other_version(document: dict[str, Any]) -> Any:
    return {**document, "schema_version": document["schema_version"] + 1}


def wrong_names(operation: Operation) -> Request:
    """One name too many; a set-up has them beside the options."""
    assert operation.game is not None
    body = first_body(operation)
    names = ["Ada", "Bruno", "Chiara", "Dario", "Elsa"][: operation.game.players[0] + 1]
    if "players" in body:
        return sending({**body, "names": names})
    if "scoresheet" in body:
        return sending({"state": {**state_of(operation), "names": names}})
    return changed(operation, lambda document: {**document, "names": names})


def impossible_state(operation: Operation) -> Request:
    """The first state found that has the valid shape and cannot be."""
    game = operation.game
    assert game is not None
    state = example_bodies(game)["audit-state"]["state"]["state"]
    found = next(one for one in doubled(state) if has_findings(game, one))
    return sending({**first_body_with(operation, "state"), "state": found})


def first_body_with(operation: Operation, member: str) -> dict[str, Any]:
    """The first example with this member; where only another one has a document, without that."""
    bodies = bodies_of(operation).values()
    return next((body for body in bodies if member in body), {})


def has_findings(game: AnyGame, state: Any) -> bool:
    try:
        return bool(adjudicator.audit(game, state)["findings"])
    except Problem:
        return False


def impossible_scoresheet(operation: Operation) -> Request:
    """The first scoresheet found that has the valid shape and cannot be."""
    assert operation.game is not None
    example = example_scoresheet(operation.game)
    lacking = ({name: value for name, value in example.items() if name != left_out} for left_out in example)
    for sheet in (*doubled(example), *lacking):
        try:
            adjudicator.score_scoresheet(operation.game, sheet)
        except Problem as problem:
            if problem.id == "impossible-scoresheet":
                return sending({"scoresheet": sheet})
    raise AssertionError(f"no impossible scoresheet of {operation.game.id} was found")


def doubled(document: Any) -> Iterator[Any]:
    """The document with one of its lists of tokens twice as long, or one of its numbers larger, each in turn."""
    if isinstance(document, list):
        if document and all(isinstance(item, str | int) for item in document):
            yield [*document, *document]
        for index, item in enumerate(document):
            for other in doubled(item):
                yield [*document[:index], other, *document[index + 1 :]]
    elif isinstance(document, dict):
        for name, member in document.items():
            if type(member) is int and name not in ("schema_version", "rules_version", "ply"):
                yield {**document, name: member + 5}
            for other in doubled(member):
                yield {**document, name: other}


def illegal_move(operation: Operation) -> Request:
    """A move of chance where a player decides; in a record, a move left out."""
    assert operation.game is not None
    body = first_body(operation)
    if "moves" in body:
        refused = example_bodies(operation.game)["judge-move"]["refused"]["move"]
        return sending({**body, "moves": [refused]})
    return sending(
        {**example_bodies(operation.game)["replay-record"]["slip"], "seat": None}
        if "record" in body
        else {"record": example_bodies(operation.game)["replay-record"]["slip"]["record"], "seat": None}
    )


def other_path(operation: Operation) -> Request:
    unknown = dict.fromkeys(path_parameters(operation), "unknown")
    if "rule" in unknown:
        unknown["rule"] = f"{operation.folder}.unknown.rule"
    return {"path": operation.path.format(**unknown)}


def other_game(operation: Operation) -> Request:
    other = next(id for id in all_games() if id != operation.folder)
    return changed(operation, lambda document: {**document, "game": other})


def no_such_seat(operation: Operation) -> Request:
    body = first_body(operation)
    return sending({**body, "views": [9]} if "views" in body else {**body, "seat": 9})


def too_large(operation: Operation) -> Request:
    most = SETTINGS.maximum_record_bytes if operation.resource.record else SETTINGS.maximum_state_bytes
    return {"data": b" " * (most + 1), "content_type": JSON}


def wrong_envelope(operation: Operation) -> Request:
    return {"query_string": "repair=all"} if operation.resource.streamed else sending({"unknown": 1})


PROVOKING: dict[str, Callable[[Operation], Request]] = {
    "malformed-json": lambda _: {"data": b'{"state": ', "content_type": JSON},
    "malformed-notation": lambda _: {"data": "players: two players\n", "content_type": notation.MEDIA_TYPE},
    "not-found": other_path,
    "not-acceptable": lambda _: {"headers": {"Accept": "image/png"}},
    "too-large": too_large,
    "unsupported-media-type": lambda _: {"data": b"players=2", "content_type": "application/x-www-form-urlencoded"},
    "envelope": wrong_envelope,
    "shape": lambda operation: changed(operation, without_a_member),
    "other-game": other_game,
    "other-version": lambda operation: changed(operation, of_other_version),
    "options": wrong_names,
    "impossible-state": impossible_state,
    "impossible-scoresheet": impossible_scoresheet,
    "illegal-move": illegal_move,
    "cursor": lambda operation: sending({**first_body(operation), "cursor": "100-minimal"}),
    "unfinished": lambda operation: sending({"state": state_of(operation)}),
    "no-such-seat": no_such_seat,
}
"""What brings a problem about, by its id: what of a request that is answered has to be another."""


def state_of(operation: Operation) -> Any:
    assert operation.game is not None
    return example_bodies(operation.game)["audit-state"]["state"]["state"]
