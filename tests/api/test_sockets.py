"""Features of a real server: chunks, bodies that break off, connections that stay open."""

import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection, HTTPResponse
from urllib.parse import urlsplit

import pytest

from capomastro.documents import json_text
from tests.support.serving import warmly_served
from tests.support.sockets import PATIENCE

HEAD = b"POST /v1/games/palazzo/setups HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, int]]:
    with warmly_served(tmp_path_factory.mktemp("server"), CAPOMASTRO_WORKERS="1") as (url, _):
        parts = urlsplit(url)
        assert parts.hostname is not None
        assert parts.port is not None
        yield parts.hostname, parts.port


def answer_to(address: tuple[str, int], sent: bytes) -> tuple[int, str]:
    """Status and body of the answer to these bytes; nothing is sent afterwards."""
    with socket.create_connection(address, timeout=PATIENCE) as connection:
        connection.sendall(sent)
        connection.shutdown(socket.SHUT_WR)
        response = HTTPResponse(connection)
        response.begin()
        return response.status, response.read().decode()


def test_chunks_are_read(address: tuple[str, int]) -> None:
    status, body = answer_to(address, CHUNKED + b'5\r\n{"pla\r\n8\r\nyers":2}\r\n0\r\n\r\n')
    assert (status, body[:9]) == (200, '{"state":')


BROKEN = {
    "a chunk without a size": CHUNKED + b"ZZ\r\nabc\r\n0\r\n\r\n",
    "a chunk that breaks off": CHUNKED + b"5\r\n{",
    "no last chunk": CHUNKED + b'd\r\n{"players":2}\r\n',
    "a body that breaks off": HEAD + b'Content-Length: 50\r\n\r\n{"players":2}',
}


@pytest.mark.parametrize("sent", BROKEN.values(), ids=BROKEN)
def test_a_body_that_breaks_off(address: tuple[str, int], sent: bytes) -> None:
    status, body = answer_to(address, sent)
    assert (status, json_text.decode(body.encode())["type"]) == (400, "/v1/problems/bad-request")


def test_chunks_that_never_end(address: tuple[str, int]) -> None:
    status, body = answer_to(
        address, CHUNKED + b"fff\r\n" + b" " * 0xFFF + b"\r\n" + (b"fff\r\n" + b" " * 0xFFF + b"\r\n") * 80
    )
    assert (status, json_text.decode(body.encode())["type"]) == (413, "/v1/problems/too-large")


def test_concurrent_clients_get_their_own_answers(address: tuple[str, int]) -> None:
    """A connection stays open from answer to answer, even after a refusal."""

    def ask(client: int) -> None:
        connection = HTTPConnection(*address, timeout=PATIENCE)
        for turn in range(10):
            id, seed = f"{client}-{turn}", "x" * (300 if turn % 3 == 0 else client)
            body = json_text.encode({"players": 2, "names": [id, "b"], "seed": seed})
            headers = {"Content-Type": "application/json", "X-Request-Id": id}
            connection.request("POST", "/v1/games/palazzo/setups", body, headers)
            response = connection.getresponse()
            answer = json_text.decode(response.read())
            assert response.headers["X-Request-Id"] == id
            assert response.status == (422 if turn % 3 == 0 else 200)
            assert turn % 3 == 0 or answer["state"]["names"] == [id, "b"]
        connection.close()

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(ask, range(8)))
