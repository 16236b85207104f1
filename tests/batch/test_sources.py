"""Records from files, compressed files and directories, each with its place."""

import errno
import gzip
import json
import os
from pathlib import Path

import pytest

from capomastro.archive import Line
from capomastro.batch import files
from capomastro.batch.sources import (
    Meter,
    Record,
    Source,
    holds_lines,
    is_archive,
    is_plain,
    lines_between,
    records_in,
    records_of,
    sources_at,
)

MOST = 1000


@pytest.fixture(autouse=True)
def _directory(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)


def write(name: str, content: bytes) -> str:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    return name


def found(*paths: str, by_line: bool = False, except_for: str | None = None) -> list[Record]:
    return list(records_of(sources_at(paths, by_line, except_for), MOST, Meter()))


def test_a_file_contains_one_record_or_one_per_line() -> None:
    write("one.json", b'{\n"game": 1\n}')
    write("many.ndjson", b"1\n\n 2 \r\n3")
    write("packed.jsonl.gz", b"1\n2\n")
    write("packed.json.gz", b"1\n2\n")
    assert found("one.json") == [Record("one.json", Line(1, b'{\n"game": 1\n}'))]
    assert [record.line for record in found("many.ndjson")] == [Line(1, b"1"), Line(3, b"2"), Line(4, b"3")]
    assert [record.line for record in found("packed.jsonl.gz")] == [Line(1, b"1"), Line(2, b"2")]
    assert [record.line for record in found("packed.json.gz")] == [Line(1, b"1\n2\n")]
    assert [record.line for record in found("one.json", by_line=True)][1] == Line(2, b'"game": 1')


def test_which_paths_are_archives() -> None:
    write("folder/one.json", b"1")
    many = ["a.ndjson", "a.jsonl", "a.ndjson.gz", "folder"]
    assert [name for name in ("a.json", "a.json.gz", "a.capo", "-", *many) if is_archive(name)] == many
    assert holds_lines("a.ndjson.gz")
    assert not holds_lines("a.json.gz")


def test_directories_are_read_in_the_order_of_names_and_hidden_files_left_out() -> None:
    for name in (
        "d/b.json",
        "d/a/z.ndjson",
        "d/a/y.capo",
        "d/c.txt",
        "d/.hidden.json",
        "d/.git/e.json",
        "d/a.jsonl.gz",
    ):
        write(name, b"1")
    records = found("d")
    assert [record.source for record in records] == ["d/a.jsonl.gz", "d/b.json", "d/a/y.capo", "d/a/z.ndjson"]
    assert [record.notated for record in records] == [False, False, True, False]


def test_links_are_followed_but_not_in_circles() -> None:
    for name in ("d/a.json", "d/b/c.json", "elsewhere/e/f.json"):
        write(name, b"1")
    for link, target in {"d/g": "../elsewhere", "d/h.json": "a.json", "d/b/up": "..", "d/b/same": "."}.items():
        Path(link).symlink_to(target)
    Path("elsewhere/e/back").symlink_to(Path("d").resolve())
    names = [record.source for record in found("d")]
    assert names[:4] == ["d/a.json", "d/h.json", "d/b/c.json", "d/g/e/f.json"]
    assert len(names) == len(set(names)) < 20


@pytest.mark.parametrize("top", ["d", "d/closed"])
def test_a_directory_that_cannot_be_listed_is_reported(monkeypatch: pytest.MonkeyPatch, top: str) -> None:
    """Its records would be missing without a word."""
    for name in ("d/a.json", "d/closed/b.json", "d/open/c.json"):
        write(name, b"1")
    scandir = os.scandir

    def refused(path: str) -> object:
        if path == "d/closed":
            raise PermissionError(errno.EACCES, "Permission denied", path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refused)
    (record,) = (record for record in found(top) if record.trouble)
    assert (record.source, record.trouble) == ("d/closed", "Permission denied")
    assert len(found(top)) == (3 if top == "d" else 1)


def test_verdicts_among_the_records_are_skipped() -> None:
    for name in ("d/a.ndjson", "d/verdicts.ndjson", "d/parts/part-00000.ndjson"):
        write(name, b"1")
    assert [record.source for record in found("d", except_for="d/verdicts.ndjson")] == [
        "d/a.ndjson",
        "d/parts/part-00000.ndjson",
    ]
    assert [record.source for record in found("d", except_for="./d/../d/parts")] == ["d/a.ndjson", "d/verdicts.ndjson"]


