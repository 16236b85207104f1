"""Streams of records, in process: the answer to each line, their order, and the log line about the stream."""

import gzip
import json
import tracemalloc
import zlib
from collections.abc import Callable, Sequence
from io import BytesIO
from threading import Event, Thread
from threading import enumerate as enumerate_threads
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from capomastro import archive
from capomastro.answers import VerdictOnLine
from capomastro.api.application import create_app
from capomastro.api.backlog import Backlog
from capomastro.api.media_types import LINES
from capomastro.api.unpacking import zstd
from capomastro.archive import Line, Terms
from capomastro.documents import json_text
from capomastro.documents.languages import using_language
from capomastro.documents.wordings import phrase
from capomastro.games import all_games
from capomastro.settings import Settings
from tests.api.asking import Asker, pointers, problem_in
from tests.support.archives import archive_lines, short_games
from tests.support.lines import lines_of
from tests.support.recorded import record_files
from tests.support.shapes import shape_of

NDJSON = "application/x-ndjson"
PATIENCE = 60


def sent(client: FlaskClient, body: bytes, query: str = "", **headers: str) -> TestResponse:
    headers = {"Content-Type": NDJSON, **headers}
    return client.post(f"/v1/replays{query}", data=body, headers=headers, buffered=True)


def verdicts_in(response: TestResponse) -> list[dict[str, Any]]:
    """The verdicts in an answer; each must match the schema."""
    assert response.status_code == 200, response.get_data(as_text=True)
    assert response.mimetype == NDJSON
    text = response.get_data()
    assert text.endswith(b"\n") or not text
    verdicts = [json_text.decode(line) for line in lines_of(text)]
    for verdict in verdicts:
        assert shape_of(None, "verdict-on-line").accepts(verdict), verdict
    return verdicts


def judged(client: FlaskClient, lines: Sequence[bytes], query: str = "") -> list[dict[str, Any]]:
    """The verdicts on lines that are not blank: one each, in order."""
    verdicts = verdicts_in(sent(client, b"\n".join(lines), query))
    assert [verdict["line"] for verdict in verdicts] == list(range(1, len(lines) + 1))
    return verdicts


def test_a_document_over_several_lines_gets_one_verdict(client: FlaskClient) -> None:
    first, last = verdicts_in(
        sent(client, json.dumps(short(), indent=2).encode() + b"\n" + json.dumps(short()).encode())
    )
    assert (first["verdict"], first["detail"][:47]) == ("unusable", "This looks like one JSON document over several ")
    assert last["verdict"] == "legal"
    assert last["line"] == json.dumps(short(), indent=2).count("\n") + 2


def test_a_long_id_is_not_echoed(client: FlaskClient) -> None:
    response = sent(client, json.dumps({**short(), "id": "x" * 1_000_000, "game": "y" * 1_000_000}).encode())
    (verdict,) = verdicts_in(response)
    assert verdict.keys().isdisjoint({"id", "game"})
    assert len(response.get_data()) < 1_000


def short(game: str = "palazzo") -> dict[str, Any]:
    return next(document for document in short_games() if document["game"] == game)


def text_of(document: Any) -> bytes:
    return json.dumps(document).encode()


# --- what each line is answered --------------------------------------------------------------------------------------


def test_records_of_all_games_are_answered_in_order(client: FlaskClient) -> None:
    documents = [json.loads(file.read_bytes()) for file in reversed(record_files())]
    verdicts = judged(client, [text_of(document) for document in documents])
    assert {verdict["game"] for verdict in verdicts} == set(all_games())
    for document, verdict in zip(documents, verdicts, strict=True):
        assert (verdict["game"], verdict["id"]) == (document["game"], document["id"])
        assert (verdict["verdict"], verdict["plies"]) == ("legal", len(document["moves"])), document["id"]


