"""Large bodies and large lines of streams share few places; everything else passes them by."""

import threading
from collections.abc import Callable
from typing import Any

import pytest
from flask.testing import FlaskClient

from capomastro import adjudicator
from capomastro.api.application import create_app
from capomastro.settings import Settings
from tests.support.sockets import PATIENCE, soon

LARGE = b" " * 70_000 + b'{"record":{}}'
LINES = b'{"record":{}' + b" " * 70_000 + b"}\n"
JSON = "application/json"


@pytest.fixture
def client() -> FlaskClient:
    return create_app(Settings(maximum_large=1)).test_client()


def post(client: FlaskClient, body: bytes, path: str = "/v1/games/palazzo/replays", type: str = JSON) -> int:
    response = client.post(path, data=body, content_type=type)
    response.get_data()
    return response.status_code


@pytest.mark.parametrize("first", ["body", "line"])
def test_large_work_waits_for_a_place(client: FlaskClient, monkeypatch: pytest.MonkeyPatch, first: str) -> None:
    """Meanwhile, small and refused requests are answered."""
    begun, go_on, ended = threading.Semaphore(0), threading.Event(), list[int]()

    def wait(*_: Any, **__: Any) -> None:
        begun.release()
        assert go_on.wait(PATIENCE)
        raise MemoryError

    asked: dict[str, Callable[[], int]] = {
        "body": lambda: post(client, LARGE),
        "line": lambda: post(client, LINES, "/v1/replays", "application/x-ndjson"),
    }
    monkeypatch.setattr(adjudicator, "replay", wait)
    monkeypatch.setattr("capomastro.archive.decoded", wait)
    threads = [
        threading.Thread(target=lambda name=name: ended.append(asked[name]())) for name in (first, "body", "line")
    ]
    threads[0].start()
    assert begun.acquire(timeout=PATIENCE)
    for thread in threads[1:]:
        thread.start()
    assert not begun.acquire(timeout=0.3), "the others wait"
    monkeypatch.undo()
    assert post(client, b"{}") == 422
    assert post(client, b" " * 5_000_000) == 413
    assert post(client, LARGE, type="text/csv") == 415
    assert post(client, LARGE, "/none") == 404
    assert not ended, "nobody had to wait for a place"
    go_on.set()
    assert soon(lambda: len(ended) == 3)
    for thread in threads:
        thread.join(PATIENCE)
