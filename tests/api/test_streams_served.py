"""Streams over real sockets: both directions at once, clients that read late, break off or leave, and memory."""

import json
import resource
import select
import socket
import struct
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from dataclasses import fields
from http.client import HTTPConnection, HTTPResponse, IncompleteRead
from itertools import chain, cycle, islice
from pathlib import Path
from typing import Any

import pytest

from capomastro.api.streams import Places
from capomastro.documents import claims, json_text
from capomastro.settings import Settings
from capomastro.worker.streams import Stream
from tests.support.archives import short_games
from tests.support.lines import lines_of
from tests.support.recorded import record_files
from tests.support.serving import served, warmly_served, worker_of
from tests.support.sockets import PATIENCE, Address, address_of, soon

HEAD = b"POST /v1/replays HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-ndjson\r\n"
SHORTEST = min(short_games(), key=lambda document: len(document["moves"]))
IN_VAIN = {f"{number:02}" + "x" * 900: "x" * 900 for number in range(claims.MAXIMUM_UNKNOWN)}
LARGE = json.dumps({**SHORTEST, "result": {**SHORTEST["result"], **IN_VAIN}}).encode() + b"\n"
"""A line with a quick, long answer: what it claims in vain is repeated."""

LINES = [json.dumps(document).encode() + b"\n" for document in short_games()]


BEGUN = 20
"""The moves of a game that has just begun."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Address, int]]:
    """The address of a server, and the process id of its only worker."""
    room = {"CAPOMASTRO_WORKERS": "1", "CAPOMASTRO_THREADS": "10", "CAPOMASTRO_MAXIMUM_STREAMS": "9"}
    with warmly_served(tmp_path_factory.mktemp("server"), **room) as (url, process):
        yield address_of(url), worker_of(process.pid)


@pytest.fixture
def address(server: tuple[Address, int]) -> Address:
    return server[0]


# --- clients ---------------------------------------------------------------------------------------------------------


class Client:
    """A client that sends a body in parts and reads answers when it likes."""

    def __init__(self, address: Address, length: int | None = None, receive_buffer: int | None = None) -> None:
        self.socket = socket.socket()
        if receive_buffer is not None:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.settimeout(PATIENCE)
        self.socket.connect(address)
        self.chunked = length is None
        framing = b"Transfer-Encoding: chunked" if length is None else b"Content-Length: %d" % length
        self.socket.sendall(HEAD + framing + b"\r\n\r\n")
        self.response = HTTPResponse(self.socket)

    def send(self, content: bytes) -> None:
        self.socket.sendall(b"%x\r\n%s\r\n" % (len(content), content) if self.chunked else content)

    def end(self) -> None:
        if self.chunked:
            self.socket.sendall(b"0\r\n\r\n")

    def begin(self) -> None:
        """Reads the head of the answer."""
        self.response.begin()
        assert self.response.status == 200

    def verdict(self) -> dict[str, Any]:
        """The next answer."""
        verdict: dict[str, Any] = json_text.decode(self.response.readline())
        return verdict

    def verdicts(self) -> list[dict[str, Any]]:
        """All further answers; the stream must end as HTTP demands."""
        return [json_text.decode(line) for line in lines_of(self.response.read())]

    def leave(self) -> None:
        """Closes the connection at once, whatever is under way."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.response.close()
        self.socket.close()


@contextmanager
def client_of(address: Address, **how: Any) -> Iterator[Client]:
    client = Client(address, **how)
    try:
        yield client
    finally:
        client.leave()


def status_of(address: Address, path: str = "/healthz") -> int:
    """The status of the answer to a GET."""
    connection = HTTPConnection(*address, timeout=PATIENCE)
    try:
        connection.request("GET", path)
        return connection.getresponse().status
    finally:
        connection.close()


# --- processes -------------------------------------------------------------------------------------------------------


def threads_of(process: int) -> int:
    return len(list(Path(f"/proc/{process}/task").iterdir()))


def peak_memory_of(process: int) -> int:
    """The most memory a process has ever had, in kB."""
    status = Path(f"/proc/{process}/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM:"))