@pytest.mark.parametrize("game", list(all_games()))
def test_a_line_gets_the_verdict_of_a_single_record(ask: Asker, game: str) -> None:
    document = short(game)
    slips = [{**document, "moves": [*document["moves"][:at], *document["moves"][at + 1 :]]} for at in (0, 7, 20)]
    for query in ("", "?repair=correct"):
        verdicts = judged(ask.client, list(map(text_of, slips)), query)
        for slip, verdict in zip(slips, verdicts, strict=True):
            body = {"record": slip} | ({"repair": "correct"} if query else {})
            alone = json.loads(json.dumps(ask.post(f"/v1/games/{game}/replays", body)).replace("/record/", "/"))
            same = ("verdict", "legal", "plies", "decision", "first_divergence", "claimed_result_matches")
            assert {name: verdict.get(name) for name in same} == {name: alone.get(name) for name in same}
            assert not {"state", "result"} & set(verdict)
            if query:
                assert verdict["lenient"]["divergences"] == alone["lenient"]["divergences"]


UNUSABLE: dict[str, tuple[Any, str]] = {
    "no JSON": (b"not json", "malformed-json"),
    "a notation": (b"1. e4 e5", "malformed-json"),
    "broken off": (b'{"game": "palazzo", "moves": [', "malformed-json"),
    "two values": (b"{} {}", "malformed-json"),
    "NaN": (b'{"players": NaN}', "malformed-json"),
    "a name twice": (b'{"game": "palazzo", "game": "palazzo"}', "malformed-json"),
    "10,000 deep": (b"[" * 10_000 + b"]" * 10_000, "malformed-json"),
    "a lone surrogate": (b'{"id": "\\ud800"}', "malformed-json"),
    "not UTF-8": (b'{"id": "\xe9"}', "malformed-json"),
    "a byte order mark": (b"\xef\xbb\xbf{}", "malformed-json"),
    "UTF-16": ('{"id": 1}'.encode("utf-16-le"), "malformed-json"),
    "a zero byte": (b"\0", "malformed-json"),
    "null": (None, "shape"),
    "a number": (7, "shape"),
    "an array": ([], "shape"),
    "a game of another kind": ({"game": 7}, "shape"),
    "no game": ({"moves": []}, "shape"),
    "a game there is not": ({"game": "chess", "id": "7"}, "not-found"),
    "members missing": ({"game": "palazzo"}, "shape"),
    "members unknown": ({**short(), "winner": 0}, "shape"),
    "no moves": ({**short(), "moves": 7}, "shape"),
    "another game's moves": ({**short(), "game": "carrara"}, "shape"),
    "a request for one replay": ({"record": short()}, "shape"),
    "more names than players": ({**short(), "names": ["a"] * (short()["players"] + 1)}, "options"),
    "too many moves": ({**short(), "moves": short()["moves"] * 2}, "envelope"),
    "too long": ({**short(), "tags": {"note": "x" * 20_000}}, "too-large"),
}
LIMITS = Settings(maximum_record_bytes=20_480, maximum_moves=50)


def test_unusable_lines_get_verdicts_and_the_stream_continues() -> None:
    client = create_app(LIMITS).test_client()
    lines = []
    for value, _ in UNUSABLE.values():
        lines += [text_of(short()), value if isinstance(value, bytes) else text_of(value)]
    verdicts = judged(client, lines)
    assert {verdict["verdict"] for verdict in verdicts[::2]} == {"legal"}
    for (name, (_, problem)), verdict in zip(UNUSABLE.items(), verdicts[1::2], strict=True):
        assert (verdict["verdict"], verdict["problem"]) == ("unusable", problem), name
        assert verdict["detail"]


def test_other_versions_are_named_and_can_be_judged_anyway(client: FlaskClient) -> None:
    lines = [text_of({**short(), **other}) for other in ({"rules_version": 99}, {"schema_version": 99}, {})]
    assert [verdict["verdict"] for verdict in judged(client, lines)] == ["other-version", "other-version", "legal"]
    judged_now = judged(client, lines, "?under_current_rules=true")
    assert [verdict["verdict"] for verdict in judged_now] == ["legal", "other-version", "legal"]


