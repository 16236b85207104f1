"""The service under gunicorn's own workers: a game is played through each, and nginx stands before one of them."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from tests.deploy.test_nginx import CLIENTS
from tests.support.archives import archive_lines
from tests.support.lines import lines_of
from tests.support.nginx import PROGRAM, proxied
from tests.support.serving import answering, clean_environment, free_port
from tests.support.sockets import PATIENCE, Address

pytestmark = [pytest.mark.long, pytest.mark.longest]

WORKERS = ("gthread", "sync")


@contextmanager
def stock_gunicorn(worker: str, directory: Path, **variables: str) -> Iterator[Address]:
    """`capomastro.wsgi:application` under gunicorn, with one of its own workers."""
    port = free_port()
    command = [sys.executable, "-m", "gunicorn", "-k", worker, "--threads", "4", "-b", f"127.0.0.1:{port}"]
    command += ["--no-control-socket", "--preload", "capomastro.wsgi:application"]
    with (directory / "log").open("a+b") as log:
        process = subprocess.Popen(command, env=clean_environment(**variables), stdout=log, stderr=log, cwd=directory)
        with answering(f"http://127.0.0.1:{port}", process, log):
            yield "127.0.0.1", port


@pytest.fixture(scope="module", params=WORKERS)
def address(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Address]:
    with stock_gunicorn(request.param, tmp_path_factory.mktemp(request.param)) as address:
        yield address


def ask(address: Address, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, Any]:
    """The status of an answer, and its content."""
    connection = HTTPConnection(*address, timeout=PATIENCE)
    try:
        sent = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        given = {} if body is None else {"Content-Type": "application/json"}
        connection.request(method, path, sent, {**given, **headers})
        response = connection.getresponse()
        content = response.read()
        return response.status, json.loads(content) if response.headers["Content-Type"].endswith("json") else content
    finally:
        connection.close()


def play(address: Address, game: str) -> int:
    """Plays a game to its end; returns the number of plies. Each request seems to come from another client."""
    clients = (f"198.51.100.{number % 250}" for number in count())

    def post(path: str, **body: Any) -> Any:
        status, answer = ask(address, "POST", f"/v1/games/{game}/{path}", body, **{"X-Forwarded-For": next(clients)})
        assert status == 200, answer
        return answer

    answer = post("setups", players=2, seed="7")
    for ply in range(2_000):
        state, actor = answer["state"], answer["decision"]["actor"]
        if actor == "seat":
            moves = [post("suggestions", state=state, player="random", seed="7")["move"]]
        elif actor == "chance":
            moves = []
        else:
            assert post("scores", state=state)
            return ply
        answer = post("transitions", state=state, moves=moves, seed="7")
    raise AssertionError("it does not end")


def test_a_game_is_played(address: Address) -> None:
    assert play(address, "campanile") > 20


@pytest.mark.skipif(PROGRAM is None, reason="nginx is not installed here")
def test_a_game_is_played_through_nginx_in_front_of_threads(tmp_path: Path) -> None:
    with (
        stock_gunicorn("gthread", tmp_path, CAPOMASTRO_TRUSTED_PROXIES="127.0.0.1") as address,
        proxied([address[1]], CLIENTS) as proxy,
    ):
        assert play(("127.0.0.1", proxy.port), "campanile") > 20
        # whom a trusted proxy names is the client
        assert ask(address, "GET", "/healthz", **{"X-Forwarded-For": "2001:db8::1", "X-Request-Id": "seven"})[0] == 200
        logged = [json.loads(line) for line in lines_of((tmp_path / "log").read_text("utf-8")) if "seven" in line]
        assert [line["client"] for line in logged] == ["2001:db8::1"]


def test_pages_and_problems_are_answered(address: Address) -> None:
    assert ask(address, "GET", "/", Accept="text/html")[0] == 200
    assert ask(address, "GET", "/v1/games")[0] == 200
    status, problem = ask(address, "POST", "/v1/games/palazzo/setups", b"{")
    assert (status, problem["type"]) == (400, "/v1/problems/malformed-json")
    status, problem = ask(address, "POST", "/v1/games/palazzo/setups", b" " * 300_000)
    assert (status, problem["type"]) == (413, "/v1/problems/too-large")


@pytest.mark.parametrize("chunked", [True, False])
def test_a_stream_is_judged(address: Address, chunked: bool) -> None:
    """Though verdicts may come only after the last line."""
    lines = [line + b"\n" for line in archive_lines(5)]
    body = iter(lines) if chunked else b"".join(lines)
    connection = HTTPConnection(*address, timeout=PATIENCE)
    headers = {"Content-Type": "application/x-ndjson"}
    connection.request("POST", "/v1/replays", body, headers, encode_chunked=chunked)
    verdicts = [json.loads(line) for line in lines_of(connection.getresponse().read())]
    connection.close()
    assert [verdict["line"] for verdict in verdicts] == [1, 2, 3, 4, 5]
    assert "unusable" not in {verdict["verdict"] for verdict in verdicts}
