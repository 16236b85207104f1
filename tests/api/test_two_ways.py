"""POST resources are answered directly or, like everything else, through Flask: the answers are the same."""

from collections.abc import Iterable
from io import BytesIO
from typing import Any

import pytest
from flask import Flask
from werkzeug.test import EnvironBuilder, run_wsgi_app

from capomastro.api.application import Application, create_app
from capomastro.api.questions import REFUSED
from capomastro.api.resources import RESOURCES
from capomastro.documents import json_text
from capomastro.documents.problems import Problem
from capomastro.games import all_games
from capomastro.settings import Settings

QUESTIONS = [one for one in RESOURCES if one.envelope]
PATH = "/v1/games/palazzo"
SETUP = json_text.encode({"players": 2, "seed": "7"})
JSON = {"Content-Type": "application/json"}
ORIGIN = {"Origin": "https://a.example"}

REQUESTS: list[tuple[str, bytes, dict[str, str]]] = [
    ("setups", SETUP, JSON),
    ("setups", SETUP, {**JSON, **ORIGIN}),
    ("setups", SETUP, {**JSON, "X-Request-Id": "7", "Accept": "application/json;q=0.5"}),
    ("setups", SETUP, {**JSON, "Accept": "text/html"}),
    ("setups", SETUP, {**JSON, "Accept-Language": "de-AT, en;q=0.5"}),
    ("setups", SETUP, {"Content-Type": "text/plain"}),
    ("setups", SETUP, {"Content-Type": "Application/JSON; charset=UTF-8"}),
    ("setups", SETUP, {**JSON, "Content-Encoding": "gzip"}),
    ("setups?seed=7", SETUP, JSON),
    ("setups", b"", JSON),
    ("setups", b"{" + b" " * 300_000 + b"}", JSON),
    ("setups", b'{"players": 9}', {**JSON, "Accept-Language": "it"}),
    ("replays", b'{"record": {"game": "palazzo"}}', {**JSON, "Accept": "text/plain"}),
    ("replays?repair=skip&repair=skip", b"game: palazzo\n", {"Content-Type": "text/plain"}),
    *((one.path.rpartition("}/")[2], b"{}", JSON) for one in QUESTIONS),
]


@pytest.fixture(scope="module", params=["*", "https://a.example https://b.example", ""])
def app(request: pytest.FixtureRequest) -> Application:
    """An application for each setting of CORS."""
    return create_app(Settings(cors_origin=request.param))


def environ_of(path: str, body: bytes, headers: dict[str, str]) -> dict[str, Any]:
    path, _, query = path.partition("?")
    builder = EnvironBuilder(f"{PATH}/{path}", query_string=query, method="POST", input_stream=BytesIO(body))
    builder.headers.extend({**headers, "Content-Length": str(len(body))})
    return builder.get_environ()


def answer(way: Any, environ: dict[str, Any]) -> tuple[str, dict[str, Any], bytes]:
    pieces: Iterable[bytes]
    pieces, status, headers = run_wsgi_app(way, environ, buffered=True)
    known = {name: sorted(value.split(", ")) for name, value in headers.items()}
    if environ.get("HTTP_X_REQUEST_ID") is None:
        assert len(known.pop("X-Request-Id")[0]) == 32
    assert len(headers) == len({name for name, _ in headers})
    return status, known, b"".join(pieces)


def through_flask(app: Application) -> Any:
    return lambda environ, start_response: Flask.wsgi_app(app, environ, start_response)


@pytest.mark.parametrize(("path", "body", "headers"), REQUESTS)
def test_both_ways_give_the_same_answer(app: Application, path: str, body: bytes, headers: dict[str, str]) -> None:
    assert f"{PATH}/{path.partition('?')[0]}" in app.questions
    direct = answer(app.wsgi_app, environ_of(path, body, headers))
    assert direct == answer(through_flask(app), environ_of(path, body, headers))


def test_refusals_of_the_server_are_the_same_in_both_ways(app: Application) -> None:
    refused = {REFUSED: Problem("busy", "Too many requests wait here already.")}
    direct = answer(app.wsgi_app, environ_of("setups", SETUP, JSON) | refused)
    assert direct == answer(through_flask(app), environ_of("setups", SETUP, JSON) | refused)
    assert direct[0].startswith("503 ")


def test_every_post_resource_of_every_game_bypasses_flask(app: Application) -> None:
    assert {*app.questions} == {one.path.format(game=game) for one in QUESTIONS for game in all_games()}
