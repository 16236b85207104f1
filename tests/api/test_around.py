"""Features of every request: ids, the log, pages of other origins, deprecation, configuration."""

import json
import os
import sys
from collections.abc import Callable
from datetime import date
from logging import ERROR, LogRecord
from typing import Any

import pytest
from flask import Flask, Response, got_request_exception, request
from flask.testing import FlaskClient
from werkzeug.exceptions import TooManyRequests

from capomastro.api.application import add_resource, create_app, key_ring
from capomastro.api.declarations import Deprecated, Resource
from capomastro.api.request_log import JsonLines
from capomastro.api.resources import RESOURCES
from capomastro.api.views import LargeWork
from capomastro.documents import json_text
from capomastro.settings import VARIABLES, SettingError, Settings
from tests.api.asking import Asker, problem_in
from tests.support.documents import texts
from tests.support.lines import lines_of

Log = Callable[[], list[dict[str, Any]]]


@pytest.fixture
def log(capsys: pytest.CaptureFixture[str]) -> Log:
    """Reads the lines logged since the last reading."""
    return lambda: [json.loads(line) for line in lines_of(capsys.readouterr().err)]


# --- request ids -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("id", ["7", "a-b_c.d~e:f/g+h=@", "01HZX3", "x" * 100])
def test_an_acceptable_request_id_is_echoed(client: FlaskClient, log: Log, id: str) -> None:
    assert client.get("/healthz", headers={"X-Request-Id": id}).headers["X-Request-Id"] == id
    assert [line["request_id"] for line in log()] == [id]


@pytest.mark.parametrize(
    "id", [None, "", "x" * 101, 'a"b', "a b", "a,b", "\N{SNOWMAN}".encode().decode("latin-1"), "<b>"]
)
def test_other_request_ids_are_replaced(client: FlaskClient, id: str | None) -> None:
    headers = {} if id is None else {"X-Request-Id": id}
    made = {client.get("/healthz", headers=headers).headers["X-Request-Id"] for _ in range(3)}
    assert len(made) == 3
    assert all(one.isascii() and one.isalnum() and len(one) == 32 for one in made)


def test_problems_have_an_id_too(client: FlaskClient) -> None:
    for response in (client.get("/none"), client.put("/v1/games"), client.post("/v1/games/palazzo/audits")):
        assert problem_in(response)
        assert response.headers["X-Request-Id"]


# --- the log ---------------------------------------------------------------------------------------------------------


LINE = {"time", "level", "request_id", "client", "method", "route", "game", "status"} | {
    "bytes_in",
    "bytes_out",
    "milliseconds",
    "cpu_milliseconds",
}


def test_a_line_per_request(ask: Asker, log: Log, auction: dict[str, Any]) -> None:
    body = json_text.encode({"state": auction, "move": {"type": "pass", "seat": auction["stage"]["seat"]}})
    response = ask.send("verdicts", body)
    (line,) = log()
    assert set(line) == LINE
    assert (line["method"], line["route"], line["status"]) == ("POST", "/v1/games/{game}/verdicts", 200)
    assert (line["game"], line["client"]) == ("palazzo", "127.0.0.1")
    assert (line["bytes_in"], line["bytes_out"]) == (len(body), len(response.get_data()))
    assert 0 < line["cpu_milliseconds"] < 60_000
    assert 0 < line["milliseconds"] < 60_000


def test_only_bytes_that_are_sent_are_logged(client: FlaskClient, log: Log) -> None:
    answer = client.get("/v1/games")
    unchanged = client.get("/v1/games", headers={"If-None-Match": answer.headers["ETag"]})
    client.head("/v1/games")
    assert unchanged.status_code == 304
    assert [line["bytes_out"] for line in log()] == [len(answer.get_data()), 0, 0]


def test_an_unknown_path_is_logged(client: FlaskClient, log: Log) -> None:
    for path in ("/none", "/v1/games/chess/rules", "/v1/games/chess/audits"):
        client.get(path)
    none, other, not_allowed = log()
    assert (none["route"], none["game"], none["problem"]) == (None, None, "not-found")
    assert (other["route"], other["game"]) == ("/v1/games/{game}/rules", None)
    assert (not_allowed["route"], not_allowed["status"], not_allowed["bytes_in"]) == (None, 405, 0)


