"""Hostile and mistaken requests: each gets its own typed problem, never a 500."""

import ast
import gzip
from collections.abc import Callable, Iterator
from copy import deepcopy
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from jsonschema_rs import Draft202012Validator
from tools.openapi.bodies import body_schema

import capomastro
from capomastro.api import problems
from capomastro.api.application import create_app
from capomastro.api.resources import RESOURCES
from capomastro.documents import json_text
from capomastro.games import all_games
from capomastro.settings import Settings
from tests.api.asking import Asker, pointers, problem_in

QUESTIONS = [one for one in RESOURCES if one.envelope]
"""Streams are tested in `test_streams`."""
every_question = pytest.mark.parametrize("path", [one.path.format(game="palazzo") for one in QUESTIONS])


# --- what is not JSON ------------------------------------------------------------------------------------------------

NOT_JSON = {
    "empty": b"",
    "blank": b"  ",
    "truncated": b'{"state": {"game":',
    "trailing": b'{"state": 1} {"state": 1}',
    "trailing comma": b'{"state": [1,]}',
    "comment": b'{"state": 1 /* one */}',
    "NaN": b'{"state": NaN}',
    "Infinity": b'{"state": -Infinity}',
    "duplicate names": b'{"state": 1, "state": 2}',
    "duplicate names deep down": b'{"state": {"seats": [{"hand": 1, "hand": 2}]}}',
    "duplicate names, one escaped": b'{"state": 1, "\\u0073tate": 2}',
    "10,000 deep": b'{"state": ' + b"[" * 10_000 + b"]" * 10_000 + b"}",
    "10,000 deep, never closed": b'{"a":' * 10_000,
    "just too deep": b"[" * 33 + b"]" * 33,
    "deep, balanced by brackets in strings": b'["]",' * 900 + b"1" + b',"["]' * 900,
    "deep, balanced by brackets in strings next to each other": b'["]","",' * 40 + b"1" + b',"","["]' * 40,
    "deep, balanced by brackets behind an escape": b'["\\"]",' * 40 + b"1" + b',"\\"["]' * 40,
    "just too deep, arrays in objects": b'{"a":[' * 17 + b"]}" * 17,
    "5,000 digits": b'{"state": ' + b"7" * 5_000 + b"}",
    "5,000 digits after an escape": b'{"\\u0073tate": ' + b"7" * 5_000 + b"}",
    "1.0": b'{"players": 3.0}',
    "1e0": b'{"players": 3e0}',
    "lone surrogate": b'{"state": "\\ud800"}',
    "lone surrogate in UTF-8": b'{"state": "\xed\xa0\x80"}',
    "not UTF-8": b'{"state": "\xe9"}',
    "UTF-16": '{"players": 3}'.encode("utf-16"),
    "byte order mark": b'\xef\xbb\xbf{"players": 3}',
    "control character": b'{"state": "\x01"}',
    "single quotes": b"{'players': 3}",
    "a form": b"players=3",
}


@pytest.mark.parametrize("body", NOT_JSON.values(), ids=NOT_JSON)
def test_malformed_json(ask: Asker, body: bytes) -> None:
    for path in ("setups", "legal-moves", "replays"):
        assert ask.refused(path, body)["id"] == "malformed-json", path


ODD_JSON = {
    "null": b"null",
    "a number": b"3",
    "a list": b"[]",
    "a text": b'"state"',
    "true": b"true",
    "nothing in it": b"{}",
    "unknown": b'{"plyers": 3}',
    "a huge integer": b'{"players": 18446744073709551616, "state": 1}',
    "brackets in a text": b'{"a": "' + b"[" * 10_000 + b'"}',
    "as deep as it may be": b'{"a":[' * 16 + b"]}" * 16,
    "a long name": b'{"' + b"a" * 10_000 + b'": 1}',
    "a name to be escaped": b'{"a/b~c": 1}',
    "null character": b'{"\\u0000": 1}',
}