def test_limits_apply_to_each_record_not_to_the_stream() -> None:
    """Sends the longest allowed record, to the byte, more often than it would fit into one body."""
    client = create_app(Settings(maximum_record_bytes=4096, maximum_moves=len(short()["moves"]))).test_client()
    line = text_of(short()).ljust(4096)
    verdicts = judged(client, [line] * 20 + [line + b" "])
    assert [verdict.get("problem") for verdict in verdicts] == [None] * 20 + ["too-large"]


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\n\n \n\t\r\n"], ids=["LF", "CRLF", "blank lines"])
@pytest.mark.parametrize("last", [True, False], ids=["ended", "open"])
def test_ends_of_lines(client: FlaskClient, end: bytes, last: bool) -> None:
    line = text_of(short())
    body = end.join([b"", line, b"{}", line]) + (end if last else b"")
    verdicts = verdicts_in(sent(client, body))
    height = end.count(b"\n")
    assert [verdict["line"] for verdict in verdicts] == [1 + height, 1 + 2 * height, 1 + 3 * height]
    assert [verdict["verdict"] for verdict in verdicts] == ["legal", "unusable", "legal"]


class Arriving(BytesIO):
    """A body that arrives in these parts."""

    def __init__(self, *parts: bytes) -> None:
        super().__init__()
        self.parts = iter(parts)

    def read1(self, size: int | None = -1) -> bytes:
        return next(self.parts, b"")


def packed(parts: Sequence[bytes]) -> list[bytes]:
    """The parts in one gzip, flushed after each."""
    compressor = zlib.compressobj(wbits=31)
    return [*(compressor.compress(part) + compressor.flush(zlib.Z_SYNC_FLUSH) for part in parts), compressor.flush()]


APART: dict[str, tuple[list[bytes], list[tuple[int, str | None]]]] = {
    "line feeds": ([b'{"id":"a"}', b"\n", b'{"id":"b"}', b"\r", b"\n", b'{"id":"c"}'], [(1, "a"), (2, "b"), (3, "c")]),
    "blank lines": ([b"\n\n\n", b" \n", b'{"id":"a"}\n', b"\n", b'\r\n{"id":"b"}'], [(5, "a"), (8, "b")]),
    "blanks of a text": ([b'{"id":"a', b" ", b'b"}\n', b"  ", b'{"id":"c"}\n'], [(1, "a b"), (2, "c")]),
    "no blank": ([b"\x0b", b"\n"], [(1, None)]),
}


@pytest.mark.parametrize("coding", ["", "gzip"])
@pytest.mark.parametrize(("parts", "expected"), APART.values(), ids=APART)
def test_blanks_that_arrive_by_themselves_count(
    client: FlaskClient, parts: list[bytes], expected: list[tuple[int, str | None]], coding: str
) -> None:
    response = client.post(
        "/v1/replays",
        input_stream=Arriving(*(packed(parts) if coding else parts)),
        content_type=NDJSON,
        environ_overrides=TERMINATED,
        headers={"Content-Encoding": coding} if coding else {},
    )
    assert [(verdict["line"], verdict.get("id")) for verdict in verdicts_in(response)] == expected


@pytest.mark.parametrize("body", [b"", b"\n", b"\n\r\n  \n"])
def test_an_empty_stream_gets_an_empty_answer(client: FlaskClient, body: bytes) -> None:
    assert verdicts_in(sent(client, body)) == []


# --- the request -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("media_type", [*LINES, "application/x-ndjson; charset=utf-8", "Application/JSONL"])
def test_media_types_for_lines_are_accepted(client: FlaskClient, media_type: str) -> None:
    assert len(verdicts_in(sent(client, b"{}", **{"Content-Type": media_type}))) == 1


@pytest.mark.parametrize(
    "headers",
    [
        {"Content-Type": ""},
        {"Content-Type": "application/json"},
        {"Content-Type": "text/plain"},
        {"Content-Type": "application/x-ndjson; charset=latin-1"},
        {"Content-Encoding": "br"},
    ],
    ids=str,
)
def test_bodies_of_other_media_types_are_not_read(client: FlaskClient, headers: dict[str, str]) -> None:
    problem = problem_in(sent(client, gzip.compress(b"{}"), **headers))
    assert problem["id"] == "unsupported-media-type"
    assert all(media_type in problem["detail"] for media_type in LINES) or "Content-Encoding" in headers