def test_the_rule_of_a_refusal_is_logged(ask: Asker, log: Log, auction: dict[str, Any], record: dict[str, Any]) -> None:
    move = {"type": "build", "seat": auction["stage"]["seat"]}
    ask.post("verdicts", {"state": auction, "move": move})
    ask.refused("transitions", {"state": auction, "moves": [move]})
    ask.refused("audits", {})
    ask.post("replays", {"record": {**record, "moves": record["moves"][5:]}})
    verdict, transition, audit, replay = log()
    assert verdict["rule"] == transition["rule"] == "palazzo.turn.step"
    assert "problem" not in verdict
    assert transition["problem"] == "illegal-move"
    assert audit["problem"] == "envelope"
    assert "rule" not in audit
    assert replay["rule"] == "palazzo.turn.chance"


def test_the_log_has_no_secrets(client: FlaskClient, log: Log, auction: dict[str, Any], record: dict[str, Any]) -> None:
    """Documents, seeds, names and hands are never logged, whatever is wrong with the request."""
    ask = Asker(client)
    seed, name = "s3cret-seed", "Zoroaster"
    bodies: list[tuple[str, Any]] = [
        ("setups", {"players": 2, "seed": seed, "names": [name, name]}),
        ("setups", {"players": 9, "seed": seed, "names": [name, name]}),
        ("setups", {"players": seed, seed: name}),
        ("legal-moves", {"state": auction}),
        ("legal-moves", {"state": {**auction, "supply": [seed], seed: name}}),
        ("legal-moves", {"state": {**auction, "riders": 5, "removed": ["brick-1-1"] * 2}}),
        ("transitions", {"state": auction, "moves": [{"type": "raise", "seat": 0, "cards": ["red-7"]}], "seed": seed}),
        ("transitions", {"state": auction, "moves": [{"type": seed}]}),
        ("replays", {"record": {**record, "names": [name, name], "tags": {"place": name}}}),
        ("views", {"state": auction, "seat": 0}),
        ("audits", seed.encode()),
        (f"/v1/games/{seed}/audits", {"state": auction}),
        (f"/{seed}", {}),
    ]
    for path, body in bodies:
        ask.send(path, body)
    client.get(f"/v1/games?seed={seed}", headers={"X-Seed": seed})
    lines = log()
    assert len(lines) == len(bodies) + 1
    tokens = {text for text in texts(auction) if "-" in text and text[-1].isdigit()}
    assert tokens
    for text in texts(lines):
        assert not any(token in text for token in tokens)
        assert seed not in text
        assert name not in text


def test_an_error_of_the_server_says_where_it_comes_from(log: Log) -> None:
    """gunicorn logs that a worker ended with an exception; without its calls nobody could find out why."""
    try:
        json.loads("what was sent")
    except ValueError:
        JsonLines().handle(
            LogRecord("gunicorn.error", ERROR, __file__, 0, "Exception in worker process", (), sys.exc_info())
        )
    (line,) = log()
    assert (line["message"], line["error"]) == ("Exception in worker process", "JSONDecodeError")
    assert any(test_an_error_of_the_server_says_where_it_comes_from.__name__ in call for call in line["calls"])
    assert "what was sent" not in str(line)


def test_the_level_of_the_log(log: Log) -> None:
    try:
        client = create_app(Settings(log_level="WARNING")).test_client()
        client.get("/healthz")
        assert log() == []
    finally:
        create_app()


# --- pages of other origins ------------------------------------------------------------------------------------------


def test_any_origin_may_call(client: FlaskClient) -> None:
    for response in (
        client.get("/v1/games", headers={"Origin": "https://a.example"}),
        client.get("/none", headers={"Origin": "https://a.example"}),
        client.post("/v1/games/palazzo/setups", json={"players": 2}, headers={"Origin": "https://a.example"}),
    ):
        assert response.headers["Access-Control-Allow-Origin"] == "*"
        assert "X-Request-Id" in response.headers["Access-Control-Expose-Headers"]
        assert "Access-Control-Allow-Credentials" not in response.headers