@every_question
def test_json_that_is_not_a_request(ask: Asker, path: str) -> None:
    for name, body in ODD_JSON.items():
        problem = ask.refused(path, body)
        assert problem["id"] == "envelope", name
        assert len(json_text.encode(problem)) < 2_000, name


# --- media types and sizes -------------------------------------------------------------------------------------------


OTHER_TYPES = ("text/plain", "application/xml", "", "application/json; charset=latin-1", "application/jsonp", "json")


@every_question
def test_other_media_types(ask: Asker, path: str) -> None:
    for other in OTHER_TYPES:
        assert ask.refused(path, {"players": 3}, **{"Content-Type": other})["id"] == "unsupported-media-type", other


@pytest.mark.parametrize(
    "content_type", ["application/json", "application/json; charset=utf-8", "Application/JSON;charset=UTF-8"]
)
def test_media_types_for_json_are_accepted(ask: Asker, content_type: str) -> None:
    assert ask.send("setups", {"players": 3}, **{"Content-Type": content_type}).status_code == 200


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "zstd", "x"])
def test_compressed_bodies_are_not_read(ask: Asker, encoding: str) -> None:
    bomb = gzip.compress(b" " * 10_000_000)
    response = ask.send("setups", bomb, **{"Content-Encoding": encoding})
    assert problem_in(response)["id"] == "unsupported-media-type"
    assert response.headers["Accept-Encoding"] == "identity"


@pytest.fixture(scope="module")
def narrow() -> Iterator[FlaskClient]:
    """A service with low limits."""
    app = create_app(Settings(maximum_state_bytes=2_000, maximum_record_bytes=4_000, maximum_moves=3))
    with app.test_client() as client:
        yield client


@pytest.mark.parametrize("resource", QUESTIONS, ids=lambda one: one.name)
@pytest.mark.parametrize("with_length", [True, False], ids=["Content-Length", "chunked"])
def test_too_large(narrow: FlaskClient, resource: Any, with_length: bool) -> None:
    most = 4_000 if resource.record else 2_000
    for size, id in ((most, "envelope"), (most + 1, "too-large")):
        body = b'{"none":"' + b"x" * (size - 11) + b'"}'
        assert len(body) == size
        headers = {"Content-Type": "application/json"} | ({} if with_length else {"Transfer-Encoding": "chunked"})
        environment = {} if with_length else {"CONTENT_LENGTH": "", "wsgi.input_terminated": True}
        response = narrow.post(
            resource.path.format(game="palazzo"),
            input_stream=BytesIO(body),
            headers=headers,
            content_length=size if with_length else None,
            environ_overrides=environment,
        )
        assert problem_in(response)["id"] == id


class BrokenStream(BytesIO):
    """A body that the server cannot read to its end."""

    def readinto(self, _: Any) -> int:
        raise RuntimeError("bad chunk: red-7")


@pytest.mark.parametrize("stream", [BrokenStream(), BytesIO(b'{"players": 3}')], ids=["badly framed", "too short"])
def test_bodies_that_break_off(client: FlaskClient, stream: BytesIO) -> None:
    """The part that arrived is not examined, even if it is JSON."""
    environment = {"CONTENT_LENGTH": "50", "wsgi.input_terminated": True}
    path = "/v1/games/palazzo/setups"
    response = client.post(path, input_stream=stream, content_type="application/json", environ_overrides=environment)
    assert problem_in(response)["id"] == "bad-request"


def test_too_many_moves(narrow: FlaskClient, auction: dict[str, Any], record: dict[str, Any]) -> None:
    ask = Asker(narrow)
    assert pointers(ask.refused("transitions", {"state": 1, "moves": [1] * 4})) == ["/moves"]
    assert pointers(ask.refused("pictures", {"state": 1, "last_moves": [1] * 4})) == ["/last_moves"]
    assert pointers(ask.refused("replays", {"record": {**record, "moves": [1] * 4}})) == ["/record/moves"]
    assert ask.refused("transitions", {"state": 1, "moves": [1] * 3})["id"] == "shape"


