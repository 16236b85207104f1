"""Connections over real sockets: slow and idle clients, and malformed HTTP; other clients do not notice them."""

import json
import select
import socket
import struct
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from http.client import HTTPResponse
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from capomastro.documents import json_text
from capomastro.documents.wordings import phrase
from tests.support.lines import lines_of
from tests.support.serving import served, warmly_served, with_files_up_to, worker_of
from tests.support.sockets import PATIENCE, Address, address_of, connected, soon

HEALTH = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
SETUP = b"POST /v1/games/palazzo/setups HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
BODY = b'{"players":2}'
LIMITS = {
    "CAPOMASTRO_HEADER_TIMEOUT": "1",
    "CAPOMASTRO_KEEP_ALIVE": "2",
    "CAPOMASTRO_LEAST_RATE": "10000",
    "CAPOMASTRO_THREADS": "1",
    "CAPOMASTRO_MAXIMUM_CONNECTIONS": "100",
}
PATIENT = {"CAPOMASTRO_HEADER_TIMEOUT": "600", "CAPOMASTRO_KEEP_ALIVE": "600"}
"""For tests of what happens at once, and otherwise not before their patience ends."""


class Server(NamedTuple):
    """A running server, its log file, and the process id of its only worker."""

    address: Address
    log: Path
    worker: int

    def lines(self) -> list[dict[str, Any]]:
        """The lines of the log; each has to be JSON."""
        return [json.loads(line) for line in lines_of(self.log.read_text("utf-8"))]

    def lines_of(self, request_id: str) -> list[dict[str, Any]]:
        """The log lines about a request, which is answered first and logged afterwards."""
        deadline = time.monotonic() + PATIENCE
        while not (found := [line for line in self.lines() if line.get("request_id") == request_id]):
            assert time.monotonic() < deadline, f"{request_id} is not logged"
            time.sleep(0.01)
        return found


@contextmanager
def running(directory: Path, **variables: str) -> Iterator[Server]:
    with warmly_served(directory, **variables) as (url, process):
        yield Server(address_of(url), directory / "log", worker_of(process.pid))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(tmp_path_factory.mktemp("server"), **LIMITS) as started:
        yield started


class Answer(NamedTuple):
    """An answer as it arrived."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def problem(self) -> str:
        """The id of the problem in the answer, which must have the form of all problems."""
        assert self.headers["content-type"] == "application/problem+json"
        assert self.headers["x-request-id"]
        document = json_text.decode(self.body)
        assert document["status"] == self.status
        return str(document["type"]).removeprefix("/v1/problems/")


def has_ipv6() -> bool:
    with suppress(OSError), socket.create_server(("::1", 0), family=socket.AF_INET6):
        return True
    return False


def read_answer(connection: socket.socket, method: str = "GET") -> Answer:
    response = HTTPResponse(connection, method=method)
    response.begin()
    return Answer(response.status, {name.lower(): value for name, value in response.headers.items()}, response.read())


def answer_to(server: Server, sent: bytes) -> Answer:
    with connected(server.address) as connection:
        connection.sendall(sent)
        return read_answer(connection)


def is_closed(connection: socket.socket) -> bool:
    """Whether the server has closed the connection without sending anything more."""
    try:
        return connection.recv(1) == b""
    except ConnectionResetError:
        return True


def seconds_of(ask: Callable[[], object]) -> float:
    began = time.monotonic()
    ask()
    return time.monotonic() - began


# --- who is slow costs nobody anything -------------------------------------------------------------------------------

SLOW = {
    "say nothing": b"",
    "say a part of a request line": b"GET /hea",
    "say a part of a header": b"GET /healthz HTTP/1.1\r\nHost: x\r\nX-A",
    "send a part of a body": SETUP + b"Content-Length: 13\r\n\r\n{",
    "send a part of a chunk": SETUP + b"Transfer-Encoding: chunked\r\n\r\nd\r\n{",
}


@pytest.mark.parametrize("sent", SLOW.values(), ids=SLOW)
def test_others_are_answered_while_many_clients_misbehave(server: Server, sent: bytes) -> None:
    """One thread and 50 unfinished requests."""
    with ExitStack() as stack:
        for _ in range(50):
            stack.enter_context(connected(server.address)).sendall(sent)
        assert answer_to(server, HEALTH).status == 200
        assert answer_to(server, SETUP + b"Content-Length: 13\r\n\r\n" + BODY).status == 200


def trickle(connection: socket.socket, content: bytes) -> bool:
    """Sends a byte from time to time; whether it is answered, or the connection closed, while it does."""
    connection.settimeout(0.05)
    try:
        for number in range(200):
            with suppress(TimeoutError):
                connection.sendall(content[number : number + 1] or b"x")
                if connection.recv(1, socket.MSG_PEEK):
                    return True
    except OSError:
        return True
    finally:
        connection.settimeout(PATIENCE)
    return False


TRICKLED = {
    "header": (b"GET /healthz HTTP/1.1\r\nX-Long: ", b"a" * 1000),
    "body": (SETUP + b"Content-Length: 10000\r\n\r\n", b"{"),
    "chunks": (SETUP + b"Transfer-Encoding: chunked\r\n\r\n", b"f000\r\n{"),
}


@pytest.mark.parametrize(("begun", "rest"), TRICKLED.values(), ids=TRICKLED)
def test_a_trickling_client_gets_a_time_out(server: Server, begun: bytes, rest: bytes) -> None:
    """Each byte is in time, the request as a whole is not."""
    with connected(server.address) as connection:
        connection.sendall(begun)
        assert trickle(connection, rest)
        answer = read_answer(connection)
        assert (answer.status, answer.problem) == (408, "request-timeout")
        assert answer.headers["connection"] == "close"


def test_a_body_at_the_minimum_rate_is_accepted(server: Server) -> None:
    """A body may take longer than a header, as long as enough arrives."""
    with connected(server.address) as connection:
        connection.sendall(SETUP + b"Content-Length: 160013\r\n\r\n")
        for _ in range(16):
            connection.sendall(b" " * 10_000)
            time.sleep(0.1)
        connection.sendall(BODY)
        assert read_answer(connection).status == 200


def test_a_silent_client_is_disconnected(server: Server) -> None:
    with connected(server.address) as connection:
        assert is_closed(connection)


def test_a_client_that_falls_silent_is_disconnected(server: Server) -> None:
    with connected(server.address) as connection:
        connection.sendall(HEALTH)
        assert read_answer(connection).headers["connection"] == "keep-alive"
        took = seconds_of(lambda: is_closed(connection))
        assert took > 1


def test_a_client_that_does_not_read_blocks_no_thread(tmp_path: Path) -> None:
    """The answer is larger than the system's buffers, there is only one thread, and nobody is disconnected."""
    with running(tmp_path, **PATIENT, CAPOMASTRO_THREADS="1") as server, ExitStack() as stack:
        for _ in range(5):
            connection = stack.enter_context(closing(socket.socket()))
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            connection.settimeout(PATIENCE)
            connection.connect(server.address)
            connection.sendall(b"GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n" * 40)
        assert answer_to(server, HEALTH).status == 200
        assert answer_to(server, SETUP + b"Content-Length: 13\r\n\r\n" + BODY).status == 200


