"""What campaigns have found once stays right, and what they look for would be found."""

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from capomastro.api.resources import RESOURCES
from capomastro.settings import Settings
from tests.campaigns import examining, fuzz, slowest
from tests.campaigns.asking import JSON, Answer, Request, answer_to
from tests.campaigns.contract import PROBLEM, SVG
from tests.campaigns.corpus import fresh
from tests.campaigns.examining import examined
from tests.campaigns.kept import FOUND, SLOW, keep, kept
from tests.campaigns.making import QUESTIONS, a_request
from tests.campaigns.resuming import finished_blocks
from tests.campaigns.shrinking import shrunk
from tests.campaigns.worst import DEAREST, texts, worst

SETUP = Request("POST", "/v1/games/palazzo/setups", b'{"players": 2, "seed": "7"}', "", {"Content-Type": JSON})


@pytest.mark.parametrize("name", kept(FOUND))
def test_requests_that_found_faults_are_answered_correctly(name: str) -> None:
    _, findings = examined(*fuzz.service(), kept(FOUND)[name], thoroughly=True, slow=fuzz.SLOW)
    assert not findings


def test_a_hundred_requests_of_a_campaign() -> None:
    result = fuzz.block("test", 0, 100)
    assert not result["findings"]
    assert sum(result["answered"].values()) == 100
    statuses = {name.rpartition(" ")[2] for name in result["answered"]}
    assert {"200", "400", "422"} <= statuses


def test_everything_that_can_be_posted_is_asked() -> None:
    posted = {one.path.removeprefix("/v1/games/{game}/") for one in RESOURCES if one.method == "POST"}
    assert posted - {"/v1/replays"} == set(QUESTIONS)  # streams are made by themselves


def test_a_secret_that_is_repeated_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    secret = "s" * 43
    request = SETUP._replace(path="/v1/games/palazzo/tables/views", body=b'{"secret": "%s"}' % secret.encode())
    answer = answer_to(fuzz.service()[0], request)
    monkeypatch.setattr(
        examining, "answer_to", lambda *_: answer._replace(body=answer.body[:-1] + b',"x":"%s"}' % secret.encode())
    )
    _, findings = examined(*fuzz.service(), request, thoroughly=False, slow=60)
    assert "repeats a secret" in findings[-1].signature


def test_a_picture_that_is_no_xml_is_found() -> None:
    state = answer_to(fuzz.service()[0], SETUP).json()["state"]
    body = json.dumps({"state": state}).encode()
    request = Request("POST", "/v1/games/palazzo/pictures", body, "", {"Content-Type": JSON, "Accept": SVG})
    answer = answer_to(fuzz.service()[0], request)
    assert found(answer, request) == []
    assert found(answer._replace(body=answer.body.replace(b"</svg>", b"")), request)


def test_a_block_always_asks_the_same() -> None:
    first, second = ([a_request(random, fresh(random)) for _ in range(20)] for random in (Random("1 5"), Random("1 5")))
    assert first == second


@pytest.fixture(scope="module")
def answer() -> Answer:
    return answer_to(fuzz.service()[0], SETUP)


def spoilt(answer: Answer, **headers: str) -> Answer:
    return answer._replace(headers={**answer.headers, **headers})


def found(answer: Answer, request: Request = SETUP) -> list[str]:
    return [one.signature for one in fuzz.service()[1].findings(request, answer)]


def test_correct_answers_are_no_findings(answer: Answer) -> None:
    assert found(answer) == []


def test_faults_in_answers_are_found(answer: Answer) -> None:
    document = answer.json()
    without_hash = {name: member for name, member in document.items() if name != "state_hash"}
    wrong_state = {**document, "state": {**document["state"], "ply": -1}}
    problem = {"type": "/v1/problems/options", "title": "t", "status": 422, "detail": "d"}
    wrong: list[Answer] = [
        answer._replace(status=500),
        answer._replace(status=201),
        answer._replace(body=json.dumps(without_hash).encode()),
        answer._replace(body=json.dumps(wrong_state).encode()),
        answer._replace(body=answer.body[:-1]),
        spoilt(answer, **{"content-type": "text/html"}),
        spoilt(answer, **{"x-request-id": ""}),
        spoilt(answer, **{"x-content-type-options": ""}),
        spoilt(answer._replace(status=422), **{"content-type": JSON}),
        *(
            spoilt(
                answer._replace(status=422, body=json.dumps({**problem, **change}).encode()),
                **{"content-type": PROBLEM},
            )
            for change in ({"status": 400}, {"type": "about:blank"}, {"type": "/v1/problems/cursor"}, {"detail": 1})
        ),
        spoilt(answer._replace(status=418, body=b'{"status": 418}'), **{"content-type": PROBLEM}),
    ]
    for one in wrong:
        assert found(one), one
    right = spoilt(answer._replace(status=422, body=json.dumps(problem).encode()), **{"content-type": PROBLEM})
    assert found(right) == []