def test_compressed_lines_are_judged_like_others(client: FlaskClient) -> None:
    lines = b"\n".join(archive_lines(12))
    plain = sent(client, lines).get_data()
    members = gzip.compress(lines[:5000]) + gzip.compress(lines[5000:])
    frames = zstd.compress(lines[:5000]) + zstd.compress(lines[5000:])
    for coding, bodies in (("gzip", (gzip.compress(lines), members)), ("zstd", (zstd.compress(lines), frames))):
        for body in bodies:
            assert sent(client, body, **{"Content-Encoding": coding}).get_data() == plain


def with_wide_window(body: bytes) -> bytes:
    """A frame with a window of 128 MiB, to be kept in memory while it is decompressed."""
    compressor = zstd.ZstdCompressor(options={int(zstd.CompressionParameter.window_log): 27})
    return bytes(compressor.compress(body, zstd.ZstdCompressor.FLUSH_BLOCK) + compressor.flush())


BADLY_COMPRESSED: dict[str, tuple[str, Callable[[], bytes], str]] = {
    "gzip that breaks off": ("gzip", lambda: gzip.compress(b"{}\n" * 100)[:-9], "bad-request"),
    "damaged gzip": ("gzip", lambda: gzip.compress(b"{}\n")[:-8] + b"12345678", "bad-request"),
    "no gzip": ("gzip", lambda: b"{}\n", "bad-request"),
    "something after gzip": ("gzip", lambda: gzip.compress(b"{}\n") + b"{}", "bad-request"),
    "gzip of blank lines": ("gzip", lambda: gzip.compress(b"\n" * 100_000_000), "too-large"),
    "gzip of one line": ("gzip", lambda: gzip.compress(b"1" * 100_000_000), "too-large"),
    "zstd that breaks off": ("zstd", lambda: zstd.compress(b"{}\n" * 100)[:-5], "bad-request"),
    "no zstd": ("zstd", lambda: b"{}\n", "bad-request"),
    "something after zstd": ("zstd", lambda: zstd.compress(b"{}\n") + b"{}{}", "bad-request"),
    "zstd of blank lines": ("zstd", lambda: zstd.compress(b"\n" * 100_000_000), "too-large"),
    "zstd of one line": ("zstd", lambda: zstd.compress(b"1" * 100_000_000), "too-large"),
    "zstd with a wide window": ("zstd", lambda: with_wide_window(b"{}\n"), "bad-request"),
}
"""Bodies by names: gzip contains the time, and tests of one run must be called alike in all its processes."""


@pytest.mark.parametrize("name", BADLY_COMPRESSED)
def test_bad_compression_ends_the_stream_with_a_verdict(client: FlaskClient, name: str) -> None:
    coding, compressed, problem = BADLY_COMPRESSED[name]
    body = compressed()
    tracemalloc.start()
    try:
        *_, last = verdicts_in(sent(client, body, **{"Content-Encoding": coding}))
        assert tracemalloc.get_traced_memory()[1] < 30_000_000
    finally:
        tracemalloc.stop()
    assert last["problem"] == problem


@pytest.mark.parametrize(("accept", "status"), [("*/*", 200), (NDJSON, 200), ("application/json", 406)])
def test_accepted_media_types_of_answers(client: FlaskClient, accept: str, status: int) -> None:
    assert sent(client, b"{}", Accept=accept).status_code == status


def test_media_types_for_lines_are_refused_by_other_resources(ask: Asker) -> None:
    problem = ask.refused("audits", {"state": {}}, **{"Content-Type": NDJSON})
    assert problem["id"] == "unsupported-media-type"


@pytest.mark.parametrize("query", ["", "?", "?under_current_rules=false", "?repair=skip&under_current_rules=true"])
def test_right_parameters(client: FlaskClient, query: str) -> None:
    assert len(verdicts_in(sent(client, b"{}", query))) == 1