def test_a_link_to_itself_is_unreadable_with_verdicts_beside_it_too() -> None:
    Path("folder").mkdir()
    Path("folder/one.json").symlink_to("one.json")
    (record,) = found("folder", except_for="verdicts.ndjson")
    assert record.trouble == os.strerror(errno.ELOOP)


def test_a_record_that_is_too_long_has_no_text() -> None:
    write("a.ndjson", b"1\n" + b"x" * (MOST + 1) + b"\n3\n")
    write("a.json", b" " * (MOST + 1))
    assert [record.line for record in found("a.ndjson")] == [Line(1, b"1"), Line(2, None), Line(3, b"3")]
    assert [record.line for record in found("a.json")] == [Line(1, None)]


@pytest.mark.parametrize("content", [b"", b"\n \n"])
@pytest.mark.parametrize("name", ["zero.ndjson", "zero.jsonl.gz", "d/zero.ndjson"])
def test_a_file_without_records_is_unreadable(name: str, content: bytes) -> None:
    write("d/one.json", b"1")
    write(name, content)
    records = [record for record in found("d", *([] if name.startswith("d/") else [name])) if record.trouble]
    assert [(record.source, record.trouble) for record in records] == [(name, "it contains no records")]


@pytest.mark.parametrize("content", [b"\n" * 9, b"\n" * 8 + b"1", b"\n\n1\n\n\n\n\n\n", b"1\n\n\n\n\n\n\n\n"])
@pytest.mark.parametrize("size", [1, 3, 4, 9])
def test_a_file_of_many_ranges_is_unreadable_only_if_none_has_records(content: bytes, size: int) -> None:
    write("a.ndjson", content)
    (source,) = sources_at(["a.ndjson"])
    records = [
        record
        for start in range(0, len(content), size)
        for record in records_in(source, MOST, Meter(), start, min(len(content), start + size))
    ]
    assert [bool(record.trouble) for record in records] == [b"1" not in content]


def test_ignored_files_are_counted() -> None:
    for name in ("d/a.json", "d/b.txt", "d/.c.txt", "d/e/f.svg.gz", "d/verdicts.txt"):
        write(name, b"1")
    meter = Meter()
    assert len(list(sources_at(["d", "d/b.txt"], except_for="d/verdicts.txt", meter=meter))) == 2
    assert meter.ignored == 2


def test_unreadable_sources_get_verdicts() -> None:
    Path("empty").mkdir()
    write("whole.ndjson", b"1\n")
    lines = b"".join(json.dumps({"n": os.urandom(8).hex()}).encode() + b"\n" for _ in range(500))
    Path("torn.ndjson.gz").write_bytes(gzip.compress(lines)[:-2000])
    Path("no.ndjson.gz").write_bytes(b"not compressed")
    records = found("missing.json", "empty", "torn.ndjson.gz", "no.ndjson.gz", "whole.ndjson")
    troubled = [(record.source, record.trouble) for record in records if record.trouble]
    assert [source for source, _ in troubled] == ["missing.json", "empty", "torn.ndjson.gz", "no.ndjson.gz"]
    assert troubled[0][1] == "No such file or directory"
    assert records[-1] == Record("whole.ndjson", Line(1, b"1"))
    torn = [record for record in records if record.source == "torn.ndjson.gz"]
    assert [record.line.number for record in torn] == list(range(1, len(torn) + 1))
    assert torn
    assert torn[0].line.text == lines.split(b"\n")[0]


def test_file_names_that_are_not_utf_8() -> None:
    name = os.fsdecode(b"caf\xe9.json")
    Path(name).write_bytes(b"1")
    (record,) = found(name)
    assert record.source == "caf\\xe9.json"
    assert record.line.text == b"1"


def test_bytes_are_counted_before_decompression() -> None:
    write("a.ndjson.gz", b"1\n" * 10_000)
    meter = Meter()
    assert len(list(records_of(sources_at(["a.ndjson.gz"]), MOST, meter))) == 10_000
    assert meter.read == Path("a.ndjson.gz").stat().st_size == files.info("a.ndjson.gz").bytes


@pytest.mark.parametrize("name", ["a.ndjson", "a.json", "a.capo", "a.ndjson.gz"])
def test_a_compressed_file_is_recognised_by_its_content(name: str) -> None:
    """Archives are renamed, and what a browser keeps of a compressed answer is not always what its address says."""
    Path(name).write_bytes(gzip.compress(b"game: palazzo\n"))
    assert [record.line.text for record in found(name)] == [b"game: palazzo" + b"\n" * (not holds_lines(name))]
    assert not is_plain(name)