def test_lines_of_streams_are_checked() -> None:
    request = Request("POST", "/v1/replays", b'{"game": "chess"}', "", {"Content-Type": "application/x-ndjson"})
    answer = answer_to(fuzz.service()[0], request)
    assert found(answer, request) == []
    assert found(answer._replace(body=b'{"line": 0}\n'), request)


def test_a_browser_at_a_wrong_address_gets_a_page_and_a_program_the_problem() -> None:
    for path, accept, is_page in (("/x", "text/html", True), ("/x", "*/*", False), ("/v1/x", "text/html", False)):
        request = Request("GET", path, b"", "", {"Accept": accept})
        answer = answer_to(fuzz.service()[0], request)
        assert found(answer, request) == []
        other = "application/problem+json" if is_page else "text/html"
        assert found(spoilt(answer, **{"content-type": other}), request)


def test_an_answer_that_is_late_is_found() -> None:
    _, findings = examined(*fuzz.service(), SETUP, thoroughly=False, slow=0.0)
    assert [one.signature for one in findings] == ["POST /v1/games/palazzo/setups: slow"]


def test_a_state_that_the_audit_refuses_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    from capomastro.engine.refusals import refuse
    from capomastro.games import all_games

    game = all_games()["palazzo"]
    refusal = refuse("palazzo.components.tiles", "/removed", component="brick-1-1", number=2, most=1)
    monkeypatch.setattr(game, "audit", lambda state: [refusal])
    _, findings = examined(*fuzz.service(), SETUP, thoroughly=True, slow=60)
    assert findings


def test_findings_are_shrunk_and_kept(tmp_path: Path) -> None:
    body: dict[str, Any] = {"a": [1, 2, {"bad": [3, "x" * 30]}, 4], "b": {"c": [5] * 40}}
    request = Request("POST", "/x", json.dumps(body).encode(), "q=1", {"Accept": "text/html"})
    small = shrunk(request, lambda candidate: b'"bad"' in candidate.body)
    assert small == Request("POST", "/x", b'{"a": [{"bad": []}]}', "", {})
    text = shrunk(request._replace(body=b"xx{yyy"), lambda candidate: b"{" in candidate.body)
    assert text.body == b"{"
    for one in (small, text._replace(body=b"\xff")):
        keep(tmp_path, "a finding", one)
    assert sorted(kept(tmp_path).values()) == sorted([small, text._replace(body=b"\xff")])


# --- what takes longest ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*DEAREST, *(f"text: {name}" for name, _ in texts())])
def test_the_dearest_requests_are_answered_in_time(name: str) -> None:
    request = dearest()[name]()
    answer = answer_to(fuzz.service()[0], request)
    assert answer.status < 500, answer.body
    assert answer.cpu < Settings.deadline
    assert not list(fuzz.service()[1].findings(request, answer))


@pytest.mark.parametrize("name", kept(SLOW))
def test_requests_that_were_slow_are_answered_in_time(name: str) -> None:
    answer = answer_to(fuzz.service()[0], kept(SLOW)[name])
    assert answer.status < 500
    assert answer.cpu < 1


@cache
def dearest() -> dict[str, Callable[[], Request]]:
    return dict(worst())


def test_the_search_keeps_the_most_expensive_requests(monkeypatch: pytest.MonkeyPatch) -> None:
    search = slowest.Search()
    costs = {f"{number}": Answer(200, {}, b"", cpu=number / 1000) for number in range(20)}
    monkeypatch.setattr(slowest, "answer_to", lambda _, request: costs[request.query])
    for number in range(20):
        size = 100_000 if number == 19 else 10
        search.ask("x", SETUP._replace(query=str(number), body=b" " * size))
    by_time = {str(number) for number in range(14, 20)}
    by_bytes = {str(number) for number in range(13, 19)}
    assert {one.request.query for one in search.all()} == by_time | by_bytes
    monkeypatch.undo()
    search.go_on(Random(1), 0.5)
    assert search.asked > 20


def test_a_campaign_resumes(tmp_path: Path) -> None:
    progress = tmp_path / "1.ndjson"
    assert finished_blocks(progress) == []
    progress.write_text('{"block": 0, "findings": []}\n{"block": 2, "findings": []}\n{"block": 3, "find', "utf-8")
    finished = finished_blocks(progress)
    assert fuzz.unasked(finished, 4 * fuzz.BLOCK) == [1, 3]
    assert fuzz.unasked(finished, 1) == []