def test_a_slow_reader_gets_the_whole_answer(server: Server) -> None:
    with connected(server.address) as connection:
        connection.sendall(b"GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n")
        time.sleep(0.5)
        answer = read_answer(connection)
    assert len(answer.body) == int(answer.headers["content-length"])
    assert json_text.decode(answer.body)["openapi"] == "3.1.0"


def test_of_too_many_connections_the_oldest_idle_one_is_closed(tmp_path: Path) -> None:
    """It would be kept for far longer."""
    with running(tmp_path, **PATIENT, CAPOMASTRO_MAXIMUM_CONNECTIONS="100") as server, ExitStack() as stack:
        first = stack.enter_context(connected(server.address))
        for _ in range(110):
            stack.enter_context(connected(server.address))
        assert is_closed(first)
        assert answer_to(server, HEALTH).status == 200


def test_a_body_for_which_the_disk_has_no_room_is_refused(tmp_path: Path) -> None:
    """However little of it is missing: its last bytes are written when all have arrived."""
    records = b"POST /v1/games/palazzo/records HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
    with served(with_files_up_to(68 * 1024), tmp_path) as (url, _):
        address = address_of(url)
        for size, problem in (
            (68 * 1024, "malformed-json"),
            (68 * 1024 + 1, "busy"),
            (72 * 1024 + 1, "busy"),
            (2_000_000, "busy"),
            (68 * 1024, "malformed-json"),
        ):
            with connected(address) as connection:
                connection.sendall(records + b"Content-Length: %d\r\n\r\n" % size + b" " * size)
                assert read_answer(connection).problem == problem, size


@pytest.mark.parametrize("maximum", [1, 3])
def test_as_many_connections_as_allowed_stay_open(tmp_path: Path, maximum: int) -> None:
    """The last one allowed closes none; each one beyond closes the oldest, also after a while."""
    with running(tmp_path, **PATIENT, CAPOMASTRO_MAXIMUM_CONNECTIONS=str(maximum)) as server, ExitStack() as stack:
        held = []
        for _ in range(maximum):  # one after the other: the connection of who waited for the server may only just end
            held.append(stack.enter_context(connected(server.address)))
            held[-1].sendall(HEALTH)
            assert read_answer(held[-1]).status == 200
        for connection in held:
            connection.sendall(HEALTH)
            assert read_answer(connection).status == 200, "it is still open"
        for _ in range(2):
            time.sleep(0.6)  # the deadlines of all connections are checked meanwhile
            held.append(stack.enter_context(connected(server.address)))
            assert is_closed(held.pop(0))
            held[-1].sendall(HEALTH)
            assert read_answer(held[-1]).status == 200


