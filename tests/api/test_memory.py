"""How much memory a request takes, whatever its body looks like: measured in a process of its own for each."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from capomastro.api.application import create_app
from capomastro.settings import Settings
from tests.support.memory import growth, shapes

MOST = Settings.maximum_record_bytes
PEAK = 120 * 2**20
"""Bytes that any body may take."""
PER_BYTE = 30
"""Bytes for each byte of a document that is accepted."""
RECORD = Path("conformance/palazzo/records/three-plan.json")


BODIES = shapes("record", MOST)
SOME = ("deep objects and an escape", "not closed", "different objects", "one text with a face", "moves of nothing")
"""Those that take most, each in its way; the campaign `memory` sends all to all resources."""


@pytest.fixture(scope="module")
def app() -> Flask:
    return create_app(Settings(log_level="ERROR"))


pytestmark = [
    pytest.mark.long,
    pytest.mark.longest,
    pytest.mark.skipif(sys.platform != "linux", reason="a forked process begins with the memory it has"),
]


def test_no_body_takes_more_than_a_bound(app: Flask) -> None:
    for shape in SOME:
        body = BODIES[shape]()
        assert len(body) <= MOST
        status, grown = growth(app, "/v1/games/palazzo/replays", body)
        assert 400 <= status < 500, shape
        assert grown < PEAK, shape


@pytest.mark.parametrize("shape", ["different objects", "one text"])
def test_neither_does_one_that_is_no_record_nor_a_line_of_a_stream(app: Flask, shape: str) -> None:
    body = BODIES[shape]()
    status, grown = growth(app, "/v1/games/campanile/tables/views", body)
    assert 400 <= status < 500
    assert grown < PEAK
    status, grown = growth(app, "/v1/replays", (body + b"\n") * 2, **{"Content-Type": "application/x-ndjson"})
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
