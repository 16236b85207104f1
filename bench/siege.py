"""How long health and a small transition take while the service is besieged: make campaign NAME=siege.

500 connections trickle headers or bodies, a byte from time to time, and come again when they are closed. Eight clients
send the most expensive requests, one after the other: long replays, the legal moves of the most expensive state, and
what the campaign `slowest` found. Beside them one client asks for health and one for a small transition, each over a
new connection every time, as a new client would.

    python -m bench.siege [--seconds 20] [--connections 500] [--worst 8] [--service ../other/service]

An answer that takes longer than a client's time-out counts as that time-out; refusals with 503 count as answers and are
listed separately. The server runs with two processes and otherwise default settings. README.md has earlier figures.
"""

from __future__ import annotations

import argparse
import json
import random
import selectors
import socket
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from http.client import HTTPConnection, HTTPException
from itertools import cycle
from pathlib import Path
from urllib.parse import urlsplit

from tests.campaigns.asking import Request
from tests.campaigns.kept import SLOW, kept
from tests.campaigns.worst import SLOWEST, question, worst
from tests.support.serving import served

from bench.positions import middle_of_games, request_to_move
from bench.worst_states import all_money
from capomastro.documents import json_text
from capomastro.games import all_games

TIMEOUT_SECONDS = 10.0
"""Seconds after which a client gives up."""
PAUSE = 0.05
"""Seconds between two questions of a client that measures."""
HEALTH = Request("GET", "/healthz")
BEGUN = (
    b"GET /healthz HTTP/1.1\r\nHost: x\r\nX-Long: ",
    b"POST /v1/games/palazzo/setups HTTP/1.1\r\nHost: x\r\nContent-Length: 4000\r\n\r\n{",
)


def long_replay() -> bytes:
    """A record of nearly 10,000 moves and 4 MiB; all are read and have the shape of a move."""
    record = json.loads(Path("conformance/palazzo/records/three-plan.json").read_bytes())
    auctions = [{"type": "raise", "seat": 0, "cards": ["red-7"] * 36}] * 9_500
    return json_text.encode({"record": {**record, "moves": [*record["moves"], *auctions]}, "repair": "skip"})


def worst_requests() -> list[Request]:
    """What costs most."""
    (most_expensive, *_) = (state for _, state in all_money())
    listed = json_text.encode({"state": most_expensive, "payments": "all", "limit": 1000})
    named = dict(worst())
    return [
        question("palazzo", "replays", long_replay()),
        question("palazzo", "legal-moves", listed),
        *(named[name]() for name in SLOWEST),
        *kept(SLOW).values(),
    ]


def trickle(address: tuple[str, int], count: int, stop: threading.Event) -> None:
    """Keeps `count` connections that each send a byte per second, and reconnects when they are closed."""
    selector = selectors.DefaultSelector()

    def connect() -> socket.socket:
        connection = socket.create_connection(address, timeout=TIMEOUT_SECONDS)
        connection.sendall(random.choice(BEGUN))
        connection.setblocking(False)
        selector.register(connection, selectors.EVENT_READ)
        return connection

    connections: list[socket.socket] = []
    while not stop.is_set():
        began = time.monotonic()
        for connection in connections[:]:
            try:
                connection.send(b"a")
            except BlockingIOError:
                pass
            except OSError:
                leave(connection, connections, selector)
        for key, _ in selector.select(0):
            leave(key.fileobj, connections, selector)  # type: ignore[arg-type]
        while len(connections) < count and not stop.is_set() and time.monotonic() < began + 1:
            try:
                connections.append(connect())
            except OSError:
                break
        stop.wait(max(0.0, began + 1 - time.monotonic()))
    for connection in connections:
        connection.close()


def leave(connection: socket.socket, connections: list[socket.socket], selector: selectors.BaseSelector) -> None:
    selector.unregister(connection)
    connections.remove(connection)
    connection.close()


