"""A verdict is what the service would answer, with the place of the record and a digest of the request."""

import json
from typing import Any

import pytest

from capomastro import archive
from capomastro.archive import Line, Terms
from capomastro.batch.judging import digest, judge, terms_bytes
from capomastro.batch.sources import Record
from capomastro.documents import json_text, notation
from capomastro.games import all_games
from tests.support.archives import archive_lines, short_games
from tests.support.shapes import shape_of

TERMS = Terms()
RECORDS = [
    *(Record("a.ndjson", Line(number, text)) for number, text in enumerate(archive_lines(22), 1)),
    Record("b.ndjson", Line(1, None)),
    Record("c.json", Line(1, b""), trouble="No such file or directory"),
    Record("d.capo", Line(1, b"game: chess\n"), notated=True),
    Record("e.capo", Line(1, None), notated=True),
]


def verdict(record: Record, terms: Terms = TERMS) -> dict[str, Any]:
    (line,) = judge([record], terms)
    assert line.endswith(b"}\n")
    found: dict[str, Any] = json_text.decode(line)
    return found


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: f"{record.source}:{record.line.number}")
def test_a_verdict_names_its_source_and_matches_the_schema(record: Record) -> None:
    found = verdict(record)
    assert list(found)[:2] == ["source", "line"]
    assert (found["source"], found["line"]) == (record.source, record.line.number)
    assert shape_of(None, "verdict-on-line").accepts(found), found
    if not (record.notated or record.trouble):
        answer = json_text.decode(json_text.encode(archive.verdict(record.line, TERMS)))
        found.pop("place", None)
        assert found == {"source": record.source, **answer, "digest": found["digest"]}


def place_in(text: bytes, name: str = "a.ndjson", line: int = 3) -> list[int]:
    notated = name.endswith(".capo")
    return list(verdict(Record(name, Line(line, text), notated))["place"].values())


def test_faults_have_the_line_and_column_of_the_value_at_fault() -> None:
    document = short_games()[0]
    spoilt = {**document, "moves": [*document["moves"], document["moves"][-1]]}
    short = {**document, "moves": document["moves"][:-1]}
    wrong = {name: value for name, value in document.items() if name != "result"} | {"totals": [900] * 5}
    wrong["totals"] = wrong["totals"][: document["players"]]
    for faulty, member in (
        (spoilt, "moves"),
        (short, "result"),
        (wrong, "totals"),
        ({**document, "options": 7}, "options"),
    ):
        text = json.dumps(faulty)
        line, column = place_in(text.encode())
        assert (line, text.index(f'"{member}"') < column < len(text)) == (3, True)
        line, column = place_in(json.dumps(faulty, indent=1).encode(), "a.json", 1)
        assert 1 < line < json.dumps(faulty, indent=1).count("\n")
    assert place_in(b'{"game": "palazzo", }') == [3, 21]
    assert place_in(b'{"game": "Pal\xe4zzo"}') == [3, 14]
    assert place_in(b"game: palazzo\nplayers: two\n", "a.capo", 1) == [2, 10]


def test_a_record_written_by_hand_is_judged_as_in_json_and_its_places_are_lines() -> None:
    document = short_games()[0]
    moves = [*document["moves"], document["moves"][-1]]
    game = all_games()[document["game"]]
    text = notation.written(game, {**document, "moves": moves}).encode()
    by_hand = verdict(Record("a.capo", Line(1, text), notated=True))
    in_json = verdict(Record("a.json", Line(1, json_text.encode({**document, "moves": moves}))))
    assert by_hand["verdict"] == in_json["verdict"] == "after-the-end"
    refusal = by_hand["first_divergence"]["refusal"]
    assert refusal["pointer"] == in_json["first_divergence"]["refusal"]["pointer"]
    assert text.split(b"\n")[refusal["line"] - 1].split()[0] == moves[-1]["type"].encode()


def test_a_digest_is_the_same_in_every_language() -> None:
    encoded_terms = terms_bytes(TERMS)
    empty = Record("c.json", Line(1, b""))
    in_english, in_german = (
        digest(empty._replace(trouble=why), encoded_terms)
        for why in ("No such file or directory", "Datei oder Verzeichnis nicht gefunden")
    )
    assert in_english == in_german != digest(empty, encoded_terms)


def test_a_digest_covers_text_and_terms() -> None:
    records = [record for record in RECORDS if record.line.text]
    every = {
        digest(record, terms_bytes(terms)) for record in records for terms in (TERMS, Terms(repair="skip"), Terms(9))
    }
    assert len(every) == 3 * len(records)
    first = records[0]
    elsewhere = first._replace(source="elsewhere", line=first.line._replace(number=9))
    assert digest(elsewhere, terms_bytes(TERMS)) == digest(first, terms_bytes(TERMS))
