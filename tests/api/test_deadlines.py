"""Work that takes too long is aborted, and only that work."""

import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from random import Random
from threading import Event, Thread
from time import clock_gettime, monotonic, sleep, thread_time
from typing import Any

import pytest
from flask.testing import FlaskClient

from capomastro.api import deadlines
from capomastro.api.application import create_app
from capomastro.api.deadlines import within
from capomastro.documents import json_text
from capomastro.documents.problems import Problem
from capomastro.settings import Settings
from tests.api.asking import Asker, problem_in
from tests.support.lines import lines_of

PATIENCE = 60
"""Seconds after which a loop that should have been aborted ends by itself, and the test fails."""


def spin(seconds: float) -> str:
    """Computes for a given time."""
    until = thread_time() + seconds
    while thread_time() < until:
        pass
    return "done"


def spin_for_ever(seconds: float = PATIENCE) -> str:
    """Computes for so long, and catches every `Exception`."""
    until = thread_time() + seconds
    while thread_time() < until:
        with suppress(Exception):  # as rules and libraries may
            spin(0.01)
    return "not ended"


@pytest.fixture
def brisk(monkeypatch: pytest.MonkeyPatch) -> None:
    """A watchdog that checks five times as often: what is tested takes a fifth of the time."""
    monkeypatch.setattr(deadlines, "TICK", deadlines.TICK / 5)
    monkeypatch.setattr(deadlines, "WATCHDOG", deadlines.Watchdog())


@pytest.mark.usefixtures("brisk")
def test_work_that_takes_too_long_is_aborted() -> None:
    with pytest.raises(Problem) as raised:
        within(0.06, spin_for_ever)
    assert raised.value.id == "too-costly"
    assert spin(0.12) == "done"  # no exception comes after it


@pytest.mark.usefixtures("brisk")
def test_work_within_the_deadline_is_answered() -> None:
    assert within(1, spin, 0.06) == "done"
    with pytest.raises(ZeroDivisionError):
        within(1, lambda: 1 / 0)
    assert not deadlines.WATCHDOG.under_way


def test_waiting_does_not_count_as_work() -> None:
    within(0.2, sleep, 0.9)