@pytest.mark.parametrize("resource", RESOURCES, ids=lambda one: one.name)
def test_preflights(client: FlaskClient, resource: Any) -> None:
    path = resource.path.format(game="palazzo", rule="x", document="state", problem="shape")
    headers = {
        "Origin": "https://a.example",
        "Access-Control-Request-Method": resource.method,
        "Access-Control-Request-Headers": "content-type",
    }
    response = client.options(path, headers=headers)
    assert (response.status_code, response.get_data()) == (204, b"")
    assert resource.method in response.headers["Access-Control-Allow-Methods"]
    allowed = response.headers["Access-Control-Allow-Headers"].split(", ")
    assert {"Content-Encoding", "Content-Type", "If-Match", "If-None-Match"} <= {*allowed}
    assert int(response.headers["Access-Control-Max-Age"]) > 0


def test_only_named_origins_may_call() -> None:
    client = create_app(Settings(cors_origin="https://a.example https://b.example")).test_client()
    for origin, allowed in (("https://b.example", "https://b.example"), ("https://c.example", None)):
        response = client.get("/v1/games", headers={"Origin": origin})
        assert response.headers.get("Access-Control-Allow-Origin") == allowed
        assert set(response.vary) == {"Accept-Language", "Origin"}
    assert "Access-Control-Allow-Origin" not in client.get("/v1/games").headers


def test_all_origins_can_be_refused() -> None:
    response = (
        create_app(Settings(cors_origin="")).test_client().get("/v1/games", headers={"Origin": "https://a.example"})
    )
    assert not [name for name, _ in response.headers if name.startswith("Access-Control")]


# --- what an operator adds -------------------------------------------------------------------------------------------