WRONG_PARAMETERS = {
    "?under_current_rules=1": ["/under_current_rules"],
    "?under_current_rules=True": ["/under_current_rules"],
    "?under_current_rules": ["/under_current_rules"],
    "?repair=": ["/repair"],
    "?repair=both": ["/repair"],
    "?repair=skip&repair=skip": ["/repair"],
    "?repair=none&under_current_rules=no": ["/under_current_rules", "/repair"],
    "?record=7": ["/record"],
    "?a~b/c=7": ["/a~0b~1c"],
    "?a=1&b=2&a=3&b=4": ["/a", "/b"],
    f"?{'a' * 81}=1": [""],
}


@pytest.mark.parametrize(("query", "places"), WRONG_PARAMETERS.items(), ids=list(WRONG_PARAMETERS))
def test_wrong_parameters(client: FlaskClient, query: str, places: list[str]) -> None:
    problem = problem_in(sent(client, b"{}", query))
    assert (problem["id"], sorted(pointers(problem))) == ("envelope", sorted(places))
    assert "body" not in problem["title"]
    assert "parameter" in problem["detail"], "it is not the body that is wrong"
    assert "member" not in repr(problem)


def test_other_methods(client: FlaskClient) -> None:
    response = client.get("/v1/replays")
    assert (problem_in(response)["id"], response.headers["Allow"]) == ("method-not-allowed", "OPTIONS, POST")


def test_the_answer_is_neither_cached_nor_buffered(client: FlaskClient) -> None:
    headers = sent(client, b"{}").headers
    assert headers["Cache-Control"] == "no-store"
    assert headers["X-Accel-Buffering"] == "no"
    assert "Content-Length" not in headers
    assert headers["Access-Control-Allow-Origin"] == "*"
    assert headers["X-Request-Id"]


class Waiting(BytesIO):
    """A body that stops arriving until it is closed."""

    def __init__(self) -> None:
        super().__init__(b"{}\n")
        self.closing = Event()

    def read1(self, size: int | None = -1) -> bytes:
        return super().read1(size) or (b"" if self.closing.wait(PATIENCE) else b"late")

    def close(self) -> None:
        self.closing.set()


def test_judging_stops_when_nobody_reads_the_verdicts(client: FlaskClient) -> None:
    threads = set(enumerate_threads())
    body = Waiting()
    begun = client.post("/v1/replays", input_stream=body, content_type=NDJSON, environ_overrides=TERMINATED)
    assert json_text.decode(next(filter(None, begun.iter_encoded())))["line"] == 1
    (judge,) = set(enumerate_threads()) - threads
    begun.close()
    assert body.closing.is_set()
    judge.join(PATIENCE)
    assert not judge.is_alive()


TERMINATED = {"wsgi.input_terminated": True}
"""How a server says that it knows itself where the body ends."""


# --- the log, and faults ---------------------------------------------------------------------------------------------

Log = Callable[[], list[dict[str, Any]]]


@pytest.fixture
def log(capsys: pytest.CaptureFixture[str]) -> Log:
    """Reads the lines logged since the last reading."""
    return lambda: [json.loads(line) for line in lines_of(capsys.readouterr().err)]


def test_one_log_line_counts_the_verdicts(client: FlaskClient, log: Log) -> None:
    lines = list(archive_lines(30))
    verdicts = judged(client, lines)
    words = [verdict["verdict"] for verdict in verdicts]
    (line,) = log()
    assert (line["route"], line["status"], line["records"], line["complete"]) == ("/v1/replays", 200, 30, True)
    assert line["verdicts"] == {word: words.count(word) for word in set(words)}
    assert set(line["verdicts"]) == {"legal", "after-the-end", "unusable"}
    assert 0 < line["cpu_milliseconds"] < 60_000
    assert line["bytes_in"] >= sum(map(len, lines))
    assert line["bytes_out"] > 100 * len(verdicts)
    assert not {"problem", "rule"} & set(line)


class Broken(BytesIO):
    """A body of one line, or what is given, followed by an error."""

    def __init__(self, error: Exception, begun: bytes = b"{}\n") -> None:
        super().__init__(begun)
        self.error = error

    def read1(self, size: int | None = -1) -> bytes:
        if piece := super().read1(size):
            return piece
        raise self.error