@pytest.mark.usefixtures("brisk")
def test_threads_have_their_own_time() -> None:
    ended: list[str] = []

    def work(seconds: float) -> None:
        try:
            ended.append(within(seconds, spin, 0.15))
        except Problem as problem:
            ended.append(problem.id)

    threads = [Thread(target=work, args=(seconds,)) for seconds in (0.06, 6, 0.06, 6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert sorted(ended) == ["done", "done", "too-costly", "too-costly"]


@pytest.mark.usefixtures("brisk")
def test_work_that_swallows_everything_is_aborted_again() -> None:
    """As a callback of a library in C may, or a handler that catches all."""
    swallowed = list[BaseException]()

    def work() -> None:
        until = thread_time() + PATIENCE
        while thread_time() < until:
            try:
                spin(PATIENCE)
            except BaseException as error:
                swallowed.append(error)
                if len(swallowed) == 3:
                    raise

    with pytest.raises(Problem) as raised:
        within(0.06, work)
    assert raised.value.id == "too-costly"
    assert [type(error) for error in swallowed] == [deadlines.Overrun] * 3
    assert not deadlines.WATCHDOG.under_way
    assert spin(0.12) == "done"


@pytest.mark.usefixtures("brisk")
def test_work_within_work_is_aborted_as_a_whole() -> None:
    with pytest.raises(Problem) as raised:
        within(0.06, within, 5, spin_for_ever)
    assert raised.value.id == "too-costly"
    assert not deadlines.WATCHDOG.under_way
    assert spin(0.12) == "done"


def test_work_that_is_aborted_while_it_leaves_is_hit_by_nothing_later(monkeypatch: pytest.MonkeyPatch) -> None:
    """The watchdog has the lock when the work ends, and aborts it before the work can unregister."""
    watchdog, held, outcomes = deadlines.Watchdog(), Event(), list[str]()
    monkeypatch.setattr(deadlines, "WATCHDOG", watchdog)

    def work() -> None:
        try:
            try:
                within(PATIENCE, held.wait, PATIENCE)
            except Problem as problem:
                outcomes.append(problem.id)
            spin(0.01)
            outcomes.append("not hit")
        except BaseException as error:  # noqa: BLE001 - Overrun is none other
            outcomes.append(type(error).__name__)

    thread, until = Thread(target=work), monotonic() + PATIENCE
    thread.start()
    while not watchdog.under_way:
        assert monotonic() < until
    with watchdog.lock:
        held.set()
        while sys._current_frames()[thread.ident or 0].f_code is not deadlines.Watchdog.leave.__code__:
            assert monotonic() < until
        (registered,) = watchdog.under_way
        deadlines.raise_in(registered.thread, deadlines.Overrun)
    thread.join(PATIENCE)
    assert outcomes == ["too-costly", "not hit"]
    assert not watchdog.under_way


@pytest.fixture
def restless(monkeypatch: pytest.MonkeyPatch) -> None:
    """A watchdog that checks all the time."""
    monkeypatch.setattr(deadlines, "TICK", 0.0002)
    monkeypatch.setattr(deadlines, "WATCHDOG", deadlines.Watchdog())


@pytest.mark.usefixtures("restless")
def test_work_that_ends_at_the_deadline_is_aborted_or_answered_but_not_both() -> None:
    """Hundreds of pieces of work in several threads, each about as long as its deadline, with a pause after each."""
    outcomes: list[str] = []
    late: list[BaseException] = []
    until = monotonic() + PATIENCE

    def are_enough() -> bool:
        return len(outcomes) > 200 and min(outcomes.count("done"), outcomes.count("too-costly")) > 20

    def work(random: Random) -> None:
        try:
            while not late and not are_enough() and monotonic() < until:
                try:
                    outcomes.append(within(0.001, spin, random.uniform(0.0005, 0.002)))
                except Problem as problem:
                    outcomes.append(problem.id)
                spin(0.0005)  # an exception that comes late would strike here
        except BaseException as error:  # noqa: BLE001 - Overrun is none other
            late.append(error)

    threads = [Thread(target=work, args=(Random(number),)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert not late
    assert not deadlines.WATCHDOG.under_way
    assert {"done", "too-costly"} == set(outcomes)
    assert are_enough()


IN_ANOTHER_PROCESS = """
import sys
from capomastro.api.deadlines import within
from capomastro.documents.problems import Problem

try:
    within(0.1, lambda: [number for number in iter(int, 1)])
except Problem as problem:
    print(problem.id)
sys.setprofile(lambda *event: None)
(lambda: None)()
sys.setprofile(None)
print("not stopped")
"""


def test_a_process_that_has_aborted_work_can_be_profiled() -> None:
    """In CPython 3.11 and 3.12, the first call under a profiler never returns while an exception is announced."""
    command = [sys.executable, "-c", IN_ANOTHER_PROCESS]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=True)
    assert done.stdout.split("\n") == ["too-costly", "not stopped", ""]


# --- over HTTP -------------------------------------------------------------------------------------------------------


@pytest.fixture
def hasty(brisk: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[FlaskClient]:
    """A service with a deadline of one second, on a clock that is four times as fast."""
    monkeypatch.setattr(deadlines, "thread_time", lambda: 4 * thread_time())
    monkeypatch.setattr(deadlines, "clock_gettime", lambda clock: 4 * clock_gettime(clock))
    with create_app(Settings(deadline=1)).test_client() as client:
        yield client


def replace_answer(monkeypatch: pytest.MonkeyPatch, question: str, then: Callable[..., Any]) -> None:
    monkeypatch.setattr(f"capomastro.adjudicator.{question}", then)


def test_a_request_that_takes_too_long_is_aborted(hasty: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    ask = Asker(hasty)
    with monkeypatch.context() as patched:
        replace_answer(patched, "audit", lambda *_: spin_for_ever(2))
        response = ask.send("audits", {"state": {}})
        assert problem_in(response)["id"] == "too-costly"
        assert response.status_code == 422
        assert "Retry-After" not in response.headers
    assert ask.refused("audits", {"state": {}})["id"] == "shape"
    assert ask.post("setups", {"players": 2})["state"]


def test_an_answer_to_get_that_takes_too_long_is_aborted(hasty: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("capomastro.adjudicator.game_of", lambda _: spin_for_ever(2))
    response = hasty.get("/v1/games/palazzo/rules")
    assert problem_in(response)["id"] == "too-costly"
    assert response.headers["X-Request-Id"]


def test_a_line_that_takes_too_long_gets_a_verdict(hasty: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    from capomastro.adjudicator.loading import load_record

    monkeypatch.setattr(
        "capomastro.archive.load_record",
        lambda game, document, *rest: (
            spin_for_ever(2) if document["id"] == "slow" else load_record(game, document, *rest)
        ),
    )
    record = {"game": "palazzo", "schema_version": 1, "rules_version": 1, "players": 2, "options": {}, "moves": []}
    lines = [{**record, "id": id} for id in ("first", "slow", "last")]
    body = b"\n".join(map(json_text.encode, lines))
    response = hasty.post("/v1/replays", data=body, content_type="application/x-ndjson")
    verdicts = [json_text.decode(line) for line in lines_of(response.get_data())]
    assert [one["verdict"] for one in verdicts] == ["unfinished", "unusable", "unfinished"]
    assert [one["line"] for one in verdicts] == [1, 2, 3]
    assert verdicts[1]["problem"] == "too-costly"


def test_one_thread_watches_all(monkeypatch: pytest.MonkeyPatch) -> None:
    before = threading.active_count()
    monkeypatch.setattr(deadlines, "WATCHDOG", deadlines.Watchdog())
    for _ in range(3):
        within(1, spin, 0)
    assert threading.active_count() == before + 1