def ask(address: tuple[str, int], request: Request) -> str:
    """The status of an answer, or the reason why there is none."""
    connection = HTTPConnection(*address, timeout=TIMEOUT_SECONDS)
    path = f"{request.path}?{request.query}" if request.query else request.path
    try:
        connection.request(request.method, path, request.body or None, dict(request.headers))
        response = connection.getresponse()
        response.read()
        return str(response.status)
    except (OSError, HTTPException) as error:
        return type(error).__name__
    finally:
        connection.close()


def ask_next(address: tuple[str, int], requests: Iterator[Request]) -> str:
    """The same of the next of many requests."""
    return ask(address, next(requests))


class Measured:
    """Measures the response times of one request, sent repeatedly."""

    def __init__(self, name: str, question: Callable[[], str]) -> None:
        self.name = name
        self.question = question
        self.seconds: list[float] = []
        self.outcomes: Counter[str] = Counter()

    def ask_repeatedly(self, stop: threading.Event) -> None:
        while not stop.is_set():
            began = time.monotonic()
            self.outcomes[self.question()] += 1
            self.seconds.append(time.monotonic() - began)
            stop.wait(PAUSE)

    def line(self) -> str:
        """A row of the table."""
        shown = [f"{percentile(self.seconds, share):7.3f}" for share in (0.5, 0.99, 1.0)]
        outcomes = ", ".join(f"{count} × {outcome}" for outcome, count in self.outcomes.most_common())
        return f"| {self.name:22} | {' | '.join(shown)} | {outcomes} |"


def percentile(seconds: Sequence[float], share: float) -> float:
    """The time within which this share of the answers came."""
    ordered = sorted(seconds)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def siege(seconds: float, connections: int, worst: int, **variables: str) -> list[Measured]:
    """Besieges a server with two processes for so long; `variables` are further ones of its environment."""
    stop = threading.Event()
    position = middle_of_games(all_games()["palazzo"])[0]
    move = question("palazzo", "transitions", request_to_move(position))
    requests = worst_requests()
    with (
        tempfile.TemporaryDirectory() as folder,
        served(directory=Path(folder), CAPOMASTRO_WORKERS="2", **variables) as (url, _),
    ):
        parts = urlsplit(url)
        address = (parts.hostname or "", parts.port or 0)
        measured = [
            Measured("health", partial(ask, address, HEALTH)),
            Measured("a small transition", partial(ask, address, move)),
        ]
        expensive = [
            Measured("the worst", partial(ask_next, address, cycle(requests[number:] + requests[:number])))
            for number in range(worst)
        ]
        threads = [threading.Thread(target=trickle, args=(address, connections, stop), daemon=True)]
        threads += [threading.Thread(target=one.ask_repeatedly, args=(stop,), daemon=True) for one in expensive]
        for thread in threads:
            thread.start()
        time.sleep(3)  # until all are there
        asking = [threading.Thread(target=one.ask_repeatedly, args=(stop,), daemon=True) for one in measured]
        for thread in asking:
            thread.start()
        time.sleep(seconds)
        stop.set()
        for thread in asking + threads:
            thread.join(2 * TIMEOUT_SECONDS)
    all_expensive = Measured("the worst requests", lambda: "")
    for one in expensive:
        all_expensive.seconds += one.seconds
        all_expensive.outcomes += one.outcomes
    return [*measured, all_expensive]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--connections", type=int, default=500)
    parser.add_argument("--worst", type=int, default=8)
    parser.add_argument("--service", help="the folder `service` of another checkout, whose server is besieged instead")
    arguments = parser.parse_args()
    other = {"PYTHONPATH": str(Path(arguments.service).resolve())} if arguments.service else {}
    print(f"{arguments.connections} connections that trickle, {arguments.worst} worst requests at once; seconds")
    print("| asked                  |  median |     p99 |     max | answers |")
    print("|---|---|---|---|---|")
    for one in siege(arguments.seconds, arguments.connections, arguments.worst, **other):
        if one.seconds:
            print(one.line())


if __name__ == "__main__":
    main()