def test_methods(client: FlaskClient) -> None:
    for path, allowed in (("/v1/games", {"GET", "HEAD", "OPTIONS"}), ("/v1/games/palazzo/audits", {"POST", "OPTIONS"})):
        for method in {"GET", "POST", "PUT", "PATCH", "DELETE", "TRACE"} - allowed:
            response = client.open(path, method=method)
            assert problem_in(response)["id"] == "method-not-allowed"
            assert set(response.headers["Allow"].split(", ")) == allowed


@pytest.mark.parametrize(
    "accept",
    [
        "text/html",
        "application/xml",
        "application/json;q=0",
        "application/yaml;q=0, application/json;q=0, */*",
        "image/*",
        "nonsense",
    ],
)
def test_unacceptable_media_types(client: FlaskClient, accept: str) -> None:
    for response in (
        client.get("/v1/games", headers={"Accept": accept}),
        client.post("/v1/games/palazzo/setups", json={"players": 3}, headers={"Accept": accept}),
        client.get("/openapi.yaml", headers={"Accept": accept}),
    ):
        assert problem_in(response)["id"] == "not-acceptable"


@pytest.mark.parametrize(
    "accept",
    [
        "",
        "*/*",
        "application/json",
        "application/*",
        "text/html, */*;q=0.1",
        "application/problem+json, application/json",
        "application/json; charset=utf-8",
        'text/html;q=0.9, application/json;charset="UTF-8";q=0.2',
    ],
)
def test_acceptable_media_types_are_answered(client: FlaskClient, accept: str) -> None:
    assert client.get("/v1/games", headers={"Accept": accept}).status_code == 200


@pytest.mark.parametrize(
    ("accept", "preferred"),
    [
        ("image/svg+xml;q=0.9, application/json;q=0.1, */*", "image/svg+xml"),
        ("image/svg+xml;q=0.1, application/json;q=0.9, */*", "application/json"),
        ("image/svg+xml;q=0.5, application/json; charset=utf-8;q=0.9", "application/json"),
        ("image/*, application/json;q=0.9", "image/svg+xml"),
        ("*/*, application/json;q=0", "image/svg+xml"),
    ],
)
def test_the_preferred_media_type_is_answered(client: FlaskClient, accept: str, preferred: str) -> None:
    path = "/v1/games/palazzo/rules/palazzo.scoring.windows"
    assert client.get(path, headers={"Accept": accept}).mimetype == preferred


def described(path: str) -> Draft202012Validator:
    """The schema of a body in the specification, with any documents allowed in it."""
    (envelope,) = (one.envelope for one in QUESTIONS if one.path == f"/v1/games/{{game}}/{path}" and one.envelope)
    return Draft202012Validator(body_schema(envelope, lambda kind: {}))


def test_right_members_are_right_in_the_specification() -> None:
    for path, body in {
        "setups": {"players": 2, "names": ["a", "b"], "options": {}, "seed": ""},
        "legal-moves": {"state": {}, "limit": 1000, "cursor": "x", "payments": "all", "explain": True},
        "suggestions": {"state": {}, "player": "random", "seed": "", "texts": True},
        "verdicts": {"state": {}, "move": {}},
        "transitions": {"state": {}, "moves": [], "seed": "7", "views": [0, None], "legal_moves": 1},
        "samples": {"state": {}, "seat": 0, "seed": "7", "count": 100},
        "audits": {"state": {}},
        "scores": {"scoresheet": {}},
        "replays": {"record": {}, "under_current_rules": False},
        "views": {"record": {}, "seat": None},
    }.items():
        assert described(path).is_valid(body), path


# --- envelopes -------------------------------------------------------------------------------------------------------