def bytes_in_temporary_files(process: int) -> int:
    """The size of the unnamed files that a process has open, except its log."""
    total = 0
    for file in Path(f"/proc/{process}/fd").iterdir():
        with suppress(OSError):  # closed by now
            if int(file.name) > 2 and str(file.readlink()).endswith("(deleted)"):
                total += file.stat().st_size
    return total


# --- both directions -------------------------------------------------------------------------------------------------

every_framing = pytest.mark.parametrize("chunked", [True, False], ids=["chunked", "of known length"])


def length_of(lines: Sequence[bytes], chunked: bool) -> int | None:
    return None if chunked else sum(map(len, lines))


@every_framing
def test_a_line_is_answered_before_the_next_is_sent(address: Address, chunked: bool) -> None:
    with client_of(address, length=length_of(LINES, chunked)) as client:
        client.begin()  # before anything is sent
        for number, line in enumerate(LINES, 1):
            client.send(line[:100])
            client.send(line[100:])
            verdict = client.verdict()
            assert (verdict["line"], verdict["verdict"]) == (number, "legal")
        client.end()
        assert client.verdicts() == []


@every_framing
def test_a_line_feed_may_be_sent_after_its_line(address: Address, chunked: bool) -> None:
    with client_of(address, length=length_of(LINES, chunked)) as client:
        client.begin()
        for number, line in enumerate(LINES, 1):
            client.send(line.removesuffix(b"\n"))
            time.sleep(0.01)
            client.send(b"\n")
            verdict = client.verdict()
            assert (verdict["line"], verdict["verdict"]) == (number, "legal")
        client.end()
        assert client.verdicts() == []