def test_half_sent_bodies_are_not_in_memory(tmp_path: Path) -> None:
    with running(tmp_path, CAPOMASTRO_MAXIMUM_GATHERED_BYTES="30000000") as server, ExitStack() as stack:
        part = b"POST /v1/games/palazzo/replays HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
        part += b"Content-Length: 4000000\r\n\r\n" + b" " * 3_000_000
        connections = [stack.enter_context(connected(server.address)) for _ in range(12)]
        for connection in connections[:9]:
            connection.sendall(part)
        assert soon(lambda: files_of(server.worker) > 26_000_000)
        assert memory_of(server.worker) < 120_000
        for connection in connections[9:]:
            with suppress(BrokenPipeError, ConnectionResetError):
                connection.sendall(part)
        answered, _, _ = select.select(connections[9:], [], [], PATIENCE)  # one still has room, whichever is read first
        refused = read_answer(answered[0])
        assert (refused.status, refused.problem) == (503, "busy")
        assert answer_to(server, HEALTH).status == 200


def files_of(process: int) -> int:
    """The bytes in files without a name that a process has open."""
    total = 0
    for file in Path(f"/proc/{process}/fd").iterdir():
        try:
            if int(file.name) > 2 and str(file.readlink()).endswith("(deleted)"):
                total += file.stat().st_size
        except OSError:
            continue
    return total


def memory_of(process: int) -> int:
    """Resident memory in kB."""
    status = Path(f"/proc/{process}/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS:"))


# --- more than can be done -------------------------------------------------------------------------------------------


def replay_of(moves: int) -> bytes:
    """A request whose answer takes a while: a record of many moves, the first of them illegal."""
    record = {
        "game": "palazzo",
        "schema_version": 1,
        "rules_version": 1,
        "players": 2,
        "options": {},
        "moves": [{"type": "draw-tile", "tile": "brick-1-1"}] * moves,
    }
    body = json.dumps({"record": record}).encode()
    head = b"POST /v1/games/palazzo/replays HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
    return head + b"Content-Length: %d\r\n\r\n" % len(body) + body


def test_requests_beyond_the_waiting_limit_are_refused(tmp_path: Path) -> None:
    """Meanwhile health is answered, and afterwards the waiting requests."""
    few = {"CAPOMASTRO_THREADS": "1", "CAPOMASTRO_MAXIMUM_WAITING": "2"}
    with running(tmp_path, **few) as server, ExitStack() as stack:
        assert answer_to(server, HEALTH).status == 200
        connections = [stack.enter_context(connected(server.address)) for _ in range(12)]
        # All are completed at once: sent one after the other, the first would be done before the last arrives.
        request = replay_of(9_000)
        for connection in connections:
            connection.sendall(request[:-1])
        for connection in connections:
            connection.sendall(request[-1:])
        assert answer_to(server, HEALTH).status == 200
        answers = [read_answer(connection) for connection in connections]
        busy = [answer for answer in answers if answer.status == 503]
        assert busy
        assert {answer.problem for answer in busy} == {"busy"}
        assert all(int(answer.headers["retry-after"]) > 0 for answer in busy)
        assert sum(answer.status == 200 for answer in answers) >= 2
        assert len(busy) + sum(answer.status == 200 for answer in answers) == 12


# --- one voice -------------------------------------------------------------------------------------------------------