WRONG_MEMBERS: dict[str, tuple[str, dict[str, Any], list[str]]] = {
    "players as text": ("setups", {"players": "3"}, ["/players"]),
    "players as truth": ("setups", {"players": True}, ["/players"]),
    "players null": ("setups", {"players": None}, ["/players"]),
    "no players at all": ("setups", {"players": 0}, ["/players"]),
    "less than nobody": ("setups", {"players": -1}, ["/players"]),
    "names as a text": ("setups", {"players": 2, "names": "ab"}, ["/names"]),
    "names of numbers": ("setups", {"players": 2, "names": ["a", 2, None]}, ["/names/1", "/names/2"]),
    "an empty name": ("setups", {"players": 2, "names": ["", "b"]}, ["/names/0"]),
    "a long name": ("setups", {"players": 2, "names": ["a" * 101, "b"]}, ["/names/0"]),
    "a thousand names": ("setups", {"players": 2, "names": ["a"] * 1000}, ["/names"]),
    "a seed as number": ("setups", {"players": 2, "seed": 7}, ["/seed"]),
    "a long seed": ("setups", {"players": 2, "seed": "7" * 201}, ["/seed"]),
    "everything at once": ("setups", {"seed": 7, "names": 1, "x": 1}, ["", "/names", "/seed", "/x"]),
    "limit below 0": ("legal-moves", {"state": 1, "limit": -1}, ["/limit"]),
    "limit too high": ("legal-moves", {"state": 1, "limit": 1001}, ["/limit"]),
    "limit as text": ("legal-moves", {"state": 1, "limit": "10"}, ["/limit"]),
    "a cursor as number": ("legal-moves", {"state": 1, "cursor": 1}, ["/cursor"]),
    "unknown payments": ("legal-moves", {"state": 1, "payments": "some"}, ["/payments"]),
    "payments as list": ("legal-moves", {"state": 1, "payments": ["all"]}, ["/payments"]),
    "explain as number": ("legal-moves", {"state": 1, "explain": 1}, ["/explain"]),
    "a player nobody knows": ("suggestions", {"state": 1, "player": "best"}, ["/player"]),
    "a player as list": ("suggestions", {"state": 1, "player": ["random"]}, ["/player"]),
    "a seed of a suggestion": ("suggestions", {"state": 1, "seed": 7}, ["/seed"]),
    "no move": ("verdicts", {"state": 1}, [""]),
    "moves as object": ("transitions", {"state": 1, "moves": {}}, ["/moves"]),
    "moves null": ("transitions", {"state": 1, "moves": None}, ["/moves"]),
    "views as number": ("transitions", {"state": 1, "moves": [], "views": 0}, ["/views"]),
    "views null": ("transitions", {"state": 1, "moves": [], "views": None}, ["/views"]),
    "views of texts": ("transitions", {"state": 1, "moves": [], "views": [0, "1", True]}, ["/views/1", "/views/2"]),
    "a seat below 0": ("transitions", {"state": 1, "moves": [], "views": [-1]}, ["/views/0"]),
    "a seat twice": ("transitions", {"state": 1, "moves": [], "views": [0, 0]}, ["/views"]),
    "endless views": ("transitions", {"state": 1, "moves": [], "views": list(range(1000))}, ["/views"]),
    "a page of less than 0": ("transitions", {"state": 1, "moves": [], "legal_moves": -1}, ["/legal_moves"]),
    "neither": ("scores", {}, [""]),
    "both": ("scores", {"state": 1, "scoresheet": 1}, [""]),
    "a flag as text": ("replays", {"record": 1, "under_current_rules": "true"}, ["/under_current_rules"]),
    "nobody looks": ("views", {"state": 1}, [""]),
    "neither state nor record": ("views", {"seat": 1}, [""]),
    "both state and record": ("views", {"seat": 1, "state": 1, "record": 1}, [""]),
    "a seat as text": ("views", {"seat": "0", "state": 1}, ["/seat"]),
}


@pytest.mark.parametrize(("path", "body", "places"), WRONG_MEMBERS.values(), ids=WRONG_MEMBERS)
def test_wrong_members(ask: Asker, path: str, body: dict[str, Any], places: list[str]) -> None:
    problem = ask.refused(path, body)
    assert problem["id"] == "envelope"
    assert sorted(pointers(problem)) == places
    assert not described(path).is_valid(body), "the specification says that this is a body"


def test_the_number_of_errors_is_limited(ask: Asker) -> None:
    assert len(pointers(ask.refused("setups", {f"x{index}": 1 for index in range(20_000)}))) == 100


