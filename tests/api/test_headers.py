"""No header costs: whatever it is filled with, reading it takes hardly more than a plain request."""

from contextlib import suppress
from functools import cache
from itertools import cycle, islice
from time import thread_time

import pytest
from flask import Flask
from werkzeug.test import EnvironBuilder

from capomastro.api.application import Application, create_app
from capomastro.api.resources import RESOURCES
from capomastro.api.server.behaviour import ServiceBehaviour
from capomastro.settings import Settings
from capomastro.worker.behaviour import Refusal
from capomastro.worker.parsing import RequestHead, wsgi_environ

SIZE = 8_000
FILLINGS = {
    "blanks": " ",
    "tabs": "\t",
    "semicolons": ";",
    "commas": ",",
    "quotation marks": '"',
    "backslashes": "\\",
    "equals signs": "=",
    "parameters": ";a=b",
    "weights": ";q=0.1,a/b",
    "ranges": "a/b,",
    "etags": '"a",',
    "weak etags": "W/",
    "bytes": "bytes=0-1,",
    "languages": "de-",
    "stars": "*",
    "letters": "a",
    "slashes": "/",
    "dashes": "-",
    "colons": ":",
    "dots": ".",
    "percent signs": "%",
    "addresses": "10.0.0.1,",
}
HEADERS = (
    *("Accept", "Accept-Language", "Accept-Encoding", "Accept-Charset", "Content-Type", "Content-Encoding"),
    *("If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since", "If-Range", "Range", "Cookie"),
    *("Authorization", "Origin", "X-Request-Id", "X-Forwarded-For", "Access-Control-Request-Method"),
    *("Access-Control-Request-Headers", "User-Agent", "Referer", "Cache-Control", "Host", "Connection", "Upgrade"),
)
BEGIN, END = "application/json", "x"
FEW_SECONDS = 0.005
PATHS = sorted(
    {
        (one.method, one.path.format(game="palazzo", rule="palazzo.end.over", document="state", problem="busy"))
        for one in RESOURCES
    }
    | {("GET", path) for path in ("/", "/docs", "/score/palazzo", "/none", "/openapi.yaml")}
)
SOME_PATHS = [
    ("GET", "/"),
    ("GET", "/v1/games"),
    ("POST", "/v1/games/palazzo/setups"),
    ("POST", "/v1/replays"),
    ("GET", "/docs/"),
]


@pytest.fixture(scope="module")
def app() -> Application:
    return create_app(
        Settings(log_level="ERROR", trusted_proxies="127.0.0.1 10.0.0.0/8", cors_origin="https://a.example")
    )


def seconds(app: Flask, method: str, path: str, header: str = "", value: str = "") -> float:
    """CPU time of a request with a header, the best of three if it is high."""
    given = {"Content-Type": "application/json", **({header: value} if header else {})}
    times = []
    for _ in range(3):
        environ = EnvironBuilder(path, method=method, headers=given.items(), data=b"{}").get_environ()
        began = thread_time()
        answer = app(environ, lambda *_: lambda _: None)
        for _ in answer:
            pass
        answer.close() if hasattr(answer, "close") else None
        times.append(thread_time() - began)
        if times[-1] < FEW_SECONDS:
            break
    return min(times)


@pytest.mark.long
@pytest.mark.parametrize("filling", FILLINGS.values(), ids=FILLINGS)
def test_no_header_costs_more_than_ten_plain_requests(app: Application, filling: str) -> None:
    """Every header on one of some paths, and the one that chooses what is answered on every path."""
    long = filling * (SIZE // len(filling))
    values = (long, BEGIN + long + END, END + long)
    turn = list(FILLINGS.values()).index(filling)  # so each header meets each path
    paths = islice(cycle(SOME_PATHS), turn, None)
    tried = [(*place, header, value) for place, header in zip(paths, HEADERS, strict=False) for value in values]
    tried += [(*place, "Accept", values[(turn + number) % 3]) for number, place in enumerate(PATHS)]
    for method, path, header, value in tried:
        most = max(FEW_SECONDS, 10 * plain_seconds(app, method, path))
        assert seconds(app, method, path, header, value) <= most, (method, path, header)


@cache
def plain_seconds(app: Flask, method: str, path: str) -> float:
    return seconds(app, method, path)


@pytest.mark.parametrize("filling", FILLINGS.values(), ids=FILLINGS)
def test_neither_does_it_in_the_thread_that_handles_all_connections(app: Application, filling: str) -> None:
    """There the head is checked, and it is decided what is done with the body."""
    behaviour = ServiceBehaviour(app)
    long = filling * (SIZE // len(filling))
    for header in (*HEADERS, "Transfer-Encoding", "Expect", "Content-Length"):
        fields = [(header.lower().encode(), f"{BEGIN}{long}{END}".encode())] * 4
        spent = []
        for _ in range(3):
            began = thread_time()
            with suppress(Refusal, ValueError):  # more than one length, which the parser refuses
                head = RequestHead("POST", "/v1/games/palazzo/replays", (1, 1), [(b"host", b"x"), *fields])
                with suppress(Refusal):
                    head.check()
                behaviour.body_handling(wsgi_environ(head, ("127.0.0.1", 1), ("127.0.0.1", 2)))
            spent.append(thread_time() - began)
            if spent[-1] <= FEW_SECONDS:
                break
        assert min(spent) <= FEW_SECONDS, header
