"""The parts of an archive contain every record once, under its own number."""

import gzip
from collections.abc import Sequence
from pathlib import Path

import pytest

from capomastro.archive import Terms
from capomastro.batch.partitions import (
    MAXIMUM_PART_BYTES,
    MINIMUM_PART_BYTES,
    PLAN,
    Piece,
    lines_in,
    load_or_make_plan,
    part_bytes,
    part_file,
    records_of_part,
    remove_verdicts,
    split_into_parts,
)
from capomastro.batch.sources import Meter, Source, records_of, sources_at
from capomastro.documents.languages import using_language
from capomastro.documents.problems import Problem

TERMS = Terms()


@pytest.fixture(autouse=True)
def _directory(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)


def count(pieces: Sequence[Piece]) -> list[int | None]:
    return [lines_in(piece, TERMS.maximum_bytes) for piece in pieces]


def mixed_sources() -> list[Source]:
    """Large and small files, compressed under any name, with and without ends of lines or marks, and a missing file."""
    Path("a.ndjson").write_bytes(b"".join(b"%d\n" % number + b"\n" * (number % 3) for number in range(60)))
    Path("b.json").write_bytes(b'{\n"one": 1\n}\n')
    Path("c.ndjson.gz").write_bytes(gzip.compress(b"1\n2\n3"))
    Path("d.jsonl").write_bytes(b"x" * 50 + b"\n" + b"y" * 3 + b"\n\n" + b"z" * 70)
    Path("e.json").write_bytes(b"2")
    Path("f.ndjson").write_bytes(gzip.compress(b"".join(b"%d\n" % number for number in range(300))))
    Path("g.ndjson").write_bytes(b"\xef\xbb\xbf1\n" + b"2\n" * 60)
    names = ["a.ndjson", "b.json", "c.ndjson.gz", "missing.json", "d.jsonl", "e.json", "f.ndjson", "g.ndjson"]
    return list(sources_at(names))


@pytest.mark.parametrize("size", [1, 7, 10, 33, 64, 100, 10_000])
def test_parts_contain_every_record_once_in_order_and_numbered_as_in_its_file(size: int) -> None:
    sources = mixed_sources()
    parts = split_into_parts(sources, size, count)
    whole = list(records_of(sources, TERMS.maximum_bytes, Meter()))
    assert [record for part in parts for record in records_of_part(part, TERMS.maximum_bytes)] == whole
    assert all(sum(piece.bytes for piece in part) <= size or len(part) == 1 for part in parts)


RECORDS = b'{"id": 1}\n{"id": 2}\n'
OVER_LINES = {
    "array": b"[\n" + b'{"id": 3},\n' * 8 + b"]\n",
    "array with its first item": b'[{"id": 3},\n' + b'{"id": 3},\n' * 8 + b"]\n",
    "object": b'{\n  "moves": [\n' + b'    {"seat": 0},\n' * 8 + b"  ]\n}\n",
    "notation": b"game: palazzo\n\n" + b"0 build\n" * 8,
}
"""Documents over several lines, which have one verdict each."""


@pytest.mark.parametrize("document", OVER_LINES.values(), ids=OVER_LINES)
@pytest.mark.parametrize("before", [b"", RECORDS])
@pytest.mark.parametrize("size", [1, 7, 10, 33, 64, 100, 10_000])
def test_a_document_over_several_lines_has_one_verdict_wherever_the_file_is_divided(
    document: bytes, before: bytes, size: int
) -> None:
    Path("a.ndjson").write_bytes(before + document + RECORDS * 5)
    Path("b.ndjson").write_bytes(RECORDS)
    sources = list(sources_at(["a.ndjson", "b.ndjson"]))
    parts = split_into_parts(sources, size, count)
    whole = list(records_of(sources, TERMS.maximum_bytes, Meter()))
    assert [record for part in parts for record in records_of_part(part, TERMS.maximum_bytes)] == whole


def test_a_file_is_divided_before_a_document_over_several_lines() -> None:
    Path("a.ndjson").write_bytes(RECORDS * 50 + OVER_LINES["object"] + RECORDS * 50)
    (source,) = sources_at(["a.ndjson"])
    assert len(split_into_parts([source], 100, count)) > 10