def test_names_are_escaped_in_pointers(ask: Asker) -> None:
    assert pointers(ask.refused("audits", {"state": 1, "a/b~c": 1})) == ["/a~1b~0c"]


# --- documents -------------------------------------------------------------------------------------------------------

Spoil = Callable[[dict[str, Any]], Any]


def damaged(state: dict[str, Any], spoil: Spoil) -> dict[str, Any]:
    copy = deepcopy(state)
    spoil(copy)
    return copy


WRONG_SHAPES: dict[str, tuple[Spoil, str]] = {
    "an unknown member": (lambda state: state.update(deck=["red-7"]), "/state/deck"),
    "a member missing": (lambda state: state.pop("supply"), "/state"),
    "an unknown token": (lambda state: state["supply"].append("gold-1-1"), "/state/supply/"),
    "a token with a line feed": (lambda state: state["supply"].append("marble-1-1\n"), "/state/supply/"),
    "an unknown stage": (lambda state: state["stage"].update(type="sleep"), "/state/stage/type"),
    "a stage without type": (lambda state: state["stage"].pop("type"), "/state/stage"),
    "a negative count": (lambda state: state.update(riders=-1), "/state/riders"),
    "a negative count in a hand": (
        lambda state: state["seats"][0]["hand"].update(unknown={"deck": -1}),
        "/state/seats/0/hand/unknown/deck",
    ),
    "a text for a number": (lambda state: state.update(ply="3"), "/state/ply"),
    "a truth for a number": (lambda state: state.update(ply=True), "/state/ply"),
    "a huge number": (lambda state: state.update(ply=2**64), "/state/ply"),
    "a state that is a list": (lambda state: state.update(seats={}), "/state/seats"),
    "a version as text": (lambda state: state.update(rules_version="1"), "/state/rules_version"),
    "a game as number": (lambda state: state.update(game=1), "/state/game"),
}


@pytest.mark.parametrize(("spoil", "place"), WRONG_SHAPES.values(), ids=WRONG_SHAPES)
def test_wrong_shapes(ask: Asker, auction: dict[str, Any], spoil: Spoil, place: str) -> None:
    more: dict[str, dict[str, Any]] = {
        "transitions": {"moves": []},
        "verdicts": {"move": {"type": "pass", "seat": 0}},
        "views": {"seat": 0},
    }
    for path in ("legal-moves", "suggestions", "audits", "scores", "transitions", "verdicts", "views"):
        problem = ask.refused(path, {"state": damaged(auction, spoil), **more.get(path, {})})
        assert problem["id"] == "shape", path
        assert any(pointer.startswith(place) for pointer in pointers(problem)), (path, problem)


@pytest.mark.parametrize("document", [None, 1, "state", [], {}, [[]], True])
def test_invalid_documents_are_refused(ask: Asker, auction: dict[str, Any], document: Any) -> None:
    for path, body in {
        "setups": {"players": 2, "options": document},
        "legal-moves": {"state": document},
        "suggestions": {"state": document},
        "samples": {"state": document, "seat": 0},
        "audits": {"state": document},
        "verdicts": {"state": auction, "move": document},
        "transitions": {"state": auction, "moves": [document]},
        "scores": {"scoresheet": document},
        "replays": {"record": document, "under_current_rules": True},
        "views": {"record": document, "seat": None},
    }.items():
        response = ask.send(path, body)
        if path == "setups" and document == {}:
            assert response.status_code == 200
        else:
            id = "envelope" if path == "setups" and document is None else "shape"
            assert problem_in(response)["id"] == id, path


WRONG_MOVES: dict[str, tuple[Any, str]] = {
    "an unknown type": ({"type": "cheat", "seat": 0}, "/moves/0/type"),
    "no type": ({"seat": 0}, "/moves/0"),
    "an unknown member": ({"type": "pass", "seat": 0, "loudly": True}, "/moves/0/loudly"),
    "a seat below 0": ({"type": "pass", "seat": -1}, "/moves/0/seat"),
    "an unknown card": ({"type": "raise", "seat": 0, "cards": ["red-8"]}, "/moves/0/cards/0"),
    "a card for no cards": ({"type": "raise", "seat": 0, "cards": "red-7"}, "/moves/0/cards"),
}