CHUNKED = b"Transfer-Encoding: chunked\r\n\r\n"
REFUSED = {
    "no HTTP at all": (b"hello\r\n\r\n", 400, "bad-request"),
    "a TLS greeting": (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 400, "bad-request"),
    "no host": (b"GET /healthz HTTP/1.1\r\n\r\n", 400, "bad-request"),
    "two hosts": (b"GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400, "bad-request"),
    "no host's name": (b"GET /healthz HTTP/1.1\r\nHost: a b\r\n\r\n", 400, "bad-request"),
    "bare line feeds": (b"GET /healthz HTTP/1.1\nHost: x\n\n", 400, "bad-request"),
    "a bare line feed in the header": (b"GET /healthz HTTP/1.1\r\nHost: x\nA: b\r\n\r\n", 400, "bad-request"),
    "a folded header": (b"GET /healthz HTTP/1.1\r\nHost: x\r\nA: b\r\n c\r\n\r\n", 400, "bad-request"),
    "a space before the colon": (SETUP + b"Content-Length : 13\r\n\r\n" + BODY, 400, "bad-request"),
    "a null byte": (b"GET /healthz HTTP/1.1\r\nHost: x\r\nA: b\0c\r\n\r\n", 400, "bad-request"),
    "a long request line": (b"GET /" + b"a" * 9_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n", 414, "uri-too-long"),
    "an endless request line": (b"GET /" + b"a" * 20_000, 414, "uri-too-long"),
    "a long field": (b"GET / HTTP/1.1\r\nA: " + b"a" * 9_000 + b"\r\n\r\n", 431, "headers-too-large"),
    "many fields": (b"GET / HTTP/1.1\r\nHost: x\r\n" + b"A: b\r\n" * 101 + b"\r\n", 431, "headers-too-large"),
    "a large header": (
        b"GET / HTTP/1.1\r\nHost: x\r\n" + b"".join(b"A%d: %s\r\n" % (n, b"a" * 8_000) for n in range(5)),
        431,
        "headers-too-large",
    ),
    "another expectation": (SETUP + b"Expect: 200-ok\r\n\r\n", 417, "expectation-failed"),
    "gzip for transfer": (SETUP + b"Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", 501, "not-implemented"),
    "identity for transfer": (SETUP + b"Transfer-Encoding: identity, chunked\r\n\r\n0\r\n\r\n", 501, "not-implemented"),
    "something else for transfer": (SETUP + b"Transfer-Encoding: x\r\n\r\n", 501, "not-implemented"),
    "only gzip for transfer": (SETUP + b"Transfer-Encoding: gzip\r\n\r\n", 400, "bad-request"),
    "chunked twice": (SETUP + b"Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n", 400, "bad-request"),
    "length and chunks": (SETUP + b"Content-Length: 13\r\n" + CHUNKED + b"0\r\n\r\n", 400, "bad-request"),
    "two lengths": (SETUP + b"Content-Length: 13\r\nContent-Length: 13\r\n\r\n" + BODY, 400, "bad-request"),
    "two lengths in one": (SETUP + b"Content-Length: 13, 13\r\n\r\n" + BODY, 400, "bad-request"),
    "a length with a sign": (SETUP + b"Content-Length: +13\r\n\r\n" + BODY, 400, "bad-request"),
    "a length of thousands of digits": (SETUP + b"Content-Length: " + b"9" * 5_000 + b"\r\n\r\n", 400, "bad-request"),
    "a host that does not end": (b"GET http://[/healthz HTTP/1.1\r\nHost: x\r\n\r\n", 400, "bad-request"),
    "a host that does not begin": (b"GET http://x]/healthz HTTP/1.1\r\nHost: x\r\n\r\n", 400, "bad-request"),
    "an address that is none": (b"GET http://[zz]/healthz HTTP/1.1\r\nHost: x\r\n\r\n", 400, "bad-request"),
    "a stream to no host": (
        b"POST http://[/v1/replays HTTP/1.1\r\nHost: x\r\n" + CHUNKED + b"0\r\n\r\n",
        400,
        "bad-request",
    ),
    "chunks in HTTP/1.0": (b"POST / HTTP/1.0\r\n" + CHUNKED + b"0\r\n\r\n", 400, "bad-request"),
    "a chunk without end": (SETUP + CHUNKED + b"d\r\n" + BODY + b"xx", 400, "bad-request"),
    "a size with a prefix": (SETUP + CHUNKED + b"0xd\r\n" + BODY + b"\r\n0\r\n\r\n", 400, "bad-request"),
    "a length in the trailer": (SETUP + CHUNKED + b"0\r\nContent-Length: 1\r\n\r\n", 400, "bad-request"),
    "chunks of a byte each": (SETUP + CHUNKED + b"1\r\n \r\n" * 20_000, 400, "bad-request"),
    "HTTP/2": (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505, "http-version"),
    "another version": (b"GET /healthz HTTP/3.0\r\nHost: x\r\n\r\n", 505, "http-version"),
    "no version": (b"GET /healthz\r\n\r\n", 400, "bad-request"),
    "a method in small letters": (b"get /healthz HTTP/1.1\r\nHost: x\r\n\r\n", 501, "not-implemented"),
    "an unknown method": (b"FETCH /healthz HTTP/1.1\r\nHost: x\r\n\r\n", 501, "not-implemented"),
    "a tunnel": (b"CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n", 501, "not-implemented"),
    "HTTP/2.0": (b"GET /healthz HTTP/2.0\r\nHost: x\r\n\r\n", 505, "http-version"),
    "HTTP/1.2": (b"GET /healthz HTTP/1.2\r\nHost: x\r\n\r\n", 505, "http-version"),
    "another protocol": (b"OPTIONS * RTSP/1.0\r\nHost: x\r\n\r\n", 400, "bad-request"),
    "a radio": (b"SOURCE /x ICE/1.0\r\nHost: x\r\n\r\n", 400, "bad-request"),
    "two blanks": (b"GET  /healthz HTTP/1.1\r\nHost: x\r\n\r\n", 400, "bad-request"),
    "a blank at the end": (b"GET /healthz HTTP/1.1 \r\nHost: x\r\n\r\n", 400, "bad-request"),
    "a tab": (b"GET\t/healthz\tHTTP/1.1\r\nHost: x\r\n\r\n", 400, "bad-request"),
    "a fragment": (b"GET /v1/games#x HTTP/1.1\r\nHost: x\r\n\r\n", 400, "bad-request"),
    "a fragment after a query": (b"GET /v1/games?a=b#x HTTP/1.1\r\nHost: x\r\n\r\n", 400, "bad-request"),
    "no slash": (b"GET healthz HTTP/1.1\r\nHost: x\r\n\r\n", 400, "bad-request"),
    "a letter beyond ASCII": ("GET /é HTTP/1.1\r\nHost: x\r\n\r\n".encode(), 400, "bad-request"),
    "a carriage return": (b"GET /healthz HTTP/1.1\r\nHost: x\r\nA: b\rc\r\n\r\n", 400, "bad-request"),
    "a field without a name": (b"GET /healthz HTTP/1.1\r\nHost: x\r\n: b\r\n\r\n", 400, "bad-request"),
    "a field without a colon": (b"GET /healthz HTTP/1.1\r\nHost: x\r\nA\r\n\r\n", 400, "bad-request"),
    "a blank before the first field": (b"GET /healthz HTTP/1.1\r\n Host: x\r\n\r\n", 400, "bad-request"),
    "no length": (SETUP + b"Content-Length: \r\n\r\n" + BODY, 400, "bad-request"),
    "a length in other digits": (SETUP + b"Content-Length: 0xd\r\n\r\n" + BODY, 400, "bad-request"),
    "chunks and length": (SETUP + CHUNKED[:-2] + b"Content-Length: 13\r\n\r\n0\r\n\r\n", 400, "bad-request"),
    "no coding": (SETUP + b"Transfer-Encoding: ,\r\n\r\n0\r\n\r\n", 400, "bad-request"),
    "chunked in two fields": (SETUP + CHUNKED[:-2] + CHUNKED + b"0\r\n\r\n", 400, "bad-request"),
    "chunked before gzip": (SETUP + b"Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n", 400, "bad-request"),
    "chunked with a parameter": (SETUP + b"Transfer-Encoding: chunked;a=b\r\n\r\n0\r\n\r\n", 501, "not-implemented"),
    "chunks with bare line feeds": (SETUP + CHUNKED + b"d\n" + BODY + b"\n0\n\n", 400, "bad-request"),
    "a size with a sign": (SETUP + CHUNKED + b"+d\r\n" + BODY + b"\r\n0\r\n\r\n", 400, "bad-request"),
    "a size with a blank": (SETUP + CHUNKED + b"d \r\n" + BODY + b"\r\n0\r\n\r\n", 400, "bad-request"),
    "no size": (SETUP + CHUNKED + b"\r\n" + BODY + b"\r\n0\r\n\r\n", 400, "bad-request"),
    "a size beyond 64 bits": (SETUP + CHUNKED + b"f" * 17 + b"\r\n" + BODY, 400, "bad-request"),
    "codings in the trailer": (SETUP + CHUNKED + b"0\r\nTransfer-Encoding: chunked\r\n\r\n", 400, "bad-request"),
    "a trailer without a colon": (SETUP + CHUNKED + b"0\r\nA b\r\n\r\n", 400, "bad-request"),
    "an endless trailer": (SETUP + CHUNKED + b"0\r\n" + b"A: b\r\n" * 5_000, 400, "bad-request"),
    "an endless extension": (SETUP + CHUNKED + b"0;" + b"a" * 20_000, 400, "bad-request"),
    "chunks of six bytes each": (
        b"POST /v1/games/palazzo/replays HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
        + CHUNKED
        + b"6\r\n      \r\n" * 25_000,
        400,
        "bad-request",
    ),
}


@pytest.mark.parametrize(("sent", "status", "problem"), REFUSED.values(), ids=REFUSED)
def test_malformed_requests_get_a_problem(server: Server, sent: bytes, status: int, problem: str) -> None:
    """There is one answer, whatever follows, and one line in the log."""
    with connected(server.address) as connection:
        with suppress(BrokenPipeError, ConnectionResetError):
            connection.sendall(sent + b"GET /v1/games HTTP/1.1\r\nHost: x\r\n\r\n")
        answer = read_answer(connection)
        assert (answer.status, answer.problem) == (status, problem)
        assert answer.headers["connection"] == "close"
        assert is_closed(connection)
    (line,) = server.lines_of(answer.headers["x-request-id"])
    assert (line["status"], line["problem"], line["client"]) == (status, problem, "127.0.0.1")


@pytest.mark.parametrize("name", ["length and chunks", "chunks and length"])
def test_a_length_beside_chunks_is_refused_by_name(server: Server, name: str) -> None:
    answer = answer_to(server, REFUSED[name][0])
    assert json_text.decode(answer.body)["detail"] == phrase("length-and-chunks")


def test_what_is_known_of_a_refused_request_counts(tmp_path: Path) -> None:
    """Its id, language, origin, method and route: a complete head is refused for what it says."""
    asked = b"X-Request-Id: evening-17\r\nAccept-Language: de\r\nOrigin: https://a.example\r\n"
    asked += b"X-Forwarded-For: 7.7.7.7\r\nExpect: foo\r\nContent-Length: 13\r\n\r\n"
    settings = {"CAPOMASTRO_CORS_ORIGIN": "https://a.example", "CAPOMASTRO_TRUSTED_PROXIES": "127.0.0.1"}
    with running(tmp_path, **settings) as server:
        answer = answer_to(server, SETUP + asked + BODY)
        assert (answer.problem, answer.headers["x-request-id"]) == ("expectation-failed", "evening-17")
        assert (answer.headers["content-language"], answer.headers["connection"]) == ("de", "close")
        assert answer.headers["access-control-allow-origin"] == "https://a.example"
        (line,) = server.lines_of("evening-17")
        known = ("POST", "/v1/games/{game}/setups", "palazzo", "7.7.7.7")
        assert (line["method"], line["route"], line["game"], line["client"]) == known


def test_a_request_to_no_host_is_refused_under_its_own_id(server: Server) -> None:
    named = REFUSED["a host that does not end"][0].replace(b"\r\n\r\n", b"\r\nX-Request-Id: evening-18\r\n\r\n")
    answer = answer_to(server, named)
    assert json_text.decode(answer.body)["detail"] == phrase("target-malformed")
    assert answer.headers["x-request-id"] == "evening-18"
    (line,) = server.lines_of("evening-18")
    assert line.get("route") is None


def test_a_request_that_cannot_be_parsed_has_no_route(server: Server) -> None:
    answer = answer_to(server, b"hello\r\n\r\n")
    (line,) = server.lines_of(answer.headers["x-request-id"])
    assert line.get("route") is None


def test_a_refused_head_request_gets_no_body(server: Server) -> None:
    with connected(server.address) as connection:
        connection.sendall(b"HEAD /healthz HTTP/1.1\r\nHost: a b\r\n\r\n")
        received = b"".join(iter(lambda: connection.recv(65_536), b""))
    assert received.startswith(b"HTTP/1.1 400 ")
    assert received.endswith(b"\r\n\r\n")


WITH_A_BUG = """
import runpy
from capomastro.worker.connections import RequestReader

feed = RequestReader.feed

def feed_unless(self, content):
    if content == b"GET /bug":
        raise RuntimeError("what was sent")
    feed(self, content)

RequestReader.feed = feed_unless
runpy.run_module("capomastro.cli", run_name="__main__")
"""


def test_a_bug_that_one_connection_meets_ends_no_other(tmp_path: Path) -> None:
    command = ("sh", "-c", 'exec "$0" "$@" 2> log', sys.executable, "-c", WITH_A_BUG)
    with served(command, tmp_path) as (url, process):
        server = Server(address_of(url), tmp_path / "log", worker_of(process.pid))
        with connected(server.address) as begun, connected(server.address) as unlucky:
            begun.sendall(HEALTH[:10])
            unlucky.sendall(b"GET /bug")
            assert is_closed(unlucky)
            begun.sendall(HEALTH[10:])
            assert read_answer(begun).status == 200
    (fault,) = [line for line in server.lines() if line["level"] == "ERROR"]
    assert fault["error"] == "RuntimeError"
    assert any("feed_unless" in call for call in fault["calls"])
    assert "what was sent" not in server.log.read_text("utf-8")


def test_internal_keys_cannot_be_set_by_headers(server: Server) -> None:
    for name in (b"SCRIPT_NAME", b"SCRIPT-NAME", b"PATH_INFO", b"Remote_Addr", b"CONTENT_LENGTH"):
        answer = answer_to(server, b"GET /v1/games HTTP/1.1\r\nHost: x\r\n" + name + b": /evil\r\n\r\n")
        assert answer.status == 200


def test_an_encoded_slash_is_not_a_separator(server: Server) -> None:
    for path in (b"/v1%2fgames", b"/v1/games%2Fpalazzo", b"/v1/games/palazzo%2frules"):
        assert answer_to(server, b"GET " + path + b" HTTP/1.1\r\nHost: x\r\n\r\n").problem == "not-found"
    assert answer_to(server, b"GET /v1/%67ames HTTP/1.1\r\nHost: x\r\n\r\n").status == 200


def test_request_targets_of_other_forms(server: Server) -> None:
    assert answer_to(server, b"GET http://x/healthz HTTP/1.1\r\nHost: x\r\n\r\n").status == 200
    assert answer_to(server, b"\r\n\r\nGET /healthz HTTP/1.1\r\nHost: x\r\n\r\n").status == 200
    assert answer_to(server, b"OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n").status in (204, 404)


@pytest.mark.parametrize(
    ("sent", "answers"),
    [
        (b"\r\n", 0),
        (b"\r\n\r\n\r", 0),
        (HEALTH + b"\r\n", 1),
        (SETUP + b"Content-Length: 13\r\n\r\n" + BODY + b"\r\n", 1),
        (HEALTH + b"\r\n" + HEALTH + b"\r\n", 2),
    ],
)
@pytest.mark.parametrize("ends", [True, False], ids=["ends", "waits"])
def test_empty_lines_are_no_request(server: Server, sent: bytes, answers: int, ends: bool) -> None:
    """RFC 9112, section 2.2: neither to a client that sends nothing more, nor after the time for a header."""
    with connected(server.address) as connection:
        connection.sendall(sent)
        if ends:
            connection.shutdown(socket.SHUT_WR)
        received = b"".join(iter(lambda: connection.recv(65_536), b""))
    assert (received.count(b"HTTP/1.1 "), received.count(b"HTTP/1.1 200 OK")) == (answers, answers)


@pytest.mark.parametrize("path", [b"//v1/games", b"/v1//games", b"/v1/games//", b"///", b"//healthz"])
def test_an_empty_part_of_a_path_is_no_resource_wherever_it_is(server: Server, path: bytes) -> None:
    assert answer_to(server, b"GET " + path + b" HTTP/1.1\r\nHost: x\r\n\r\n").problem == "not-found"


@pytest.mark.parametrize("framing", ["length", "chunked"])
@pytest.mark.parametrize("protocol", [b"websocket", b"h2c", b"TLS/1.0", b"x"])
def test_another_protocol_is_not_taken_up(server: Server, framing: str, protocol: bytes) -> None:
    """The request is answered as if nothing had been asked (RFC 9110, section 7.8), and so is the next."""
    asked = b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: " + protocol + b"\r\nHTTP2-Settings: AAMAAABkAAQ\r\n"
    body = b"Content-Length: 13\r\n\r\n" + BODY if framing == "length" else CHUNKED + b"d\r\n" + BODY + b"\r\n0\r\n\r\n"
    with connected(server.address) as connection:
        connection.sendall(SETUP + asked + body + HEALTH[:-2] + asked + b"\r\n" + HEALTH)
        connection.shutdown(socket.SHUT_WR)
        received = b"".join(iter(lambda: connection.recv(65_536), b""))
    assert received.count(b"HTTP/1.1 200 OK") == 3
    assert b"Upgrade" not in received


@pytest.mark.parametrize("codings", [b",chunked", b"chunked,", b", ,\tChunked ,"])
def test_a_list_of_codings_may_have_empty_elements(server: Server, codings: bytes) -> None:
    """RFC 9110, section 5.6.1.2."""
    chunks = b"Transfer-Encoding: " + codings + b"\r\n\r\nd\r\n" + BODY + b"\r\n0\r\n\r\n"
    assert answer_to(server, SETUP + chunks).status == 200


def test_requests_that_are_sent_at_once_are_answered_in_order(server: Server) -> None:
    body = SETUP + b"Content-Length: 13\r\n\r\n" + BODY
    chunked = SETUP + CHUNKED + b'5\r\n{"pla\r\n8\r\nyers":2}\r\n0\r\n\r\n'
    with connected(server.address) as connection:
        connection.sendall(HEALTH + body + chunked + b"HEAD /v1/games HTTP/1.1\r\nHost: x\r\n\r\n" + HEALTH)
        connection.shutdown(socket.SHUT_WR)
        received = b""
        while piece := connection.recv(65_536):
            received += piece
    assert received.count(b"HTTP/1.1 200 OK") == 5
    assert received.count(b'"alive"') == 2
    assert received.count(b'{"state":') == 2
    assert received.rstrip().endswith(b'"alive"}')


def test_a_reset_connection_affects_no_others(server: Server) -> None:
    for sent in (b"", b"GET", SETUP + b"Content-Length: 13\r\n\r\n{", SETUP + b"Content-Length: 13\r\n\r\n" + BODY):
        for _ in range(5):
            with connected(server.address) as connection:
                connection.sendall(sent)
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    assert answer_to(server, HEALTH).status == 200
    assert not [line for line in server.lines() if line["level"] in ("ERROR", "CRITICAL")]


# --- bodies nobody reads ---------------------------------------------------------------------------------------------

LARGE = 3_000_000
UNREAD = {
    "nothing there": (b"POST /none HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n", 404, "not-found"),
    "no such game": (
        b"POST /v1/games/chess/setups HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n",
        404,
        "not-found",
    ),
    "no such method": (b"POST /healthz HTTP/1.1\r\nHost: x\r\n", 405, "method-not-allowed"),
    "not acceptable": (SETUP + b"Accept: text/html\r\n", 406, "not-acceptable"),
    "too large": (SETUP, 413, "too-large"),
    "another media type": (
        b"POST /v1/games/palazzo/setups HTTP/1.1\r\nHost: x\r\nContent-Type: text/csv\r\n",
        415,
        "unsupported-media-type",
    ),
    "compressed": (SETUP + b"Content-Encoding: gzip\r\n", 415, "unsupported-media-type"),
    "a stream of another media type": (
        b"POST /v1/replays HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n",
        415,
        "unsupported-media-type",
    ),
}
every_unread = pytest.mark.parametrize(("head", "status", "problem"), UNREAD.values(), ids=UNREAD)


@every_unread
def test_a_client_that_sends_everything_first_sees_why_it_was_refused(
    server: Server, head: bytes, status: int, problem: str
) -> None:
    """There is no broken pipe, and the server closes no connection that it promised to keep open."""
    with connected(server.address) as connection:
        connection.sendall(head + b"Content-Length: %d\r\n\r\n" % LARGE)
        for _ in range(LARGE // 100_000):
            connection.sendall(b" " * 100_000)
        answer = read_answer(connection)
        assert (answer.status, answer.problem) == (status, problem)
        assert answer.headers["connection"] == "close"
        assert is_closed(connection)


@pytest.mark.parametrize(
    ("head", "status", "problem"), [one for one in UNREAD.values() if one[1] != 413 and b"/v1/replays" not in one[0]]
)
def test_a_small_unread_body_keeps_the_connection_open(server: Server, head: bytes, status: int, problem: str) -> None:
    with connected(server.address) as connection:
        for _ in range(3):
            connection.sendall(head + b"Content-Length: 20000\r\n\r\n" + b" " * 20_000)
            answer = read_answer(connection)
            assert (answer.status, answer.problem) == (status, problem)
            assert answer.headers["connection"] == "keep-alive"


@every_unread
def test_no_continue_for_a_body_that_will_not_be_read(server: Server, head: bytes, status: int, problem: str) -> None:
    with connected(server.address) as connection:
        connection.sendall(head + b"Expect: 100-continue\r\nContent-Length: %d\r\n\r\n" % LARGE)
        assert connection.recv(12, socket.MSG_PEEK) == b"HTTP/1.1 %d" % status
        assert read_answer(connection).problem == problem


def test_continue_for_a_body_that_will_be_read(server: Server) -> None:
    go_on = b"HTTP/1.1 100 Continue\r\n\r\n"
    for framing, body in ((b"Content-Length: 13", BODY), (CHUNKED[:-4], b"d\r\n" + BODY + b"\r\n0\r\n\r\n")):
        with connected(server.address) as connection:
            connection.sendall(SETUP + b"Expect: 100-continue\r\n" + framing + b"\r\n\r\n")
            assert connection.recv(len(go_on), socket.MSG_WAITALL) == go_on
            connection.sendall(body)
            assert read_answer(connection).status == 200


# --- who asks --------------------------------------------------------------------------------------------------------


def test_a_trusted_proxy_names_the_client(tmp_path: Path) -> None:
    request = b"GET /healthz HTTP/1.1\r\nHost: x\r\nX-Request-Id: seven\r\n"
    request += b"X-Forwarded-For: 7.7.7.7, 2001:db8::1, 10.0.0.9\r\n\r\n"
    with running(tmp_path, CAPOMASTRO_TRUSTED_PROXIES="127.0.0.1 10.0.0.0/8") as server:
        assert answer_to(server, request).status == 200
        (line,) = server.lines_of("seven")
        assert line["client"] == "2001:db8::1"


def with_an_id(id: str, forwarded_for: str) -> bytes:
    head = f"GET /healthz HTTP/1.1\r\nHost: x\r\nX-Request-Id: {id}\r\nX-Forwarded-For: {forwarded_for}\r\n\r\n"
    return head.encode("latin-1")


@pytest.mark.skipif(not has_ipv6(), reason="this machine has no IPv6")
def test_clients_of_both_families_have_their_own_addresses(tmp_path: Path) -> None:
    with running(tmp_path, CAPOMASTRO_HOST="::", CAPOMASTRO_TRUSTED_PROXIES="::1 127.0.0.2") as server:
        for id, client, forwarded_for, logged in (
            ("six", "::1", "", "::1"),
            ("four", "127.0.0.1", "", "127.0.0.1"),
            ("a-proxy-of-six", "::1", "2001:db8::7", "2001:db8::7"),
            ("a-proxy-of-four", "127.0.0.2", "2001:db8::8", "2001:db8::8"),
            ("no-proxy", "127.0.0.1", "2001:db8::9", "127.0.0.1"),
        ):
            address = ("::1" if ":" in client else "127.0.0.1", server.address[1])
            with socket.create_connection(address, timeout=PATIENCE, source_address=(client, 0)) as connection:
                connection.sendall(with_an_id(id, forwarded_for))
                assert read_answer(connection).status == 200
            (line,) = server.lines_of(id)
            assert line["client"] == logged, id


def test_an_address_in_the_log_is_no_other_text(tmp_path: Path) -> None:
    """Python takes everything after a percent sign for the name of a network interface."""
    with running(tmp_path, CAPOMASTRO_TRUSTED_PROXIES="127.0.0.1") as server:
        assert answer_to(server, with_an_id("nine", "fe80::1%\x9b31m alarm")).status == 200
        (line,) = server.lines_of("nine")
        assert line["client"] == "127.0.0.1"


def test_untrusted_proxies_are_ignored(server: Server) -> None:
    request = b"GET /healthz HTTP/1.1\r\nHost: x\r\nX-Request-Id: eight\r\nX-Forwarded-For: 7.7.7.7\r\n\r\n"
    assert answer_to(server, request).status == 200
    (line,) = server.lines_of("eight")
    assert line["client"] == "127.0.0.1"