def test_small_files_are_combined_and_large_ones_are_divided() -> None:
    sources = mixed_sources()
    assert len(split_into_parts(sources, 10_000, count)) == 1
    assert len(split_into_parts(sources, 50, count)) > len(sources)


@pytest.mark.parametrize("first", ["missing.json", "empty.ndjson"])
def test_the_first_source_may_have_no_bytes(first: str) -> None:
    mixed_sources()
    Path("empty.ndjson").touch()
    sources = list(sources_at([first, "e.json"]))
    parts = split_into_parts(sources, 10, count)
    assert [piece.source for part in parts for piece in part] == sources


def test_there_are_enough_parts_for_the_workers_and_not_too_many() -> None:
    def size(total: int, workers: int) -> int:
        return part_bytes([Source("a", "a", bytes=total)], workers)

    assert size(1, 2) == MINIMUM_PART_BYTES
    assert size(160 * MINIMUM_PART_BYTES, 2) == 10 * MINIMUM_PART_BYTES
    assert size(10**12, 100) == MAXIMUM_PART_BYTES


def test_a_plan_stays_as_it_is_however_many_workers_there_are() -> None:
    Path("out").mkdir()
    sources = mixed_sources()
    plan = load_or_make_plan("out", sources, TERMS, 2, count)
    assert load_or_make_plan("out", sources, TERMS, 200, count) == plan
    assert (Path("out") / PLAN).exists()


def test_a_plan_fits_in_every_language() -> None:
    Path("out").mkdir()
    Path("empty").mkdir()
    paths = ["a.ndjson", "missing.json", "empty"]
    with using_language("it"):
        plan = load_or_make_plan("out", list(sources_at(paths)), TERMS, 2, count)
    assert load_or_make_plan("out", list(sources_at(paths)), TERMS, 2, count) == plan


def test_other_records_and_other_terms_are_refused() -> None:
    Path("out").mkdir()
    sources = mixed_sources()
    load_or_make_plan("out", sources, TERMS, 2, count)
    Path("e.json").write_bytes(b"33")
    for others, terms in ((mixed_sources()[:-1], TERMS), (list(sources_at(["e.json"])), TERMS), (sources, Terms(1))):
        with pytest.raises(Problem, match="cannot be resumed"):
            load_or_make_plan("out", others, terms, 2, count)


@pytest.mark.parametrize("content", [b"", b"{}", b"[1]", b'{"question":'])
def test_an_invalid_plan_is_refused(content: bytes) -> None:
    Path("out").mkdir()
    (Path("out") / PLAN).write_bytes(content)
    with pytest.raises(Problem):
        load_or_make_plan("out", mixed_sources(), TERMS, 2, count)


def test_verdicts_without_a_plan_are_refused_until_they_are_forgotten() -> None:
    Path("out").mkdir()
    Path(part_file("out", 3)).write_bytes(b"")
    Path("out/notes.txt").write_bytes(b"")
    with pytest.raises(Problem):
        load_or_make_plan("out", mixed_sources(), TERMS, 2, count)
    remove_verdicts("out")
    load_or_make_plan("out", mixed_sources(), TERMS, 2, count)
    assert sorted(path.name for path in Path("out").iterdir()) == ["notes.txt", PLAN]


def test_records_in_files_with_the_names_of_verdicts_are_not_forgotten() -> None:
    Path("out").mkdir()
    for number, content in enumerate([b'{"source":"a"}\n', b'{"game":"palazzo"}\n']):
        Path(part_file("out", number)).write_bytes(content)
    with pytest.raises(Problem, match="it holds something other than verdicts"):
        remove_verdicts("out")
    assert len(list(Path("out").iterdir())) == 2


def test_verdicts_of_another_run_in_or_behind_the_directory_are_not_forgotten() -> None:
    Path("out/older").mkdir(parents=True)
    Path("other").mkdir()
    Path("out/other").symlink_to("../other")
    own, *others = (part_file(directory, 0) for directory in ("out", "out/older", "other"))
    for file in (own, *others):
        Path(file).write_bytes(b'{"source":"a"}\n')
    remove_verdicts("out")
    assert [Path(file).exists() for file in (own, *others)] == [False, True, True]
