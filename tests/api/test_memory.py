"""How much memory a request takes, whatever its body looks like: measured in a process of its own for each."""

import json
import os
import resource
import sys
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from capomastro.api.application import create_app
from capomastro.documents.json_text import MAXIMUM_PARTS
from capomastro.settings import Settings

MOST = Settings.maximum_record_bytes
PEAK = 120 * 2**20
"""Bytes that any body may take."""
PER_BYTE = 30
"""Bytes for each byte of a document that is accepted."""
RECORD = Path("conformance/palazzo/records/three-plan.json")


def repeated(unit: bytes, begin: bytes = b'{"record":[', end: bytes = b"]}") -> bytes:
    """A body of as many of these values as can be."""
    parts = sum(map(unit.count, (b"[", b"]", b"{", b"}"))) + 1
    count = min((MOST - len(begin) - len(end)) // (len(unit) + 1), (MAXIMUM_PARTS - 20) // parts)
    return begin + b",".join([unit] * count) + end


def counted(form: bytes, count: int, begin: bytes = b'{"record":[', end: bytes = b"]}") -> bytes:
    """A body of so many values, all of them different."""
    return begin + b",".join(form % number for number in range(count)) + end


ARRAYS, OBJECTS = b"[" * 28 + b"]" * 28, b'{"a":' * 28 + b"1" + b"}" * 28
ESCAPED = b'{"\\u0072ecord":['
RECORD_HEAD = b'{"record":{"game":"palazzo","schema_version":1,"rules_version":1,"players":2,"options":{},"moves":['
SHAPES = {
    "deep arrays": repeated(ARRAYS),
    "deep arrays and an escape": repeated(ARRAYS, ESCAPED),
    "deep arrays, too many": b"".join([ESCAPED, b",".join([ARRAYS] * (MOST // 57 - 1)), b"]}"]),
    "deep objects": repeated(OBJECTS),
    "deep objects and an escape": repeated(OBJECTS, ESCAPED),
    "empty objects": repeated(b"{}"),
    "objects": repeated(b'{"a":1}'),
    "different objects": counted(b'{"%06x":1}', 160_000),
    "integers": repeated(b"1000"),
    "texts": counted(b'"%x"', 400_000),
    "names": counted(b'"%x":1', 249_000, b'{"record":{', b"}}"),
    "a name twice": counted(b'"%x":1', 248_000, b'{"record":{', b',"0":1}}'),
    "a name twice, escaped": counted(b'"%x":1', 248_000, b'{"record":{', b',"\\u0030":1}}'),
    "half a pair": counted(b'"%x"', 400_000, end=b',"\\ud800"]}'),
    "a fraction": counted(b'"%x"', 400_000, end=b",1.5]}"),
    "one text": b'{"record":"' + b"a" * (MOST - 20) + b'"}',
    "one text with a face": b'{"record":"\xf0\x9f\x98\x80' + b"a" * (MOST - 20) + b'"}',
    "escapes": b'{"record":"' + b"\\n" * (MOST // 2 - 10) + b'"}',
    "six bytes for a character": b'{"record":"' + b"\\u0001" * (MOST // 6 - 10) + b'"}',
    "one name": b'{"record":{"' + b"a" * (MOST - 30) + b'":1}}',
    "blanks": b" " * (MOST - 2) + b"{}",
    "moves of nothing": repeated(b'{"x":[%s]}' % b",".join([b'"red-7"'] * 36), RECORD_HEAD),
    "not closed": repeated(OBJECTS, end=b""),
}


@pytest.fixture(scope="module")
def app() -> Flask:
    return create_app(Settings(log_level="ERROR"))


def growth(app: Flask, path: str, body: bytes, **headers: str) -> tuple[int, int]:
    """The status of the answer, and the bytes by which a process grew at most while it answered."""
    reading, writing = os.pipe()
    if os.fork() == 0:
        try:
            begun = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            given = {"Content-Type": "application/json", **headers}
            response = app.test_client().post(path, data=body, headers=given)
            response.get_data()
            grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - begun
            os.write(writing, json.dumps([response.status_code, grown * 1024]).encode())
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as answer:
        status, grown = json.loads(answer.read())
    os.wait()
    return status, grown


pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="a forked process begins with the memory it has")


@pytest.mark.parametrize("body", SHAPES.values(), ids=SHAPES)
def test_no_body_takes_more_than_a_bound(app: Flask, body: bytes) -> None:
    assert len(body) <= MOST
    status, grown = growth(app, "/v1/games/palazzo/replays", body)
    assert 400 <= status < 500
    assert grown < PEAK


@pytest.mark.parametrize("shape", ["deep objects and an escape", "deep arrays, too many", "a name twice", "one text"])
def test_neither_does_one_that_is_no_record_nor_a_line_of_a_stream(app: Flask, shape: str) -> None:
    status, grown = growth(app, "/v1/games/campanile/tables/views", SHAPES[shape])
    assert 400 <= status < 500
    assert grown < PEAK
    line = SHAPES[shape] + b"\n"
    status, grown = growth(app, "/v1/replays", line * 2, **{"Content-Type": "application/x-ndjson"})
    assert status == 200
    assert grown < PEAK


def long_record() -> dict[str, Any]:
    """A record as large as can be, of moves that are read and have the shape of moves."""
    record: dict[str, Any] = json.loads(RECORD.read_bytes())
    auctions = [{"type": "raise", "seat": 0, "cards": ["red-7"] * 36}] * 9_500
    return {**record, "moves": [*record["moves"], *auctions]}


@pytest.mark.parametrize(
    ("path", "members"),
    [
        ("replays", {"repair": "skip", "texts": True}),
        ("replays", {"repair": "correct", "texts": True}),
        ("records", {}),
        ("pictures", {"ply": 0, "count": 50}),
    ],
)
def test_accepted_documents_take_so_many_bytes_for_each_of_theirs(
    app: Flask, path: str, members: dict[str, Any]
) -> None:
    body = json.dumps({"record": long_record(), **members}, separators=(",", ":")).encode()
    assert len(body) > 3_000_000
    status, grown = growth(app, f"/v1/games/palazzo/{path}", body)
    assert status == 200
    assert grown < PER_BYTE * len(body)