def test_what_an_operator_adds_works_for_all_requests(log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every request passes the hooks and error handlers of the application, with its route."""
    app, before, after, signalled = create_app(), list[str](), list[tuple[str, int]](), list[BaseException]()

    @app.before_request
    def limit() -> None:
        before.append(str(request.url_rule))
        if "X-Greedy" in request.headers:
            raise TooManyRequests("Two a day.", retry_after=7)
        if "X-Broken" in request.headers:
            raise LookupError

    @app.after_request
    def note(response: Response) -> Response:
        after.append((str(request.url_rule), response.status_code))
        response.headers["X-Operator"] = "was here"
        return response

    @app.errorhandler(LookupError)
    def handle(_: LookupError) -> tuple[str, int]:
        return "handled", 418

    client = app.test_client()
    log()
    posts = [one.rule for one in RESOURCES if one.method == "POST"]
    tried: list[tuple[dict[str, str], int | None]] = [({}, None), ({"X-Greedy": "1"}, 429), ({"X-Broken": "1"}, 418)]
    for headers, status in tried:
        for rule in posts:
            sent = {"Content-Type": "application/json", **headers}
            response = client.post(rule.replace("<game>", "palazzo"), data=b"{}", headers=sent)
            assert response.headers["X-Operator"] == "was here"
            assert status in (None, response.status_code)
            if status == 429:
                assert (response.mimetype, response.headers["Retry-After"]) == ("application/problem+json", "7")
        assert before == [rule for rule, _ in after] == posts
        assert len(log()) == len(posts)
        before.clear()
        after.clear()

    with got_request_exception.connected_to(lambda _, exception: signalled.append(exception)):
        monkeypatch.setattr("capomastro.adjudicator.audit", lambda *_: int("secret"))
        response = client.post("/v1/games/palazzo/audits", json={"state": {}})
    assert (response.status_code, response.get_json()["type"]) == (500, "/v1/problems/internal")
    assert [type(error) for error in signalled] == [ValueError]
    assert "secret" not in str(log())


# --- deprecation -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "accept"),
    [
        ("/", "text/html"),
        ("/none", "text/html"),
        ("/docs/", "text/html"),
        ("/v1/games/palazzo/rules/palazzo.scoring.windows", "image/svg+xml"),
    ],
)
def test_whatever_a_browser_can_show_has_a_policy(client: FlaskClient, path: str, accept: str) -> None:
    response = client.get(path, headers={"Accept": accept})
    response.close()
    assert response.mimetype == accept
    assert "default-src 'none'" in response.headers["Content-Security-Policy"]


def test_pictures_have_a_policy(ask: Asker, auction: dict[str, Any]) -> None:
    response = ask.send("pictures", {"state": auction})
    assert response.mimetype == "image/svg+xml"
    assert "default-src 'none'" in response.headers["Content-Security-Policy"]


def test_deprecated_operations_say_so(app: Flask) -> None:
    def show_old_health() -> dict[str, str]:
        """Say that the process is alive, as in the past."""
        return {"status": "alive"}

    since = Deprecated(date(2026, 1, 1), until=date(2027, 1, 1))
    old = Resource(
        method="GET", rule="/old-healthz", view=show_old_health, answer="health", cacheable=False, deprecated=since
    )
    own = create_app()
    add_resource(own, old, key_ring(Settings()), LargeWork(1))
    for accept, status in (("*/*", 200), ("text/html", 406)):
        response = own.test_client().get("/old-healthz", headers={"Accept": accept})
        assert (response.status_code, response.headers["Deprecation"]) == (status, "@1767225600")
        assert response.headers["Sunset"] == "Fri, 01 Jan 2027 00:00:00 GMT"
    assert "Deprecation" not in own.test_client().get("/healthz").headers


def test_declarations_are_complete() -> None:
    for resource in RESOURCES:
        assert resource.answer
        assert resource.summary.endswith(".")
        assert (resource.method == "POST") == (resource.envelope is not None or resource.streamed)
        assert resource.parameters is not None or not (resource.streamed or resource.accepts_notation)
        assert not (resource.streamed and resource.envelope)
    assert len({resource.name for resource in RESOURCES}) == len(RESOURCES)


# --- configuration ---------------------------------------------------------------------------------------------------


def test_the_table_of_settings() -> None:
    assert [line.name for line in VARIABLES if not line.name.startswith("CAPOMASTRO_")] == ["PORT"]
    for line in VARIABLES:
        assert line.meaning
        assert getattr(Settings(), line.field) == line.default
        assert type(line.default) is line.kind


def test_settings_come_from_the_environment() -> None:
    read = Settings.from_environment(
        {"PORT": "9000", "CAPOMASTRO_MAXIMUM_MOVES": "7", "HOME": "/", "CAPOMASTRO_PORT": "1"}
    )
    assert (read.port, read.maximum_moves, read.threads) == (9000, 7, 4)
    assert Settings.from_environment({}) == Settings()


def test_there_is_a_process_for_each_core() -> None:
    assert Settings().workers == len(os.sched_getaffinity(0))


@pytest.mark.parametrize("level", ["warning", "Warning", "WARNING"])
def test_the_level_of_the_log_may_be_in_small_letters(level: str) -> None:
    assert Settings.from_environment({"CAPOMASTRO_LOG_LEVEL": level}).log_level == "WARNING"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PORT", ""),
        ("PORT", "0"),
        ("PORT", "65536"),
        ("PORT", "80a"),
        ("PORT", "٨٠"),
        ("CAPOMASTRO_WORKERS", "-1"),
        ("CAPOMASTRO_THREADS", "1.5"),
        ("CAPOMASTRO_MAXIMUM_STATE_BYTES", "10"),
        ("CAPOMASTRO_LOG_LEVEL", "LOUD"),
        ("CAPOMASTRO_HOST", ""),
        ("CAPOMASTRO_TRUSTED_PROXIES", "10.0.0.300"),
        ("CAPOMASTRO_TRUSTED_PROXIES", "proxy.example"),
    ],
)
def test_a_wrong_setting_is_named(name: str, value: str) -> None:
    with pytest.raises(SettingError, match=name):
        Settings.from_environment({name: value})