@pytest.mark.parametrize(("move", "place"), WRONG_MOVES.values(), ids=WRONG_MOVES)
def test_wrong_moves(ask: Asker, auction: dict[str, Any], move: Any, place: str) -> None:
    problem = ask.refused("transitions", {"state": auction, "moves": [move]})
    assert problem["id"] == "shape"
    assert place in pointers(problem)


def test_all_errors_of_all_documents_at_once(ask: Asker, auction: dict[str, Any]) -> None:
    state = damaged(auction, lambda state: state.update(riders=-1, deck=[]))
    good, bad = {"type": "pass", "seat": 0}, {"type": "pass", "seat": "x"}
    problem = ask.refused("transitions", {"state": state, "moves": [bad, good, bad]})
    assert sorted(pointers(problem)) == ["/moves/0/seat", "/moves/2/seat", "/state/deck", "/state/riders"]
    assert sorted(pointers(ask.refused("verdicts", {"state": state, "move": bad}))) == [
        "/move/seat",
        "/state/deck",
        "/state/riders",
    ]
    assert len(pointers(ask.refused("transitions", {"state": state, "moves": [bad] * 1000}))) == 100


def test_impossible_states(ask: Asker, auction: dict[str, Any]) -> None:
    for spoil in (
        lambda state: state["removed"].extend(["brick-1-1", "brick-1-1"]),
        lambda state: state["seats"][0]["hand"]["open"].extend(["red-7"] * 4),
        lambda state: state["seats"].pop(),
    ):
        state = damaged(auction, spoil)
        for path in ("legal-moves", "transitions", "scores"):
            body: dict[str, Any] = {"state": state} | ({"moves": []} if path == "transitions" else {})
            problem = ask.refused(path, body)
            assert problem["id"] == "impossible-state"
            assert all(error["rule"].startswith("palazzo.") for error in problem["errors"])


def test_all_48_tiles_with_one_of_them_twice(ask: Asker) -> None:
    """A state with the whole box, but one tile twice and another not at all."""
    state = ask.post("setups", {"players": 2, "seed": "7"})["state"]
    every = [tile for tile, number in all_games()["palazzo"].components()["tiles"].items() for _ in range(number)]
    laid = [tile for quarry in state["quarries"] for tile in quarry] + state["supply"]
    for tile in laid:
        every.remove(tile)
    every[0] = laid[0]
    problem = ask.refused("legal-moves", {"state": {**state, "removed": every}})
    assert problem["id"] == "impossible-state"
    assert "palazzo.components.tiles" in [error["rule"] for error in problem["errors"]]
    assert any(error["values"].get("component") == laid[0] for error in problem["errors"])


def test_versions_and_games(ask: Asker, auction: dict[str, Any], record: dict[str, Any]) -> None:
    for path, name, document in (("legal-moves", "state", auction), ("replays", "record", record)):
        for member in ("schema_version", "rules_version"):
            for version in (0, 2, 999):
                problem = ask.refused(path, {name: {**document, member: version}})
                assert problem["id"] == "other-version"
                assert pointers(problem) == [f"/{name}/{member}"]
        problem = ask.refused(path, {name: {**document, "game": "chess"}})
        assert problem["id"] == "other-game"
        assert pointers(problem) == [f"/{name}/game"]


@pytest.mark.parametrize("version", [0, -1, 1_000_001, 10**30])
def test_an_impossible_version_is_an_error_of_shape_even_where_others_are_accepted(
    ask: Asker, record: dict[str, Any], version: int
) -> None:
    other = {**record, "rules_version": version}
    for path, body in (("records", {}), ("replays", {"under_current_rules": True})):
        assert ask.post(path, {"record": {**record, "rules_version": 999}, **body})
        problem = ask.refused(path, {"record": other, **body})
        assert (problem["id"], pointers(problem)) == ("shape", ["/record/rules_version"])


