"""A run can resume from a file of verdicts wherever it ends, but only with the records it belongs to."""

import errno
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from capomastro.archive import Line, Terms
from capomastro.batch.judging import judge
from capomastro.batch.sources import Record
from capomastro.batch.verdict_file import VerdictFile
from capomastro.documents import json_text
from capomastro.documents.problems import Problem
from tests.support.archives import archive_lines

TERMS = Terms()


@pytest.fixture
def records() -> list[Record]:
    return [Record("a.ndjson", Line(number, text)) for number, text in enumerate(archive_lines(12), 1)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "verdicts.ndjson"


def go_on(path: Path, records: list[Record], terms: Terms = TERMS, restart: bool = False) -> int:
    """Judges what has no verdict yet; returns how many had one."""
    left: Iterator[Record] = iter(records)
    with VerdictFile(str(path), restart) as file:
        answered = sum(1 for _ in file.answered(left, terms))
        file.append(judge(left, terms))
    return answered


def test_a_run_resumes_wherever_the_last_one_ended(path: Path, records: list[Record]) -> None:
    assert go_on(path, records) == 0
    whole = path.read_bytes()
    lines = whole.splitlines(keepends=True)
    ends = [len(b"".join(lines[:number])) for number in range(len(lines) + 1)]
    for end in {0, 1, 5, 11, 12, 40, *ends, *(end - 1 for end in ends[1:]), *(end + 30 for end in ends[:-1])}:
        path.write_bytes(whole[:end])
        assert go_on(path, records) == sum(end >= complete for complete in ends[1:])
        assert path.read_bytes() == whole


def test_an_archive_that_has_grown_can_be_resumed(path: Path, records: list[Record]) -> None:
    go_on(path, records[:7])
    assert go_on(path, records) == 7
    assert [json_text.decode(line)["line"] for line in path.read_bytes().splitlines()] == list(range(1, 13))


def changed(records: list[Record], change: str) -> list[Record]:
    text = records[3].line.text or b""
    return {
        "text": [*records[:3], records[3]._replace(line=Line(4, text + b" ")), *records[4:]],
        "one more": [records[0], *records],
        "one less": [*records[:3], *records[4:]],
        "shorter": records[:-1],
        "another source": [record._replace(source="b.ndjson") for record in records],
        "unreadable now": [*records[:3], Record("a.ndjson", Line(4, b""), trouble="gone")],
    }[change]


@pytest.mark.parametrize("change", ["text", "one more", "one less", "shorter", "another source", "unreadable now"])
def test_other_records_are_refused_and_the_file_is_left_alone(path: Path, records: list[Record], change: str) -> None:
    go_on(path, records)
    before = path.read_bytes()
    with pytest.raises(Problem, match="does not match the record at that position") as refused:
        go_on(path, changed(records, change))
    assert refused.value.id == "other-verdicts"
    assert path.read_bytes() == before
    assert go_on(path, changed(records, change), restart=True) == 0


@pytest.mark.parametrize(
    "terms",
    [Terms(under_current_rules=True), Terms(repair="skip"), Terms(maximum_moves=5), Terms(maximum_bytes=10_000)],
)
def test_other_terms_are_refused(path: Path, records: list[Record], terms: Terms) -> None:
    go_on(path, records)
    with pytest.raises(Problem):
        go_on(path, records, terms)


@pytest.mark.parametrize("content", ['{"game":"palazzo"', "{\n}\n", "dear diary", "dear diary\n", "[1]\n", '"a"\n'])
def test_a_file_with_other_content_is_left_alone(path: Path, records: list[Record], content: str) -> None:
    """With `--restart`, too: it may be the archive itself."""
    path.write_text(content, "utf-8")
    for restart in (False, True):
        with pytest.raises(Problem, match="it holds something other than verdicts") as refused:
            go_on(path, records, restart=restart)
        assert refused.value.id == "unwritable"
        assert path.read_text("utf-8") == content


def test_two_runs_cannot_write_the_same_file(path: Path, records: list[Record]) -> None:
    with VerdictFile(str(path)), pytest.raises(Problem, match="another run is writing it"):
        go_on(path, records)
    assert go_on(path, records) == 0


def test_unwritable_files_are_reported(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for place in (tmp_path, tmp_path / "none" / "verdicts.ndjson", tmp_path / "pipe", Path("/dev/null")):
        with pytest.raises(Problem, match="cannot be written"):
            VerdictFile(str(place))


def test_a_full_disk_is_reported_and_the_run_can_resume(
    path: Path, records: list[Record], monkeypatch: pytest.MonkeyPatch
) -> None:
    write, room = os.write, 1500

    def write_a_little(descriptor: int, data: bytes) -> int:
        nonlocal room
        if not room:
            raise OSError(errno.ENOSPC, "No space left on device")
        written = write(descriptor, data[: min(room, 700)])
        room -= written
        return written

    with monkeypatch.context() as patched:
        patched.setattr("capomastro.batch.verdict_file.os.write", write_a_little)
        with pytest.raises(Problem, match="No space left on device"):
            go_on(path, records)
    assert path.stat().st_size == 1500
    assert go_on(path, records) == path.read_bytes()[:1500].count(b"\n")
    assert path.read_bytes() == b"".join(judge(records, TERMS))
