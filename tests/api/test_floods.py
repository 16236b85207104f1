"""Floods of what costs the thread that handles all connections most: others are answered in between.

What is measured is the CPU time that the worker has spent until it answers, which does not depend on other processes.
"""

import os
import select
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from multiprocessing import get_context
from statistics import median
from urllib.request import urlopen

import pytest

from tests.api.test_connections import HEALTH, read_answer
from tests.support.serving import children_of, cpu_seconds, free_port, warmly_served
from tests.support.sockets import PATIENCE, Address, address_of, connected, soon

HEAD = b"POST /v1/games/palazzo/replays HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
FLOODS = {
    "chunks of six bytes": CHUNKED + b"6\r\n      \r\n" * 15_000,
    "chunks of empty lines": CHUNKED + b"8\r\n\r\n\r\n\r\n\r\n\r\n" * 15_000,
    "chunks of a byte": CHUNKED + b"1\r\n \r\n" * 30_000,
    "an endless trailer": CHUNKED + b"0\r\n" + b"A: b\r\n" * 30_000,
    "fields": b"GET /healthz HTTP/1.1\r\nHost: x\r\n" + b"A: b\r\n" * 5_000,
    "empty lines": b"\r\n\r\n" * 30_000,
    "requests": HEALTH * 3_000,
    "a costly header": (HEAD + b"Accept: a/b" + b" " * 7_000 + b"c\r\n" + b"Content-Length: 9999999\r\n\r\n") * 30,
}
RECORD = b'{"record":' + b"[" * 20 + b'"text",' * 60_000 + b"1" + b"]" * 20 + b"}"
COSTLY = (
    HEAD + b"Content-Length: %d\r\n\r\n" % len(RECORD) + RECORD,
    b"POST /v1/replays HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-ndjson\r\nContent-Length: 6000\r\n\r\n"
    + b"{}   \n" * 1000,
)
"""A body of 400 kB, and a stream of a thousand lines."""
CONNECTIONS = int(os.environ.get("CAPOMASTRO_TEST_FLOOD", "100"))
CPU = ("capomastro_request_cpu_seconds_total{", "capomastro_server_cpu_seconds_total{")
MOST_SECONDS = 1.0
"""CPU time of the worker until health is answered: a few turns of the loop, and what its threads do meanwhile."""


def flood(address: Address, content: bytes, connections: int = CONNECTIONS) -> None:
    """Sends content over many connections at once, and reads nothing."""
    with ExitStack() as stack:
        unsent = {}
        for _ in range(connections):
            connection = stack.enter_context(connected(address))
            connection.setblocking(False)
            unsent[connection] = memoryview(content)
        until = time.monotonic() + PATIENCE
        while unsent and time.monotonic() < until:
            for connection in select.select([], list(unsent), [], 1)[1]:
                try:
                    unsent[connection] = unsent[connection][connection.send(unsent[connection]) :]
                except BlockingIOError:
                    continue
                except OSError:  # refused
                    del unsent[connection]
                    continue
                if not unsent[connection]:
                    del unsent[connection]


@contextmanager
def flooded(address: Address, content: bytes) -> Iterator[Callable[[], bool]]:
    """A flood from another process; whether it goes on."""
    process = get_context("fork").Process(target=flood, args=(address, content), daemon=True)
    process.start()
    try:
        yield process.is_alive
    finally:
        process.kill()
        process.join()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Address, int, int]]:
    """The address of a server, the id of its worker, and the port of its metrics."""
    port = free_port()
    with warmly_served(
        tmp_path_factory.mktemp("server"), CAPOMASTRO_METRICS_PORT=str(port), CAPOMASTRO_MAXIMUM_CONNECTIONS="1100"
    ) as (url, process):
        with connected(address_of(url)) as connection:
            connection.sendall(HEALTH)
            read_answer(connection)
        yield address_of(url), max(children_of(process.pid)), port


@pytest.mark.long
@pytest.mark.parametrize("content", FLOODS.values(), ids=FLOODS)
def test_health_is_answered_during_a_flood(server: tuple[Address, int, int], content: bytes) -> None:
    address, worker, _ = server
    spent: list[float] = []
    with flooded(address, content) as goes_on:
        while goes_on() or not spent:
            began = cpu_seconds(worker)
            with connected(address) as connection:
                connection.sendall(HEALTH)
                assert read_answer(connection).status == 200
            spent.append(cpu_seconds(worker) - began)
            time.sleep(0.01)
    print(f"{len(spent)} answers; median {median(spent):.2f}, at most {max(spent):.2f} s of CPU")
    assert median(spent) <= MOST_SECONDS


@pytest.mark.long
def test_the_cpu_time_of_floods_is_accounted_for(server: tuple[Address, int, int]) -> None:
    """Of what a worker spends after this, nearly all is a request's, or the server's own."""
    address, worker, port = server
    assert soon(lambda: measured(port, "capomastro_connections ") == 0)
    before, counted_before = cpu_seconds(worker), measured(port, *CPU)
    for content in FLOODS.values():
        flood(address, content, 10)
    for costly in COSTLY:
        with connected(address) as connection:
            connection.sendall(costly)
            read_answer(connection)
    with connected(address) as connection:  # it comes after all others
        connection.sendall(HEALTH)
        assert read_answer(connection).status == 200
    time.sleep(0.6)  # until the open connections are counted again
    assert soon(lambda: measured(port, "capomastro_connections ") == 0)
    spent, counted = cpu_seconds(worker) - before, measured(port, *CPU) - counted_before
    assert spent > 0.2
    assert counted >= 0.98 * spent - 0.02, "the clock of the system has ticks of 10 ms"


def measured(port: int, *names: str) -> float:
    """The sum of all metrics that begin so."""
    with urlopen(f"http://127.0.0.1:{port}/metrics") as page:
        lines = page.read().decode().splitlines()
    return sum(float(line.rsplit(" ", 1)[1]) for line in lines if line.startswith(names))