@pytest.mark.parametrize(
    ("beginning", "reason"),
    [
        (b"BZh91AY", "it is packed with bzip2; only gzip is read"),
        (b"\xfd7zXZ\0", "it is packed with xz; only gzip is read"),
        (b"\x28\xb5\x2f\xfd", "it is packed with zstd; only gzip is read"),
        (b"PK\x03\x04", "it is packed with zip; only gzip is read"),
        ("{}".encode("utf-16"), "it is in UTF-16, not in UTF-8"),
    ],
)
def test_a_format_that_is_not_read_is_named(beginning: bytes, reason: str) -> None:
    for name in ("a.ndjson", "a.json"):
        Path(name).write_bytes(beginning + b"\n" * 100)
        assert [(record.line.number, record.trouble) for record in found(name)] == [(1, reason)]
        assert not is_plain(name)


def test_a_byte_order_mark_at_the_beginning_is_no_part_of_the_record() -> None:
    mark = b"\xef\xbb\xbf"
    write("a.ndjson", mark + b"1\n" + mark + b"2\n")
    write("b.json", mark + b"1")
    write("c.ndjson.gz", mark + b"1\n")
    write("d.ndjson", mark + b"\n1\n")
    assert [record.line.text for record in found("a.ndjson")] == [b"1", mark + b"2"]
    assert [record.line.text for record in found("b.json", "c.ndjson.gz")] == [b"1", b"1"]
    assert [record.line for record in found("d.ndjson")] == [Line(2, b"1")]
    write("e.ndjson", mark)
    assert [record.trouble for record in found("e.ndjson")] == ["it contains no records"]
    (source,) = sources_at(["a.ndjson"])
    ranges = [records_in(source, MOST, Meter(), start, start + 5, start // 5 + 1) for start in (0, 5)]
    assert [record.line.text for records in ranges for record in records] == [b"1", mark + b"2"]


TEXT = b"a\nbb\n\nccc\n  \nd\neeeeeeee\nf"


@pytest.mark.parametrize("text", [TEXT, TEXT + b"\n", b"\n\n", b"long", b"\nlong"])
@pytest.mark.parametrize("size", [1, 2, 3, 5, 100])
def test_every_line_is_in_exactly_one_range_wherever_ranges_end(text: bytes, size: int) -> None:
    for chunk in (1, 2, 7, 100):
        pieces = []
        for start in range(0, len(text), size):
            rest = text[max(0, start - 1) :]
            chunks = [rest[at : at + chunk] for at in range(0, len(rest), chunk)]
            pieces.append(b"".join(lines_between(chunks, start, start + size)))
        assert b"".join(pieces) == text
        assert all(piece.endswith(b"\n") for piece in pieces[:-1] if piece and not text.endswith(piece))


def test_records_of_a_range_have_their_own_numbers() -> None:
    write("a.ndjson", TEXT)
    source = next(sources_at(["a.ndjson"]))
    inside = list(records_in(source, MOST, Meter(), 3, 9, first_line=3))
    assert [record.line for record in inside] == [Line(4, b"ccc")]


@pytest.mark.parametrize("name", ["a.json", "a.ndjson.gz"])
def test_urls_are_read_as_files_are(tmp_path: Path, name: str) -> None:
    write(f"d/{name}", b"1\n")
    (record,) = found(f"file://{tmp_path}/d")
    assert record.source == f"file://{tmp_path}/d/{name}"
    assert (record.line.text or b"").strip() == b"1"
    assert found(f"file://{tmp_path}/none.json")[0].trouble


def test_a_record_written_by_hand_is_recognised_by_its_name_or_its_content() -> None:
    write("a.capo", b"{}")
    write("b.txt", b"game: palazzo\n")
    write("c.json", b"{}")
    assert [record.notated for record in found("a.capo", "b.txt", "c.json")] == [True, True, False]


def test_sources_without_a_size() -> None:
    assert [source.bytes for source in sources_at(["-", write("a.json", b""), "none"])] == [None, 0, 0]


def test_the_properties_of_a_source() -> None:
    assert Source("a.capo.gz", "a.capo.gz").notated
    assert not Source("a.json", "a.json").notated