@every_framing
def test_the_connection_stays_open_for_the_next_request(address: Address, chunked: bool) -> None:
    """This includes a request sent together with the end of the stream."""
    with client_of(address, length=length_of(LINES, chunked)) as client:
        for line in LINES[:-1]:
            client.send(line)
        last = LINES[-1]
        end = b"%x\r\n%s\r\n0\r\n\r\n" % (len(last), last) if chunked else last
        client.socket.sendall(end + b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        received = b""
        while b'"alive"' not in received:
            received += client.socket.recv(65_536)
    stream, following = received.split(b"HTTP/1.1 200 OK")[1:]
    assert b'"line":%d,' % len(LINES) in stream
    assert b"application/json" in following


@pytest.mark.long
def test_a_client_may_send_everything_before_it_reads(server: tuple[Address, int]) -> None:
    """Answers that exceed the system's buffers wait in a file, not in memory; afterwards the file is gone."""
    address, worker = server
    before = peak_memory_of(worker)
    lines = [LARGE] * 800
    with client_of(address, receive_buffer=4096) as client:
        for line in lines:
            client.send(line)
        client.end()
        assert soon(lambda: bytes_in_temporary_files(worker) > 20_000_000)
        client.begin()
        verdicts = client.verdicts()
    assert [verdict["line"] for verdict in verdicts] == list(range(1, len(lines) + 1))
    assert all(verdict["verdict"] == "wrong-result" for verdict in verdicts)
    assert soon(lambda: bytes_in_temporary_files(worker) == 0)
    assert peak_memory_of(worker) < before + 10_000


def test_verdicts_read_in_time_need_no_file(server: tuple[Address, int]) -> None:
    address, worker = server
    with client_of(address) as client:
        client.begin()
        for _ in range(30):
            client.send(LARGE * 5)
            for _ in range(5):
                assert client.verdict()["verdict"] == "wrong-result"
        assert bytes_in_temporary_files(worker) == 0


def test_a_client_with_a_full_backlog_must_read_first(tmp_path: Path) -> None:
    limit = {"CAPOMASTRO_MAXIMUM_WAITING_BYTES": "100000"}
    with warmly_served(tmp_path, **limit) as (url, _), client_of(address_of(url)) as client:
        sent = sent_in_vain(client)
        assert 5 < sent < 500
        client.begin()
        assert [client.verdict()["line"] for _ in range(sent)] == list(range(1, sent + 1))


def sent_in_vain(client: Client) -> int:
    """The number of lines that a client can send without reading."""
    client.socket.settimeout(1)
    for sent in range(1_000):
        try:
            client.send(LARGE)
        except TimeoutError:
            client.socket.settimeout(PATIENCE)
            return sent
    raise AssertionError


def test_a_client_that_expects_100_continue(address: Address) -> None:
    with socket.create_connection(address, timeout=PATIENCE) as connection:
        connection.sendall(HEAD + b"Expect: 100-continue\r\nContent-Length: 3\r\n\r\n")
        go_on = b"HTTP/1.1 100 Continue\r\n\r\n"
        assert connection.recv(len(go_on), socket.MSG_WAITALL) == go_on
        connection.sendall(b"{}\n")
        response = HTTPResponse(connection)
        response.begin()
        assert json_text.decode(response.read())["line"] == 1


@pytest.mark.parametrize("expects", [b"", b"Expect: 100-continue\r\n"], ids=["sends at once", "waits"])
@pytest.mark.parametrize("framing", [b"Content-Length: 3", b"Transfer-Encoding: chunked"], ids=["length", "chunked"])
def test_a_refused_stream_is_not_read_and_says_so(address: Address, expects: bytes, framing: bytes) -> None:
    with socket.create_connection(address, timeout=PATIENCE) as connection:
        connection.sendall(HEAD.replace(b"replays", b"replays?x=1") + expects + framing + b"\r\n\r\n")
        assert connection.recv(12, socket.MSG_PEEK) == b"HTTP/1.1 422"
        response = HTTPResponse(connection)
        response.begin()
        assert response.headers["Connection"] == "close"
        response.read()
        assert connection.recv(1) == b""


def test_a_refused_stream_without_a_body_keeps_the_connection_open(address: Address) -> None:
    with socket.create_connection(address, timeout=PATIENCE) as connection:
        for _ in range(2):
            connection.sendall(HEAD.replace(b"replays", b"replays?x=1") + b"Content-Length: 0\r\n\r\n")
            response = HTTPResponse(connection)
            response.begin()
            assert (response.status, response.headers["Connection"]) == (422, "keep-alive")
            response.read()


def test_a_client_with_http_1_0_is_answered(address: Address) -> None:
    """HTTP/1.0 has no chunks: the answer ends with the connection."""
    with socket.create_connection(address, timeout=PATIENCE) as connection:
        connection.sendall(HEAD.replace(b"HTTP/1.1", b"HTTP/1.0") + b"Content-Length: 6\r\n\r\n{}\n{}\n")
        response = HTTPResponse(connection)
        response.begin()
        assert response.headers["Transfer-Encoding"] is None
        assert response.read().count(b"\n") == 2


def test_other_requests_are_answered_during_a_stream(address: Address) -> None:
    stop = threading.Event()

    def keep_busy() -> None:
        with client_of(address) as client:
            client.begin()
            while not stop.is_set():
                client.send(b"".join(LINES))
                for _ in LINES:
                    client.verdict()
            client.end()

    busy = threading.Thread(target=keep_busy)
    busy.start()
    try:
        assert {status_of(address) for _ in range(20)} == {200}  # the stream ends only after them
    finally:
        stop.set()
        busy.join(PATIENCE)


def test_streams_leave_threads_to_others(tmp_path: Path) -> None:
    with warmly_served(tmp_path, CAPOMASTRO_MAXIMUM_STREAMS="2", CAPOMASTRO_THREADS="3") as (url, _):
        address = address_of(url)
        with client_of(address) as one, client_of(address) as other:
            one.begin()
            other.begin()
            with client_of(address, length=0) as refused:
                refused.response.begin()
                assert (refused.response.status, refused.response.headers["Retry-After"]) == (503, "5")
                assert json_text.decode(refused.response.read())["type"] == "/v1/problems/busy"
            assert status_of(address) == 200
            one.send(LINES[0])
            assert one.verdict()["verdict"] == "legal"
            one.end()
            assert one.verdicts() == []
            with client_of(address) as following:
                following.begin()
        assert soon(lambda: is_taken(address))


def test_blank_lines_are_no_activity(tmp_path: Path) -> None:
    """Otherwise two silent clients could hold all places for ever, with a byte a minute."""
    with warmly_served(tmp_path, CAPOMASTRO_IDLE_TIMEOUT="1") as (url, _), client_of(address_of(url)) as client:
        client.begin()
        with suppress(OSError):
            for _ in range(100):
                client.send(b" \n")
                time.sleep(0.1)
                if select.select([client.socket], [], [], 0)[0]:
                    break
        (last,) = client.verdicts()
        assert (last["problem"], "pauses" in last["detail"]) == ("bad-request", True)


def test_a_stream_without_records_makes_room_for_another() -> None:
    """The one that has been idle longest; none that has just had a record, or whose record is being judged."""
    places = Places(2)

    class Served:
        """As much of a stream as its place knows."""

        makes_room = False

        def __init__(self, idle: float) -> None:
            self.idle = idle

        def idle_for(self) -> float:
            return self.idle

        def make_room(self) -> None:
            self.makes_room = True
            threading.Timer(0.05, places.leave, [self]).start()

    busy: Any = Served(9)
    idle: Any = Served(11)
    for stream in (busy, idle):
        assert places.take()
        places.add(stream)
    assert places.take(), "the idle one has left"
    assert (busy.makes_room, idle.makes_room) == (False, True)
    assert not places.take(), "the other one is not idle"


def test_an_idle_stream_is_told_that_another_needs_its_place(tmp_path: Path) -> None:
    script = "import capomastro.api.streams, runpy; capomastro.api.streams.IDLE_SECONDS = 0.3; "
    script += "runpy.run_module('capomastro.cli', run_name='__main__')"
    with served((sys.executable, "-c", script), tmp_path, CAPOMASTRO_MAXIMUM_STREAMS="1") as (url, _):
        address = address_of(url)
        with client_of(address) as idle:
            idle.send(LINES[0])
            idle.begin()
            assert idle.verdict()["verdict"] == "legal"
            time.sleep(0.5)
            with client_of(address) as other:
                other.send(LINES[0])
                other.begin()
                assert other.verdict()["verdict"] == "legal"
            (last,) = idle.verdicts()
            assert (last["line"], last["problem"]) == (2, "busy")


def is_taken(address: Address) -> bool:
    """Whether the server accepts a stream."""
    with client_of(address, length=0) as client:
        client.response.begin()
        return client.response.status == 200


# --- what breaks off -------------------------------------------------------------------------------------------------

CHUNK = b"%x\r\n%s\r\n" % (len(LINES[0]), LINES[0])
BROKEN = {
    "a chunk without a size": (b"Transfer-Encoding: chunked\r\n\r\n" + CHUNK + CHUNK + b"ZZ\r\n{}\r\n0\r\n\r\n", 2),
    "a chunk that is longer": (b"Transfer-Encoding: chunked\r\n\r\n" + CHUNK + b"3\r\n{}\n{}\n\r\n0\r\n\r\n", 2),
    "a chunk that breaks off": (b"Transfer-Encoding: chunked\r\n\r\n" + CHUNK + CHUNK[:-20], 1),
    "no last chunk": (b"Transfer-Encoding: chunked\r\n\r\n" + CHUNK + CHUNK, 2),
    "a body that breaks off in a line": (b"Content-Length: 100000\r\n\r\n" + LINES[0] * 3 + b"{", 3),
    "a body that breaks off after a line": (b"Content-Length: 100000\r\n\r\n" + LINES[0] * 3, 3),
}


@pytest.mark.parametrize(("sent", "whole"), BROKEN.values(), ids=BROKEN)
def test_the_last_verdict_reports_an_incomplete_body(address: Address, sent: bytes, whole: int) -> None:
    with socket.create_connection(address, timeout=PATIENCE) as connection:
        connection.sendall(HEAD + sent)
        connection.shutdown(socket.SHUT_WR)
        response = HTTPResponse(connection)
        response.begin()
        *before, last = (json_text.decode(line) for line in lines_of(response.read()))
    assert [verdict["line"] for verdict in before] == list(range(1, whole + 1))
    assert (last["line"], last["verdict"], last["problem"]) == (whole + 1, "unusable", "bad-request")


def test_nothing_is_read_after_a_malformed_chunk(address: Address) -> None:
    """The connection is closed, since nobody knows where the next request would begin."""
    chunks, _ = BROKEN["a chunk without a size"]
    with socket.create_connection(address, timeout=PATIENCE) as connection:
        connection.sendall(HEAD + chunks + b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        received = b""
        while piece := connection.recv(65_536):
            received += piece
    assert received.count(b"HTTP/1.1 ") == 1
    assert b'"problem":"bad-request"' in received


@pytest.mark.parametrize("reading", [True, False], ids=["after some answers", "before any answer"])
def test_a_client_that_leaves_does_not_affect_others(server: tuple[Address, int], reading: bool) -> None:
    """It leaves neither threads nor files behind, and other clients are answered."""
    address, worker = server
    assert status_of(address) == 200
    threads = threads_of(worker)
    for _ in range(6):
        with client_of(address) as client:
            client.send(LARGE * 40)
            if reading:
                client.begin()
                assert client.verdict()["line"] == 1
    assert status_of(address) == 200
    assert soon(lambda: threads_of(worker) <= max(threads, 11))
    assert soon(lambda: bytes_in_temporary_files(worker) == 0)


def stream_lines(directory: Path) -> list[dict[str, Any]]:
    """The lines about streams in the log of a server."""
    logged = [json.loads(line) for line in lines_of((directory / "log").read_text("utf-8"))]
    return [line for line in logged if line.get("route") == "/v1/replays"]


@pytest.mark.parametrize("chunked", [True, False], ids=["chunked", "length"])
def test_the_log_line_of_an_idle_client_that_is_killed(tmp_path: Path, chunked: bool) -> None:
    """Its system closes the connection properly, so the server cannot know that the last answers were not read."""
    with (
        warmly_served(tmp_path) as (url, _),
        client_of(address_of(url), length=None if chunked else 10**6) as client,
    ):
        client.begin()
        client.send(LINES[0])
        assert client.verdict()["verdict"] == "legal"
        client.socket.shutdown(socket.SHUT_WR)
        assert soon(lambda: "/v1/replays" in (tmp_path / "log").read_text("utf-8"))
    (line,) = stream_lines(tmp_path)
    assert (line["complete"], line["problem"], line["records"]) == (False, "bad-request", 2)
    assert "incomplete" in line["detail"]


@pytest.mark.parametrize("chunked", [True, False], ids=["chunked", "length"])
def test_silent_clients_time_out(tmp_path: Path, chunked: bool) -> None:
    with (
        warmly_served(tmp_path, CAPOMASTRO_IDLE_TIMEOUT="1") as (url, _),
        client_of(address_of(url), length=None if chunked else 10**6) as client,
    ):
        client.send(LARGE)
        client.begin()
        assert client.verdict()["verdict"] == "wrong-result"
        (last,) = client.verdicts()
        assert (last["line"], last["verdict"], last["problem"]) == (2, "unusable", "bad-request")
        assert "pauses for too long" in last["detail"]
        assert "incomplete" not in last["detail"]


def test_time_outs_of_streams_are_their_own(tmp_path: Path) -> None:
    """One that pauses for less than that goes on, however long it takes; other bodies have to arrive in time."""
    with warmly_served(tmp_path, CAPOMASTRO_IDLE_TIMEOUT="3", CAPOMASTRO_HEADER_TIMEOUT="1") as (url, _):
        address = address_of(url)
        with socket.create_connection(address, PATIENCE) as slow:
            slow.sendall(b"POST /v1/games/palazzo/audits HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n")
            slow.sendall(b"Content-Type: application/json\r\n\r\n{")
            assert slow.recv(100).startswith(b"HTTP/1.1 408 ")
        with client_of(address) as patient:
            patient.send(LARGE)
            patient.begin()
            for _ in range(4):
                assert patient.verdict()["verdict"] == "wrong-result"
                time.sleep(1)
                patient.send(LARGE)
            patient.end()
            assert [one["verdict"] for one in patient.verdicts()] == ["wrong-result"]


@pytest.mark.parametrize("size", [100_000, 1_000_000])
def test_a_stream_whose_answers_find_no_room_on_the_disk_breaks_off(tmp_path: Path, size: int) -> None:
    """It does not end as if it were complete, leaves its place to the next, and the log has the cause."""
    with warmly_served(tmp_path, CAPOMASTRO_MAXIMUM_STREAMS="1") as (url, process):
        resource.prlimit(worker_of(process.pid), resource.RLIMIT_FSIZE, (size, size))  # as if the disk were full
        for count in range(1, 3):
            with socket.create_connection(address_of(url), timeout=PATIENCE) as connection:
                connection.settimeout(1)
                with suppress(OSError):  # nothing more is taken
                    connection.sendall(HEAD + b"Transfer-Encoding: chunked\r\n\r\n")
                    while True:
                        connection.sendall(b"%x\r\n" % len(LARGE) + LARGE + b"\r\n")
                connection.settimeout(PATIENCE)
                response = HTTPResponse(connection)
                response.begin()
                assert response.status == 200
                with pytest.raises((IncompleteRead, ConnectionResetError)):
                    response.read()
            assert soon(lambda count=count: len(stream_lines(tmp_path)) == count)  # type: ignore[misc]
            last = stream_lines(tmp_path)[-1]
            assert (last["complete"], last["problem"]) == (False, "internal")


def test_a_client_may_read_late_if_the_time_out_is_as_long_as_a_setting_can_be() -> None:
    most = next(one.metadata["most"] for one in fields(Settings) if one.name == "idle_timeout")
    near, far = socket.socketpair()
    with near, far, ThreadPoolExecutor(1) as pool:
        near.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
        sending = pool.submit(Stream(near, b"", None, most).sendall, bytes(1_000_000))
        assert not wait([sending], 0.2).done  # nobody has read anything
        far.settimeout(PATIENCE)
        received = 0
        while received < 1_000_000:
            received += len(far.recv(65_536))
        sending.result(PATIENCE)


def test_an_idle_stream_does_not_stop_the_service_from_stopping(tmp_path: Path) -> None:
    with warmly_served(tmp_path, CAPOMASTRO_GRACEFUL_TIMEOUT="1") as (url, process):
        with client_of(address_of(url)) as client:
            client.begin()
            client.send(LINES[0])
            assert client.verdict()["verdict"] == "legal"
            process.terminate()
            with pytest.raises((IncompleteRead, ConnectionError)):
                client.response.read()
        assert process.wait(PATIENCE) == 0


def test_active_streams_finish_before_the_service_stops(tmp_path: Path) -> None:
    with warmly_served(tmp_path) as (url, process):
        with client_of(address_of(url)) as client:
            client.begin()
            client.send(LINES[0])
            assert client.verdict()["verdict"] == "legal"
            process.terminate()
            time.sleep(0.3)
            client.send(LINES[0] * 10)
            client.end()
            assert len(client.verdicts()) == 10
        assert process.wait(PATIENCE) == 0


# --- a thousand ----------------------------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.longest
def test_a_thousand_records_need_hardly_more_memory_than_a_hundred(tmp_path: Path) -> None:
    """Both begin with all recorded games; short unfinished games follow, so that the test does not take minutes."""
    longest = [json.dumps(json.loads(file.read_bytes())).encode() + b"\n" for file in record_files()]
    begun = [
        json.dumps({**record, "moves": record["moves"][:BEGUN]}).encode() + b"\n"
        for record in {record["game"]: record for record in short_games()}.values()
    ]
    peaks = []
    for number in (100, 1_000):
        with warmly_served(tmp_path, CAPOMASTRO_WORKERS="1") as (url, process):
            connection = HTTPConnection(*address_of(url), timeout=60)
            lines = islice(chain(longest, cycle(begun)), number)
            connection.request(
                "POST", "/v1/replays", lines, {"Content-Type": "application/x-ndjson"}, encode_chunked=True
            )
            answered = 0
            for line in connection.getresponse():
                answered += 1
                verdict = json_text.decode(line)
                expected = "legal" if answered <= len(longest) else "unfinished"
                assert (verdict["line"], verdict["verdict"]) == (answered, expected)
            assert answered == number
            peaks.append(peak_memory_of(worker_of(process.pid)))
            connection.close()
    assert peaks[1] <= 1.3 * peaks[0], peaks