@pytest.mark.parametrize("member", ["schema_version", "rules_version"])
def test_a_version_of_four_thousand_digits_is_not_repeated(ask: Asker, auction: dict[str, Any], member: str) -> None:
    problem = ask.refused("legal-moves", {"state": {**auction, member: 10**4000}})
    assert (problem["id"], pointers(problem)) == ("shape", [f"/state/{member}"])
    assert len(json_text.encode(problem)) < 2_000


def test_games_of_other_paths(ask: Asker, auction: dict[str, Any]) -> None:
    problem = ask.refused("/v1/games/chess/legal-moves", {"state": auction})
    assert problem["id"] == "not-found"
    for game in all_games():
        if game != "palazzo":
            assert ask.refused(f"/v1/games/{game}/legal-moves", {"state": auction})["id"] == "other-game"


def test_options_that_cannot_be_played(ask: Asker, record: dict[str, Any]) -> None:
    for players in (1, 5, 10**30):
        assert ask.refused("setups", {"players": players})["id"] == "options"
    sizes = {"stack_sizes": [20, 20, 20]}
    problem = ask.refused("setups", {"players": 2, "options": sizes})
    assert (problem["id"], pointers(problem)) == ("options", ["/options/stack_sizes"])
    assert problem["errors"][0]["rule"] == "palazzo.setup.stack-sizes"
    problem = ask.refused("replays", {"record": {**record, "options": sizes}})
    assert (problem["id"], pointers(problem)) == ("options", ["/record/options/stack_sizes"])
    problem = ask.refused("setups", {"players": 3, "names": ["a", "b"]})
    assert (problem["id"], pointers(problem)) == ("options", ["/names"])
    problem = ask.refused("replays", {"record": {**record, "names": ["a", "b", "c"]}})
    assert (problem["id"], pointers(problem)) == ("options", ["/record/names"])


def test_illegal_moves_play_nothing(ask: Asker, auction: dict[str, Any]) -> None:
    seat = auction["stage"]["seat"]
    good, bad = {"type": "pass", "seat": seat}, {"type": "build", "seat": 0}
    problem = ask.refused("transitions", {"state": auction, "moves": [good, bad]})
    assert problem["id"] == "illegal-move"
    (error,) = problem["errors"]
    assert error["pointer"].startswith("/moves/1/")
    assert error["rule"].startswith("palazzo.turn.")
    assert problem["detail"].startswith("Move 2 of 2 "), "in “of”, people count from one"
    assert "state" not in problem


@pytest.mark.parametrize(
    "cursor", ["", "0", "7-minimal-0000000000000000", "x", "-1", "9" * 200, "٣-minimal-0", "1-all"]
)
def test_cursors_of_other_lists(ask: Asker, auction: dict[str, Any], cursor: str) -> None:
    problem = ask.refused("legal-moves", {"state": auction, "cursor": cursor})
    assert (problem["id"], pointers(problem)) == ("cursor", ["/cursor"])


def test_a_cursor_is_valid_only_for_its_own_list(ask: Asker, auction: dict[str, Any]) -> None:
    cursor = ask.post("legal-moves", {"state": auction, "limit": 1})["next_cursor"]
    assert ask.post("legal-moves", {"state": auction, "cursor": cursor})["moves"]
    assert ask.refused("legal-moves", {"state": auction, "cursor": cursor, "payments": "all"})["id"] == "cursor"
    passed = {"type": "pass", "seat": auction["stage"]["seat"]}
    other = ask.post("transitions", {"state": auction, "moves": [passed]})["state"]
    assert ask.refused("legal-moves", {"state": other, "cursor": cursor})["id"] == "cursor"


