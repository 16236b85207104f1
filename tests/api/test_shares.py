"""What one address may use of the CPU: one budget for all processes of an instance, and turns among those that wait."""

from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace

import pytest

from capomastro.api import shares, streams
from capomastro.api.application import create_app
from capomastro.api.shares import WINDOW_SECONDS, Shares, is_limited, owner_of
from capomastro.settings import Settings
from capomastro.worker.scheduling import RequestQueue
from tests.api.test_connections import HEALTH, read_answer
from tests.support.serving import children_of, cpu_seconds, warmly_served
from tests.support.sockets import address_of, connected

RATE = 0.05
Clock = Callable[[float], None]


@pytest.fixture
def at(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Sets the clock."""
    clock = SimpleNamespace(now=1000.0)
    monkeypatch.setattr(shares, "monotonic", lambda: clock.now)
    return lambda now: setattr(clock, "now", 1000.0 + now)


@pytest.mark.parametrize(
    ("settings", "limited"),
    [
        ({}, False),
        ({"host": "::1"}, False),
        ({"host": "localhost"}, False),
        ({"host": "0.0.0.0"}, True),
        ({"host": "service.example"}, True),
        ({"trusted_proxies": "127.0.0.1"}, True),
        ({"trusted_proxies": "127.0.0.1", "client_cpu": 0}, False),
    ],
)
def test_there_is_a_limit_unless_all_clients_have_the_address_of_this_machine(
    settings: dict[str, str | int], limited: bool
) -> None:
    assert is_limited(Settings(**settings)) is limited  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("address", "owner"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3::4", "2001:db8:1:2::"),
        ("2001:db8:1:2::5", "2001:db8:1:2::"),
        ("fe80::1%eth0", "fe80::"),
        ("", ""),
    ],
)
def test_all_addresses_of_a_network_that_one_client_can_use_are_one(address: str, owner: str) -> None:
    assert owner_of(address) == owner


def test_what_was_used_is_paid_off_with_time(at: Clock) -> None:
    known = Shares(RATE)
    known.charge("192.0.2.1", RATE * WINDOW_SECONDS)
    assert known.wait_seconds("192.0.2.1") == 0, "so much can be used at once"
    known.charge("192.0.2.1", 1.0)
    assert known.wait_seconds("192.0.2.1") == pytest.approx(1 / RATE)
    assert known.wait_seconds("192.0.2.2") == 0
    at(10.0)
    assert known.wait_seconds("192.0.2.1") == pytest.approx(1 / RATE - 10)
    at(1 / RATE)
    assert known.wait_seconds("192.0.2.1") == 0


@pytest.mark.long
def test_a_hundred_thousand_addresses_need_no_more_memory_and_do_not_make_others_wait(at: Clock) -> None:
    """All of them together use two cores for a minute."""
    known = Shares(RATE)
    size = len(known.memory)
    for number in range(100_000):
        at(number * 60 / 100_000)
        known.charge(f"2001:db8:{number >> 16:x}:{number & 0xFFFF:x}::", 120 / 100_000)
    assert len(known.memory) == size <= 1024**2
    others = [f"192.0.2.{number}" for number in range(256)]
    assert [one for one in others if known.wait_seconds(one)] == []


@pytest.mark.usefixtures("at")
def test_an_address_that_has_used_its_share_is_refused_but_not_its_neighbours() -> None:
    app = create_app(Settings(trusted_proxies="127.0.0.1", client_cpu=1, log_level="ERROR"))
    client = app.test_client()

    def ask(path: str, address: str, **more: str) -> tuple[int, dict[str, str]]:
        answer = client.open(path, headers={"X-Forwarded-For": address}, **more)  # type: ignore[arg-type]
        problem = answer.get_json()["type"] if answer.status_code == 429 else ""
        return answer.status_code, {"problem": problem, "retry": answer.headers.get("Retry-After", "")}

    record = BytesIO(b'{"record":' + b"[" * 20 + b"]" * 20 + b"}").getvalue().decode()
    question = {"method": "POST", "data": record, "content_type": "application/json"}
    status, facts = 0, {"problem": "", "retry": ""}
    for _ in range(2000):
        status, facts = ask("/v1/games/palazzo/replays", "2001:db8::1", **question)
        if status == 429:
            break
    assert facts["problem"] == "/v1/problems/too-many-requests"
    assert 1 <= int(facts["retry"]) <= 60
    for path in ("/v1/games", "/v1/games/palazzo/replays", "/nowhere"):
        assert ask(path, "2001:db8::ffff")[0] == 429, path
    assert ask("/v1/games", "2001:db8:0:1::1")[0] == 200
    assert ask("/healthz", "2001:db8::1")[0] == ask("/readyz", "2001:db8::1")[0] == 200


def test_all_processes_have_one_budget_and_a_large_body_is_not_read_beyond_it(tmp_path: Path) -> None:
    """One request costs more than two workers may spend on an address: for two minutes, only refusals cost."""
    variables = {"CAPOMASTRO_WORKERS": "2", "CAPOMASTRO_TRUSTED_PROXIES": "127.0.0.1", "CAPOMASTRO_CLIENT_CPU": "1"}
    body = b'{"record":[' + b"1," * 490_000 + b"1]}"
    head = (
        "POST /v1/games/palazzo/replays HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\nX-Forwarded-For: 192.0.2.1\r\n\r\n"
    ).encode()
    with warmly_served(tmp_path, **variables) as (url, process):
        address = address_of(url)
        with connected(address) as connection:
            connection.sendall(head + body)
            assert read_answer(connection).status == 422
        for _ in range(40):  # of both workers
            with connected(address) as connection:
                connection.sendall(head + body[:1])  # the rest is not waited for
                assert read_answer(connection).status == 429
        workers = children_of(process.pid)
        before = sum(map(cpu_seconds, workers))
        for _ in range(50):
            with connected(address) as connection:
                connection.sendall(HEALTH.replace(b"\r\n\r\n", b"\r\nX-Forwarded-For: 192.0.2.1\r\n\r\n"))
                assert read_answer(connection).status == 200
        assert sum(map(cpu_seconds, workers)) - before < 1


def test_a_stream_waits_for_its_share(at: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """A thousand lines cost more than an address has at once; all are answered, after the time that pays for them."""
    slept: list[float] = []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        at(sum(slept))

    monkeypatch.setattr(streams, "sleep", sleep)
    client = create_app(Settings(trusted_proxies="127.0.0.1", client_cpu=1, log_level="ERROR")).test_client()
    answer = client.post("/v1/replays", data=b"{}\n" * 1000, content_type="application/x-ndjson")
    assert len(answer.data.splitlines()) == 1000
    assert sum(slept) > 1


def test_those_that_wait_take_turns() -> None:
    """What waits is begun in order, but nothing of who has a request under way."""
    queue: RequestQueue[str] = RequestQueue(4)
    queue.waiting += ["a1", "a2", "a3", "b1", "a4", "c1"]
    under_way: set[str] = set()

    def start() -> str | None:
        started = queue.start_next(lambda request: request[0] not in under_way)
        under_way.update(started[0] if started else "")
        return started

    assert [start(), start(), start(), start()] == ["a1", "b1", "c1", None]
    queue.running -= 1
    under_way.discard("a")
    assert [start(), start()] == ["a2", None]
    assert list(queue.waiting) == ["a3", "a4"]
