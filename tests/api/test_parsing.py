"""Where a message ends, however it arrives: what follows belongs to the next."""

import ast
import socket
from collections.abc import Callable
from io import BytesIO
from itertools import combinations, pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from wsgiref import validate

import pytest
from werkzeug.wsgi import get_content_length

import capomastro.worker
from capomastro.api.server.behaviour import PROBLEMS
from capomastro.worker.behaviour import BodyHandling, Refusal
from capomastro.worker.connections import Connection, RequestReader, SpoolQuota
from capomastro.worker.handler import handle
from capomastro.worker.parsing import ChunkDecoder, HeadParser, RequestHead, wsgi_environ

BODIES = {
    "one chunk": (b"3\r\nabc\r\n0\r\n\r\n", b"abc"),
    "an empty body": (b"0\r\n\r\n", b""),
    "empty lines in it": (b"8\r\n\r\n\r\n\r\n\r\n\r\n0\r\n\r\n", b"\r\n\r\n\r\n\r\n"),
    "its own end in it": (b"a\r\n\r\n0\r\n\r\n\r\n0\r\n0\r\n\r\n", b"\r\n0\r\n\r\n\r\n0"),
    "an extension": (b"1;a=b\r\nx\r\n0;c\r\n\r\n", b"x"),
    "trailers": (b"1\r\nx\r\n000\r\nA: b\r\nC: d\r\n\r\n", b"x"),
}
NEXT = (b"", b"G", b"\r\n\r\nGET / HTTP/1.1\r\n\r\n", b"GET /a HTTP/1.1\r\nHost: x\r\n\r\n", b"0\r\n\r\n")


def cuts(content: bytes, most: int) -> list[list[bytes]]:
    """The content in at most so many parts, cut everywhere."""
    found = []
    for number in range(most):
        for places in combinations(range(1, len(content)), number):
            ends = (0, *places, len(content))
            found.append([content[first:last] for first, last in pairwise(ends)])
    return found


def fed(parser: ChunkDecoder | HeadParser, parts: list[bytes]) -> bytes:
    """What follows the message in these parts."""
    for index, part in enumerate(parts):
        rest = parser.feed(part)
        if rest is not None:
            return rest + b"".join(parts[index + 1 :])
    raise AssertionError("it does not end")


@pytest.mark.parametrize(("chunks", "content"), BODIES.values(), ids=BODIES)
@pytest.mark.parametrize("following", NEXT)
def test_a_body_ends_where_its_last_chunk_ends(chunks: bytes, content: bytes, following: bytes) -> None:
    for parts in [*cuts(chunks + following, 3), [bytes([byte]) for byte in chunks + following]]:
        decoder = ChunkDecoder()
        assert fed(decoder, parts) == following
        assert decoder.take() == content


@pytest.mark.parametrize("upgrade", [b"", b"Connection: upgrade\r\nUpgrade: websocket\r\n"])
@pytest.mark.parametrize("following", NEXT)
def test_a_head_ends_with_an_empty_line(upgrade: bytes, following: bytes) -> None:
    head = b"\r\n\r\nPOST /a HTTP/1.1\r\nHost: x\r\n" + upgrade + b"Content-Length: 3\r\n\r\n"
    for parts in [*cuts(head + following, 2), [bytes([byte]) for byte in head + following]]:
        parser = HeadParser()
        assert fed(parser, parts) == following
        read = parser.head()
        assert (read.method, read.target, read.version, read.header[b"host"]) == ("POST", "/a", (1, 1), b"x")


def test_an_application_finds_what_wsgi_promises() -> None:
    """Such as `wsgi.errors`, to which Flask's logger writes."""
    head = RequestHead("POST", "/a?b=c", (1, 1), [(b"host", b"x"), (b"content-type", b"y"), (b"content-length", b"0")])
    environ = wsgi_environ(head, ("127.0.0.1", 1), ("127.0.0.1", 2))
    validate.check_environ({**environ, "wsgi.input": BytesIO()})  # type: ignore[attr-defined]  # not in its stubs


def test_an_application_knows_the_length_of_a_body_that_came_in_chunks() -> None:
    """It waits for a place for large work by it, as for any other body."""
    found: dict[str, Any] = {}

    def application(environ: dict[str, Any], start: Callable[..., Any]) -> list[bytes]:
        found.update(length=get_content_length(environ), body=environ["wsgi.input"].read())
        start("204 NO CONTENT", [])
        return []

    behaviour: Any = SimpleNamespace(application=application, count_cpu=lambda *_: None)
    client, accepted = socket.socketpair()
    with client, accepted:
        connection = Connection(accepted, ("127.0.0.1", 1))
        connection.reader = RequestReader(lambda _: BodyHandling(10), SpoolQuota(0))
        connection.reader.feed(b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n")
        handle(behaviour, connection, ("127.0.0.1", 2), may_keep_alive=True)
    assert found == {"length": 3, "body": b"abc"}


def test_what_arrives_after_a_request_is_kept_for_the_next() -> None:
    for body in (b"Content-Length: 3\r\n\r\nabc", b"Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"):
        request = b"POST / HTTP/1.1\r\nHost: x\r\n" + body
        for parts in cuts(request + b"GET", 2):
            reader = RequestReader(lambda _: BodyHandling(10), SpoolQuota(0))
            for part in parts:
                reader.feed(part)
            assert reader.is_complete
            assert (reader.body.getvalue(), reader.rest) == (b"abc", b"GET")  # type: ignore[attr-defined]


def test_content_before_a_fault_is_not_lost() -> None:
    decoder = ChunkDecoder()
    with pytest.raises(Refusal):
        decoder.feed(b"1\r\nx\r\nzz")
    assert decoder.take() == b"x"


def test_every_refusal_has_a_problem() -> None:
    """And every problem is used."""
    reasons = set()
    for path in Path(capomastro.worker.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and node.value in PROBLEMS:
                reasons.add(node.value)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Refusal":
                constants = {each.value for each in ast.walk(node.args[0]) if isinstance(each, ast.Constant)}
                assert constants - {None} <= set(PROBLEMS), path
    assert reasons == set(PROBLEMS)