@pytest.mark.parametrize(
    ("error", "detail"),
    [(ConnectionResetError(), "The body is incomplete, "), (BlockingIOError(), "The body pauses for too long.")],
    ids=["the client leaves", "the client pauses"],
)
def test_the_log_reports_an_incomplete_body_even_if_all_verdicts_were_sent(
    client: FlaskClient, log: Log, error: Exception, detail: str
) -> None:
    response = client.post(
        "/v1/replays", input_stream=Broken(error), content_type=NDJSON, environ_overrides=TERMINATED, buffered=True
    )
    last = verdicts_in(response)[-1]
    (line,) = log()
    assert (line["complete"], line["problem"], line["detail"]) == (False, "bad-request", last["detail"])
    assert line["detail"].startswith(detail)


@pytest.mark.parametrize("begun", [b'{"a', b'{}\n{"a'], ids=["first", "second"])
def test_the_verdict_on_the_line_that_breaks_off_is_in_the_requested_language(
    client: FlaskClient, begun: bytes
) -> None:
    response = client.post(
        "/v1/replays",
        input_stream=Broken(ConnectionResetError(), begun),
        content_type=NDJSON,
        environ_overrides=TERMINATED,
        headers={"Accept-Language": "de"},
    )
    last = verdicts_in(response)[-1]
    assert (last["problem"], response.headers["Content-Language"]) == ("bad-request", "de")
    with using_language("de"):
        assert last["detail"] == phrase("body-incomplete")


def test_the_log_repeats_no_submitted_data(client: FlaskClient, log: Log) -> None:
    name = "Zoroaster"
    secrets = ({"game": name}, {"game": "palazzo", "id": name}, {name: name}, name, {**short(), "names": [name, name]})
    assert name in sent(client, b"\n".join(map(text_of, secrets))).get_data(as_text=True)
    problem_in(sent(client, b"", f"?{name}={name}"))
    assert len(lines := log()) == 2
    assert name not in json.dumps(lines)


def test_a_bug_in_one_line_does_not_end_the_stream(
    client: FlaskClient, log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = archive.verdict

    def sometimes(line: Line, terms: Terms) -> VerdictOnLine:
        if line.number == 2:
            raise ZeroDivisionError("Zoroaster")
        return right(line, terms)

    monkeypatch.setattr(archive, "verdict", sometimes)
    response = sent(client, b"\n".join([text_of(short())] * 3), **{"X-Request-Id": "evening-17"})
    legal, fault, also = verdicts_in(response)
    assert (legal["verdict"], fault["verdict"], also["verdict"]) == ("legal", "unusable", "legal")
    assert fault["problem"] == "internal"
    logged, line = log()
    assert (logged["request_id"], logged["error"]) == ("evening-17", "ZeroDivisionError")
    assert "Zoroaster" not in json.dumps([logged, line, fault])
    assert line["verdicts"] == {"legal": 2, "unusable": 1}


def test_an_answer_that_cannot_be_completed_breaks_off(
    client: FlaskClient, log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For example if the disk is full: a client must not mistake it for the end."""
    put = Backlog.put

    def until_full(backlog: Backlog, content: bytes) -> None:
        if b'"line":3' in content:
            raise OSError("No space left on device")
        put(backlog, content)

    monkeypatch.setattr(Backlog, "put", until_full)
    response = client.post("/v1/replays", data=b"{}\n" * 5, content_type=NDJSON)
    received: list[bytes] = []
    with pytest.raises(OSError, match="No space"):
        received.extend(response.iter_encoded())
    response.close()
    assert b"".join(received).count(b"\n") == 2
    logged, line = log()
    assert logged["error"] == "OSError"
    assert (line["problem"], line["complete"], line["records"]) == ("internal", False, 3)


def test_a_stream_for_which_there_is_no_thread_leaves_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: Thread) -> None:
        raise RuntimeError("can't start new thread")

    client = create_app(Settings(maximum_streams=1)).test_client()
    with monkeypatch.context() as patched:
        patched.setattr(Thread, "start", refuse)
        with pytest.raises(RuntimeError):
            client.post("/v1/replays", data=b"{}\n", content_type=NDJSON)
    assert client.post("/v1/replays", data=b"{}\n", content_type=NDJSON).status_code == 200
