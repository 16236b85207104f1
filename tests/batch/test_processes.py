"""Records judged by several processes: in order, a bounded number at once, each independent of the others."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from capomastro.archive import Line, Terms
from capomastro.batch import processes
from capomastro.batch.judging import judge
from capomastro.batch.processes import (
    BATCHES_PER_PROCESS,
    MAXIMUM_BATCH_BYTES,
    MAXIMUM_BATCH_RECORDS,
    Batch,
    Judge,
    batches,
    judged,
)
from capomastro.batch.sources import Meter, Record
from capomastro.cores import cores
from capomastro.documents import json_text
from capomastro.documents.problems import Problem
from tests.support.archives import archive_lines, expected

MARK = "dies-once"


def records(number: int) -> list[Record]:
    return [Record("a", Line(index, text)) for index, text in enumerate(archive_lines(number), 1)]


def verdicts(given: list[Record], jobs: int, judge: Judge = judge) -> list[bytes]:
    small = [Batch(given[at : at + 4], at) for at in range(0, len(given), 4)]
    return [verdict for each in judged(small, Terms(), jobs, judge) for verdict in each.verdicts]


def judge_or_die(given: list[Record], terms: Terms) -> list[bytes]:
    """A process that dies of some records, as if it ran out of memory."""
    for record in given:
        if b"fatal" in (record.line.text or b""):
            os.kill(os.getpid(), signal.SIGKILL)
    return judge(given, terms)


def judge_and_die_once(given: list[Record], terms: Terms) -> list[bytes]:
    """A process that is killed at a record, which did not cause it."""
    for record in given:
        if record.line.text == b'"ended here"':
            mark = Path(record.source)
            if not mark.exists():
                mark.touch()
                os.kill(os.getpid(), signal.SIGKILL)
    return judge(given, terms)


def die(_given: list[Record], _terms: Terms) -> list[bytes]:
    os.kill(os.getpid(), signal.SIGKILL)
    return []


@pytest.mark.parametrize("jobs", [1, 2])
def test_verdicts_come_in_the_order_of_the_records(jobs: int) -> None:
    texts = list(archive_lines(24))
    assert b"".join(verdicts(records(24), jobs)) == expected("a", texts)


@pytest.mark.long
def test_a_record_that_kills_a_process_does_not_affect_the_others() -> None:
    given = records(20)
    given[5] = given[5]._replace(line=Line(6, b'"fatal"'))
    given[6] = given[6]._replace(line=Line(7, b'{"fatal": 1}'))
    found = [json_text.decode(verdict) for verdict in verdicts(given, 2, judge_or_die)]
    assert [verdict["line"] for verdict in found] == list(range(1, 21))
    died = [verdict["line"] for verdict in found if verdict.get("problem") == "internal"]
    assert died == [6, 7]
    others = [verdict for verdict in found if verdict["line"] not in died]
    whole = [json_text.decode(verdict) for verdict in judge(records(20), Terms())]
    assert others == [verdict for verdict in whole if verdict["line"] not in died]


@pytest.mark.long
def test_no_verdict_is_lost_when_a_process_is_killed(tmp_path: Path) -> None:
    given = records(20)
    given[9] = Record(str(tmp_path / MARK), Line(10, b'"ended here"'))
    found = [json_text.decode(verdict) for verdict in verdicts(given, 2, judge_and_die_once)]
    assert (tmp_path / MARK).exists()
    assert [verdict["line"] for verdict in found] == list(range(1, 21))
    assert [verdict for verdict in found if verdict.get("problem") == "internal"] == []


@pytest.mark.long
def test_no_record_is_blamed_if_every_process_dies() -> None:
    with pytest.raises(Problem, match="--jobs 1"):
        verdicts(records(8), 2, die)


def test_a_bounded_number_of_batches_is_under_way() -> None:
    taken = 0

    def counted() -> Iterator[Batch]:
        nonlocal taken
        for index in range(100):
            taken += 1
            yield Batch([Record("a", Line(index, b"1"))], index)

    for number, _ in enumerate(judged(counted(), Terms(), 2), 1):
        assert taken <= number + 2 * BATCHES_PER_PROCESS


def test_batches_are_bounded_in_number_and_weight() -> None:
    light = [Record("a", Line(number, b"1")) for number in range(100)]
    assert [len(batch.records) for batch in batches(light, Meter())] == [MAXIMUM_BATCH_RECORDS] * 3 + [
        100 - 3 * MAXIMUM_BATCH_RECORDS
    ]
    heavy = [Record("a", Line(number, b"1" * (MAXIMUM_BATCH_BYTES // 2))) for number in range(5)]
    assert [len(batch.records) for batch in batches(heavy, Meter())] == [2, 2, 1]
    assert list(batches([], Meter())) == []


def test_our_own_bugs_are_reported_as_such(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("by nothing")

    monkeypatch.setattr("capomastro.batch.judging.archive.verdict", broken)
    (verdict,) = map(json_text.decode, judge([Record("a", Line(1, b"{}"))], Terms()))
    assert (verdict["verdict"], verdict["problem"]) == ("unusable", "internal")
    assert "ZeroDivisionError" in verdict["detail"]


def test_there_is_at_least_one_core() -> None:
    assert cores() >= 1


def test_small_archives_start_no_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[int] = []
    start = processes.Judges

    def judges(terms: Terms, jobs: int, judge: processes.Judge) -> processes.Judges:
        begun.append(jobs)
        return start(terms, jobs, judge)

    monkeypatch.setattr("capomastro.batch.processes.Judges", judges)
    monkeypatch.setattr("capomastro.batch.processes.cores", lambda: 2)
    records = [Record("a", Line(number, b"1" * 1_000)) for number in range(70)]
    alone = list(judged(batches(records, Meter()), Terms(), None))
    assert not begun
    monkeypatch.setattr("capomastro.batch.processes.BYTES_ALONE", 40_000)
    together = list(judged(batches(records, Meter()), Terms(), None))
    assert begun == [2]
    assert together == alone