@pytest.mark.parametrize("seat", [3, 4, 10**30])
def test_seats_that_do_not_exist(ask: Asker, auction: dict[str, Any], seat: int) -> None:
    problem = ask.refused("views", {"state": auction, "seat": seat})
    assert (problem["id"], pointers(problem)) == ("no-such-seat", ["/seat"])
    problem = ask.refused("transitions", {"state": auction, "moves": [], "views": [0, seat]})
    assert (problem["id"], pointers(problem)) == ("no-such-seat", ["/views/1"])
    move = {"type": "pass", "seat": seat}
    assert ask.refused("transitions", {"state": auction, "moves": [move]})["id"] in ("shape", "illegal-move")


def test_scores_of_unfinished_or_impossible_games(ask: Asker, auction: dict[str, Any]) -> None:
    assert ask.refused("scores", {"state": auction})["id"] == "unfinished"
    falling = {"palaces": [["brick-2-1", "brick-1-1"]]}
    sheet = {"game": "palazzo", "schema_version": 1, "seats": [falling, {"palaces": []}]}
    problem = ask.refused("scores", {"scoresheet": sheet})
    assert problem["id"] == "impossible-scoresheet"
    assert [error["rule"] for error in problem["errors"]] == ["palazzo.building.rising"]
    assert pointers(problem) == ["/scoresheet/seats/0/palaces/0"]


def test_views_of_a_record_that_breaks_a_rule(ask: Asker, record: dict[str, Any]) -> None:
    problem = ask.refused("views", {"record": {**record, "moves": record["moves"][1:]}, "seat": 0})
    assert problem["id"] == "illegal-move"
    assert pointers(problem)[0].startswith("/record/moves/")


# --- faults of our own -----------------------------------------------------------------------------------------------


def test_a_bug_is_answered_as_a_problem(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def fail(*_: Any) -> None:
        raise ValueError("the hand is red-7")

    app: Flask = create_app()
    monkeypatch.setattr("capomastro.adjudicator.audit", fail)
    response = app.test_client().post("/v1/games/palazzo/audits", json={"state": {}})
    assert problem_in(response)["id"] == "internal"
    assert "red-7" not in response.get_data(as_text=True)
    logged = capsys.readouterr().err
    assert "ValueError" in logged
    assert "in fail" in logged.replace("test_a_bug_is_answered_as_a_problem.<locals>.", "in ")
    assert "red-7" not in logged
    assert response.headers["X-Request-Id"] in logged


def test_a_process_without_memory_is_busy(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def fail(*_: Any) -> None:
        raise MemoryError

    app: Flask = create_app()
    monkeypatch.setattr("capomastro.adjudicator.audit", fail)
    response = app.test_client().post("/v1/games/palazzo/audits", json={"state": {}})
    assert response.get_json()["type"] == "/v1/problems/busy"
    assert int(response.headers["Retry-After"]) > 0
    assert "MemoryError" in capsys.readouterr().err


def test_a_process_that_cannot_answer_is_not_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    app = create_app()
    monkeypatch.setattr("capomastro.documents.shapes.prepare", lambda _: 1 / 0)
    assert problem_in(app.test_client().get("/readyz"))["id"] == "not-ready"
    assert app.test_client().get("/healthz").status_code == 200


def test_every_problem_in_the_code_is_explained() -> None:
    raised = set()
    package = Path(capomastro.__file__).parent
    sources = [
        package / "catalogue.py",
        *(path for part in ("adjudicator", "api", "documents") for path in (package / part).rglob("*.py")),
    ]
    for path in sources:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Problem":
                raised |= {node.args[0].value} if isinstance(node.args[0], ast.Constant) else set()
    assert raised
    assert raised <= set(problems.catalogue())


def test_every_problem_is_declared() -> None:
    """Resources declare only existing problems, and every problem can occur."""
    declared = {id for one in RESOURCES for id in one.problems}
    by_the_proxy = {"unavailable"}  # tests/deploy/test_nginx.py
    by_the_server = {  # tests/api/test_connections.py
        "request-timeout",
        "uri-too-long",
        "expectation-failed",
        "headers-too-large",
        "not-implemented",
        "http-version",
    }
    assert declared | by_the_proxy | by_the_server | {"method-not-allowed", "not-found"} == set(problems.catalogue())
