"""Examples: requests, with the answers and problems of the running code.

They are made when the specification is built, and stand in no file of the tree.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from copy import deepcopy
from functools import cache
from typing import Any

from flask.testing import FlaskClient
from msgspec.structs import replace
from tools.openapi.links import SEED
from tools.openapi.nodes import Node
from tools.openapi.operations import Operation, operations, path_values
from werkzeug.test import TestResponse

from capomastro import addresses, adjudicator
from capomastro.answers import Pictures
from capomastro.api import problems
from capomastro.api.application import create_app
from capomastro.api.media_types import HTML, JSON, LINES, NDJSON, SVG
from capomastro.cli import random_play
from capomastro.documents import json_text, notation
from capomastro.documents.files import schemas_directory
from capomastro.documents.problems import Problem
from capomastro.engine import referee
from capomastro.engine.game import SCHEMA_VERSION, AnyGame
from capomastro.engine.records import Repair
from capomastro.games import all_games
from capomastro.settings import Settings
from capomastro.tables.base64url import to_base64url
from capomastro.tables.documents import opened_table, sealed_table
from capomastro.tables.draws import record_line
from capomastro.tables.keys import KeyRing
from capomastro.tables.shares import lock_of, seed_of

LONGEST_PAGE = 6_500
"""Longer pages are shortened, to keep the specification readable."""
LONG_LIST, KEPT_ITEMS = 8, 2
"""A list of objects with more items than `LONG_LIST` is cut to its first `KEPT_ITEMS`."""
SHORTENED = (
    f"Shortened: {KEPT_ITEMS} items are left of every long list of objects, and schemas are without what they refer to."
)
BEGINNING = 3
"""Number of moves of the records in examples of streams."""
MASTER = to_base64url(bytes(range(32)))
"""The key of the examples, and of the vectors in conformance: everybody knows it."""
SETTINGS = Settings(log_level="CRITICAL", sealing_keys=MASTER)


@cache
def client() -> FlaskClient:
    return create_app(SETTINGS).test_client()


def answered(method: str, path: str, body: Any = None) -> Any:
    """The answer of the running code."""
    content = None if body is None else json_text.encode(body)
    response = client().open(path, method=method, data=content, content_type=JSON, headers={"Accept": JSON})
    assert response.status_code == 200, (path, response.get_data(as_text=True))
    return json_text.decode(response.get_data())


def streamed(method: str, path: str, content: str) -> str:
    """The answer of the running code to lines."""
    response = client().open(path, method=method, data=content, content_type=NDJSON)
    assert response.status_code == 200, (path, response.get_data(as_text=True))
    return response.get_data(as_text=True)


# --- in the specification ---------------------------------------------------------------------------------------------

WITH_EXAMPLES = ("show-specification", "show-game-specification")
SPECIFICATIONS = (*WITH_EXAMPLES, "show-specification-as-yaml")
"""The operations that answer the specification itself."""


def with_examples(document: Node, games: Collection[str]) -> Node:
    """The specification of these games, with examples at every operation."""
    shown = deepcopy(document)
    head = {name: member for name, member in document.items() if name not in ("paths", "components")}
    beginning = {"description": "Shortened: without `paths` and `components`.", "value": head}
    for operation in operations():
        if operation.game is not None and operation.game.id not in games:
            continue
        node = shown["paths"][operation.path][operation.resource.method.lower()]
        values = path_values(operation)
        for parameter in node["parameters"]:
            if parameter.get("in") == "path":
                parameter["example"] = values[parameter["name"]]
        for media_type, media in node.get("requestBody", {}).get("content", {}).items():
            media.update(examples_of_requests(operation, media_type, tuple(games)))
        for media_type, media in node["responses"]["200"]["content"].items():
            if operation.resource.name in SPECIFICATIONS:
                media["examples"] = {"beginning": beginning}
            else:
                media.update(examples_of_answers(operation, media_type, tuple(games)))
        by_status: dict[str, list[str]] = {}
        for id in operation.problems:
            by_status.setdefault(str(problems.catalogue()[id]["status"]), []).append(id)
        for status, ids in by_status.items():
            node["responses"][status]["content"][problems.MEDIA_TYPE] |= examples_of_problems(operation, ids)
    return shown


def examples_of_requests(operation: Operation, media_type: str, games: tuple[str, ...]) -> Node:
    """The examples of a body of this media type."""
    if media_type in LINES:
        return {"examples": {"records": {"value": example_lines(games)}}}
    if media_type == notation.MEDIA_TYPE:
        return {"examples": {"record": {"value": record_by_hand(operation.game)}}}
    return examples(bodies_of(operation))


def examples_of_answers(operation: Operation, media_type: str, games: tuple[str, ...]) -> Node:
    """The examples of an answer of this media type; none if nothing can be drawn."""
    if media_type in LINES:
        return {"examples": {"verdicts": {"value": streamed("POST", operation.path, example_lines(games))}}}
    if media_type == notation.MEDIA_TYPE:
        return {"examples": {"record": {"value": record_by_hand(operation.game)}}}
    if media_type == SVG:
        picture = example_picture(operation)
        return {"examples": {"picture": {"value": picture}}} if picture else {}
    if media_type == HTML:
        return {"examples": {"page": {"value": start_page()}}}
    return answers_to(operation)


# --- questions -------------------------------------------------------------------------------------------------------


@cache
def example_bodies(game: AnyGame) -> dict[str, dict[str, Any]]:
    """The examples for each operation: bodies by name."""
    base = f"/v1/games/{game.id}"
    setup = {"players": game.players[0], "seed": SEED}
    begun = answered("POST", f"{base}/setups", setup)
    state = begun["state"]
    here = answered("POST", f"{base}/legal-moves", {"state": state, "limit": 1})
    move = here["moves"][0]
    refused = begun["moves"][0] if begun["moves"] else {**move, "seat": game.players[0] - 1}
    recorded = {
        "game": game.id,
        "schema_version": state["schema_version"],
        "rules_version": game.rules_version,
        "players": game.players[0],
        "options": {},
        "moves": [*begun["moves"], move],
    }
    return {
        **bodies_about_tables(game),
        "create-setup": {"drawn": {**setup, "views": [1], "legal_moves": 2}, "open": {"players": game.players[-1]}},
        "list-legal-moves": {"page": {"state": state, "limit": 3, "explain": True, "texts": True}},
        "suggest-move": {
            "planning": {"state": state, "seed": SEED, "texts": True},
            "random": {"state": state, "player": "random", "seed": SEED},
        },
        "judge-move": {
            "legal": {"state": state, "move": move},
            "refused": {"state": state, "move": refused, "nearest": 2},
        },
        "play-moves": {
            "move": {"state": state, "moves": [move], "seed": SEED, "views": [1], "legal_moves": 2},
            "with-texts": {"state": state, "moves": [move], "seed": SEED, "texts": True},
        },
        "audit-state": {"state": {"state": state}},
        "score-game": {"scoresheet": {"scoresheet": example_scoresheet(game)}},
        "replay-record": {
            "record": {"record": recorded},
            "slip": {"record": {**recorded, "moves": recorded["moves"][1:]}, "repair": Repair.CORRECT.value},
            "with-texts": {"record": {**recorded, "moves": recorded["moves"][:BEGINNING]}, "texts": True},
        },
        "convert-record": {"record": {"record": recorded}},
        "draw-pictures": {
            "state": {"state": state, "layout": "narrow", "last_moves": begun["moves"][-1:]},
            "positions": {"record": recorded, "ply": len(recorded["moves"]) - 1, "count": 2, "seat": None},
            "scoresheet": {"scoresheet": example_scoresheet(game)},
            "result": {"scoresheet": example_scoresheet(game), "result": True, "note": "Friday, 27 November"},
        },
        "sample-states": {"seat": {"state": state, "seat": 0, "seed": SEED, "count": 2}},
        "view-document": {"spectator": {"state": state, "seat": None}, "record": {"record": recorded, "seat": 0}},
    }


def bodies_about_tables(game: AnyGame) -> dict[str, dict[str, Any]]:
    """A table from its creation to its end."""
    base = f"/v1/games/{game.id}/tables"
    secrets = [letter * 42 + "A" for letter in "ABCDE"[: game.players[0]]]
    creation = {"players": game.players[0], "locks": [lock_of(secret) for secret in secrets], "nonce": SEED}
    tables = [answered("POST", base, creation)["table"]]
    for seat, secret in [*enumerate(secrets), (0, secrets[0])]:
        body = {"table": tables[-1], "seat": seat, "secret": secret, "moves": []}
        tables.append(answered("POST", f"{base}/transitions", body)["table"])
        if tables[-1]["waiting"]["for"] == "move":
            break
    begun = tables[-1]
    (seat,) = begun["waiting"]["seats"]
    view = {"table": begun, "seat": seat, "secret": secrets[seat], "legal_moves": 1}
    move = answered("POST", f"{base}/views", view)["legal_moves"]["moves"][0]
    finished = finished_table(game, begun)
    opener = {"seat": finished["waiting"]["seats"][0]}
    return {
        "create-table": {"two": creation},
        "view-table": {"seat": view, "spectator": {"table": tables[0], "seat": None}},
        "advance-table": {
            "move": {"table": begun, "seat": seat, "secret": secrets[seat], "moves": [move]},
            "join": {"table": tables[0], "seat": 0, "secret": secrets[0], "moves": []},
        },
        "open-game": {"finished": {"table": finished, **opener, "secret": secrets[opener["seat"]]}},
    }


def finished_table(game: AnyGame, begun: dict[str, Any]) -> Any:
    """The table of a game that was played to its end by random moves."""
    keys = KeyRing([MASTER])
    table = opened_table(game, keys, begun)
    lines = [table.record]
    state = table.state
    for ply in random_play.play_out(game, state, seed_of(table.root, table.shares)):
        lines.append(record_line(game, referee.as_seen(ply.move, referee.sole_witness(game, state), None)))
        state = ply.after
    done = replace(table, state=state, record="".join(lines))
    return json_text.decode(json_text.encode(sealed_table(game, keys.sealing, done)))


def example_scoresheet(game: AnyGame) -> Any:
    return json_text.decode((schemas_directory() / game.id / "scoresheet.json").read_bytes())["examples"][0]


def bodies_of(operation: Operation) -> dict[str, Any]:
    return example_bodies(operation.game)[operation.resource.name] if operation.game else {}


@cache
def example_lines(games: tuple[str, ...]) -> str:
    """The beginning of a record of each game, a line each, and a line that is no record."""
    records = [example_bodies(all_games()[game])["replay-record"]["record"]["record"] for game in games]
    begun = [{**record, "moves": record["moves"][:BEGINNING]} for record in records]
    return "".join(json_text.encode(record).decode() + "\n" for record in begun) + '{"game": "chess"}\n'


def record_by_hand(game: AnyGame | None) -> str:
    """The example of a record in text notation."""
    assert game is not None
    return notation.written(game, example_bodies(game)["convert-record"]["record"]["record"])


def examples(values: Mapping[str, Any]) -> Node:
    """The member `examples` of a body."""
    return {"examples": {name: {"value": value} for name, value in values.items()}} if values else {}


@cache
def answers_to(operation: Operation) -> Node:
    """The answers of the running code to the examples for an operation."""
    if operation.resource.envelope:
        answers = {name: answered("POST", operation.path, body) for name, body in bodies_of(operation).items()}
        if operation.resource.answer is Pictures:
            answers = {
                name: {**answer, "pictures": list(map(begun, answer["pictures"]))} for name, answer in answers.items()
            }
        if operation.resource.sealed:  # the answer about a finished game is long
            return {"examples": {name: answer_or_beginning(answer) for name, answer in answers.items()}}
        return examples(answers)
    return page_of(operation)


def begun(picture: str) -> str:
    """The beginning of a picture; a whole one has some 50,000 characters."""
    return picture[: picture.index("<style>")] + "…"


@cache
def example_picture(operation: Operation) -> str | None:
    """The beginning of the picture of the first example; None if nothing can be drawn."""
    response = client().open(**plain_request(operation), headers={"Accept": SVG})
    return begun(response.get_data(as_text=True)) if response.mimetype == SVG else None


def start_page() -> str:
    """The beginning of the page that a browser gets at `/`."""
    page = client().get("/", headers={"Accept": HTML}).get_data(as_text=True)
    return page[: page.index("</title>")] + "</title>\n…"


def page_of(operation: Operation) -> Node:
    """The answer to GET."""
    path = operation.path.format(**path_values(operation))
    return {"examples": {"answer": answer_or_beginning(answered("GET", path))}}


def answer_or_beginning(answer: Any) -> Node:
    """An answer as an example, shortened if it is long or has references that could be mistaken for our own."""
    short = without_references(answer)
    if len(json_text.encode(short)) > LONGEST_PAGE:
        short = shortened(short)
    return {**({} if short == answer else {"description": SHORTENED}), "value": short}


def without_references(value: Any) -> Any:
    """A value without the objects in it that refer to a schema."""
    if isinstance(value, list):
        return [without_references(item) for item in value if not refers(item)]
    if isinstance(value, dict):
        return {name: without_references(member) for name, member in value.items() if not refers(member)}
    return value


def refers(value: Any) -> bool:
    """Whether a value is a schema that refers to another, or an array of such, so that too little would be left."""
    return isinstance(value, dict) and ("$ref" in value or refers(value.get("items")))


def shortened(value: Any) -> Any:
    """A value with the first items of each long list of objects in it."""
    if isinstance(value, list):
        is_long = len(value) > LONG_LIST and all(isinstance(item, dict) for item in value)
        return [shortened(item) for item in (value[:KEPT_ITEMS] if is_long else value)]
    return {name: shortened(member) for name, member in value.items()} if isinstance(value, dict) else value


# --- problems --------------------------------------------------------------------------------------------------------


Request = dict[str, Any]
"""A request: `path`, `method`, and arguments of the test client."""

NOT_PROVOKED = {
    "bad-request": "The body is incomplete, or its chunks violate HTTP.",
    "no-sealing": "Sealed tables need a service: this referee runs where nothing can be sealed.",
    "too-long": "The game is too long: documents could not hold the numbers that follow.",
    "internal": "The log has the cause, under the id in the X-Request-Id header.",
    "not-ready": "The schemas could not be loaded.",
    "too-costly": f"The answer would take more than {SETTINGS.deadline} s of CPU time.",
    "too-many-requests": "The clients at this address have used up their CPU time. Ask again in 7 s.",
    "busy": f"This process already serves {SETTINGS.maximum_streams} streams.",
}
"""The details of problems that no small request causes."""


def examples_of_problems(operation: Operation, ids: list[str]) -> Node:
    """The problems of the running code, by id."""
    return {"examples": {id: {"value": example_of_problem(operation, id)} for id in ids}}


@cache
def example_of_problem(operation: Operation, id: str) -> Any:
    """A problem of this operation, from the running code.

    Raises:
        AssertionError: if the request does not have this problem.
    """
    if id in NOT_PROVOKED:
        return problems.document_of(Problem(id, NOT_PROVOKED[id]))
    answer: TestResponse = client().open(**{**plain_request(operation), **PROVOKING[id](operation)})
    document = json_text.decode(answer.get_data())
    assert document.get("type") == addresses.problem(id), (operation.id, id, document)
    return document


def plain_request(operation: Operation) -> Request:
    """A request without a problem."""
    path = operation.path.format(**path_values(operation))
    request: Request = {"path": path, "method": operation.resource.method}
    if operation.resource.name in WITH_EXAMPLES:  # those with examples are still being built
        return {**request, "query_string": "examples=false"}
    if operation.resource.envelope:
        return {**request, **sending(first_body(operation))}
    return (
        {**request, "data": example_lines(tuple(all_games())), "content_type": NDJSON}
        if operation.resource.streamed
        else request
    )


def sending(body: Any) -> Request:
    return {"data": json_text.encode(body), "content_type": JSON}


def first_body(operation: Operation) -> dict[str, Any]:
    body: dict[str, Any] = next(iter(bodies_of(operation).values()))
    return body


def changed(operation: Operation, change: Callable[[Any], Any]) -> Request:
    """The request with another document."""
    body = first_body(operation)
    if "table" in body:
        return sending({**body, "moves": [change(body["moves"][0])]})
    name = next((name for name in ("state", "record", "scoresheet") if name in body), "options")
    return sending({**body, name: change(body.get(name, {}))})


def without_a_member(document: dict[str, Any]) -> Any:
    """A document of the wrong shape."""
    for name in ("ply", "players", "seats"):
        if name in document:
            return {member: value for member, value in document.items() if member != name}
    return {**document, "unknown": 1}


def other_version(operation: Operation) -> Request:
    body = first_body(operation)
    if "table" in body:
        return resealed(operation, schema_version=SCHEMA_VERSION + 1)
    return changed(operation, of_other_version)


def resealed(operation: Operation, **changes: Any) -> Request:
    """The request with a table whose sealed texts were created for another one."""
    game = operation.game
    assert game is not None
    body = first_body(operation)
    keys = KeyRing([MASTER])
    table = opened_table(game, keys, body["table"])
    other = replace(table, creation=replace(table.creation, **changes))
    return sending({**body, "table": json_text.decode(json_text.encode(sealed_table(game, keys.sealing, other)))})


def of_other_version(document: dict[str, Any]) -> Any:
    return {**document, "schema_version": document["schema_version"] + 1}


def wrong_names(operation: Operation) -> Request:
    """A request with one name too many; in a set-up, names are beside the options."""
    assert operation.game is not None
    body = first_body(operation)
    names = ["Ada", "Bruno", "Chiara", "Dario", "Elsa"][: operation.game.players[0] + 1]
    if "players" in body:
        return sending({**body, "names": names})
    if "scoresheet" in body:
        return sending({"state": {**state_of(operation), "names": names}})
    return changed(operation, lambda document: {**document, "names": names})


def impossible_state(operation: Operation) -> Request:
    """The first state found that has a valid shape but is impossible."""
    game = operation.game
    assert game is not None
    state = example_bodies(game)["audit-state"]["state"]["state"]
    found = next(one for one in doubled(state) if has_findings(game, one))
    return sending({**first_body_with(operation, "state"), "state": found})


def first_body_with(operation: Operation, member: str) -> dict[str, Any]:
    """The first example with this member, without any other document."""
    bodies = bodies_of(operation).values()
    return next((body for body in bodies if member in body), {})


def has_findings(game: AnyGame, state: Any) -> bool:
    try:
        return bool(adjudicator.audit(game, state).findings)
    except Problem:
        return False


def impossible_scoresheet(operation: Operation) -> Request:
    """The first scoresheet found that has a valid shape but is impossible."""
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
    """A move of chance where a player decides; a record without one of its moves; at a table, the same move again."""
    assert operation.game is not None
    body = first_body(operation)
    if "table" in body:
        return sending({**body, "moves": body["moves"] * 9})
    if "moves" in body:
        refused = example_bodies(operation.game)["judge-move"]["refused"]["move"]
        return sending({**body, "moves": [refused]})
    return sending(
        {**example_bodies(operation.game)["replay-record"]["slip"], "seat": None}
        if "record" in body
        else {"record": example_bodies(operation.game)["replay-record"]["slip"]["record"], "seat": None}
    )


def other_path(operation: Operation) -> Request:
    unknown = dict.fromkeys(path_values(operation), "unknown")
    if "rule" in unknown:
        unknown["rule"] = f"{operation.folder}.unknown.rule"
    return {"path": operation.path.format(**unknown)}


def other_game(operation: Operation) -> Request:
    other = next(id for id in all_games() if id != operation.folder)
    if "table" in first_body(operation):
        return resealed(operation, game=other)
    return changed(operation, lambda document: {**document, "game": other})


def no_such_seat(operation: Operation) -> Request:
    body = first_body(operation)
    return sending({**body, "views": [9]} if "views" in body else {**body, "seat": 9})


def too_large(operation: Operation) -> Request:
    most = SETTINGS.maximum_record_bytes if operation.resource.record else SETTINGS.maximum_state_bytes
    return {"data": b" " * (most + 1), "content_type": JSON}


def wrong_envelope(operation: Operation) -> Request:
    if operation.resource.streamed:
        return {"query_string": "repair=all"}
    return sending({"unknown": 1}) if operation.resource.envelope else {"query_string": "unknown=1"}


def unfinished(operation: Operation) -> Request:
    body = first_body(operation)
    if "table" not in body:
        drawn = {"result": True} if operation.resource.answer is Pictures else {}
        return sending({"state": state_of(operation), **drawn})
    assert operation.game is not None
    begun = example_bodies(operation.game)["view-table"]["seat"]
    return sending({name: begun[name] for name in body})


def at_chance(operation: Operation) -> Request:
    """The state of a game in which nothing has been drawn yet."""
    assert operation.game is not None
    begun = answered("POST", f"/v1/games/{operation.game.id}/setups", {"players": operation.game.players[0]})
    return sending({"state": begun["state"]})


def not_awaited(operation: Operation) -> Request:
    """A seat that is not awaited wants to open the game; or the deciding seat makes no move."""
    body = first_body(operation)
    if "moves" in body:
        return sending({**body, "moves": []})
    awaited = body["table"]["waiting"]["seats"]
    last = next(seat for seat in range(body["table"]["creation"]["players"]) if seat not in awaited)
    return sending({**body, "seat": last, "secret": "ABCDE"[last] * 42 + "A"})


PROVOKING: dict[str, Callable[[Operation], Request]] = {
    "malformed-json": lambda _: {"data": b'{"state": ', "content_type": JSON},
    "malformed-notation": lambda _: {"data": "players: two players\n", "content_type": notation.MEDIA_TYPE},
    "not-found": other_path,
    "not-acceptable": lambda _: {"headers": {"Accept": "image/png"}},
    "precondition-failed": lambda _: {"headers": {"If-Match": '"another"'}},
    "too-large": too_large,
    "unsupported-media-type": lambda _: {"data": b"players=2", "content_type": "application/x-www-form-urlencoded"},
    "envelope": wrong_envelope,
    "shape": lambda operation: changed(operation, without_a_member),
    "other-game": other_game,
    "other-version": other_version,
    "options": wrong_names,
    "impossible-state": impossible_state,
    "impossible-scoresheet": impossible_scoresheet,
    "illegal-move": illegal_move,
    "cursor": lambda operation: sending({**first_body(operation), "cursor": "100-minimal"}),
    "unfinished": unfinished,
    "no-suggestion": at_chance,
    "foreign-table": lambda operation: sending(
        {**first_body(operation), "table": {**first_body(operation)["table"], "id": "0" * 64}}
    ),
    "wrong-secret": lambda operation: sending({**first_body(operation), "secret": "Z" * 42 + "A"}),
    "not-awaited": not_awaited,
    "no-such-seat": no_such_seat,
    "no-such-ply": lambda operation: sending({**first_body_with(operation, "record"), "ply": 9_999}),
}
"""The changes to a valid request that cause a problem, by its id."""


def state_of(operation: Operation) -> Any:
    assert operation.game is not None
    return example_bodies(operation.game)["audit-state"]["state"]["state"]
