"""Summaries of archives: what they count, and what they keep of each record on disk."""

import json
from collections.abc import Iterator

import pytest

from capomastro.archive import Line, Terms
from capomastro.batch.findings import FaultKind, Findings, Repeated
from capomastro.batch.judging import judge, read_verdict
from capomastro.batch.sources import Record
from capomastro.batch.summaries import Summary
from tests.support.archives import archive_lines, short_games


@pytest.fixture
def findings() -> Iterator[Findings]:
    with Findings() as opened:
        yield opened


def count(found: Summary, texts: list[bytes], part: int = 0) -> Summary:
    for verdict in judge([Record("a", Line(number, text)) for number, text in enumerate(texts, 1)], Terms()):
        found.count(read_verdict(verdict), part)
    return found


def test_every_record_is_counted_under_its_game_and_verdict(findings: Findings) -> None:
    found = count(Summary(findings), list(archive_lines(22)))
    assert found.records == 22
    assert (found.wrong, found.unusable) == (3, 2)
    assert [verdict.line for verdict in findings.faults()] == [7, 11, 14, 21, 22]
    assert sum(number for _, number in found.rules()) == 3
    assert found.games()[-1] == ""
    unusable = FaultKind("unusable", "malformed-json", 2)
    assert unusable in findings.kinds()
    assert [verdict.line for verdict in findings.faults(unusable)] == [11, 22]


def test_unknown_games_do_not_make_a_summary_grow(findings: Findings) -> None:
    found = count(Summary(findings), [b'{"game": "game-%d"}' % number for number in range(50)])
    assert found.verdicts() == [(("", "unusable"), 50)]
    assert len(list(findings.faults(most=20))) == 20


def test_faults_are_in_order_whatever_the_order_of_the_parts(findings: Findings) -> None:
    texts = list(archive_lines(12))
    found = count(count(Summary(findings), texts[6:], part=1), texts[:7], part=0)
    assert [verdict.line for verdict in findings.faults()] == [7, 1, 5]
    assert found.records == 13


def test_games_recorded_twice_are_told_even_under_other_names(findings: Findings) -> None:
    first, second = short_games()[:2]
    renamed = {
        **first,
        "id": "again",
        "tags": {},
        "names": ["Ada", "Bruno", "Carla", "Dora", "Emma"][: first["players"]],
    }
    empty = {**first, "moves": []}
    texts = [json.dumps(one).encode() for one in (first, second, renamed, second, empty, {**empty, "id": "x"})]
    count(Summary(findings), texts)
    assert list(findings.repeated()) == [
        Repeated("a", 3, "again", False, "a", 1),
        Repeated("a", 4, second["id"], True, "a", 2),
    ]
    assert findings.count_repeated() == 2


def test_an_unfinished_record_is_wrong_if_all_must_be_finished(findings: Findings) -> None:
    document = {name: value for name, value in short_games()[0].items() if name != "result"}
    unfinished = json.dumps({**document, "moves": document["moves"][:-1]}).encode()
    assert count(Summary(findings), [unfinished]).wrong == 0
    assert count(Summary(findings, must_be_finished=True), [unfinished], part=1).wrong == 1
