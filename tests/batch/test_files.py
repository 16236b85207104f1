"""Files that appear complete or not at all, on this machine and in stores with a URL."""

from pathlib import Path

import pytest
from fsspec.implementations.memory import MemoryFileSystem

from capomastro.batch import files
from capomastro.documents.problems import Problem


@pytest.fixture(params=["path", "file URL", "store"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    MemoryFileSystem.store.clear()
    return {"path": str(tmp_path), "file URL": f"file://{tmp_path}", "store": "memory://bucket"}[request.param]


def test_a_file_is_seen_when_it_is_complete(place: str, tmp_path: Path) -> None:
    file = files.joined(place, "a.ndjson")
    with files.atomic_writer(file) as written:
        written.write(b"1\n")
        assert not files.exists(file)
    assert files.content(file) == b"1\n"
    files.write_atomically(file, b"2\n")
    assert files.content(file) == b"2\n"
    assert [name.rpartition("/")[2] for name in files.files_below(place)] == ["a.ndjson"], "nothing else is left"
    assert [file.name for file in tmp_path.iterdir() if file.name.startswith(".")] == []


def test_hidden_files_and_folders_are_left_out(place: str) -> None:
    below = files.joined(place, ".records")
    for name in ("a.json", ".b.json", "kept/c.json", ".hidden/d.json"):
        file = files.joined(below, name)
        files.make_directory(file.rpartition("/")[0])
        files.write_atomically(file, b"{}")
    found = [name.rpartition("/.records/")[2] for name in files.files_below(below)]
    assert found == ["a.json", "kept/c.json"], "a hidden directory that is asked for is searched"


def test_files_in_a_directory_are_not_those_below_it(place: str) -> None:
    for name in ("b.json", "a.json", "kept/c.json"):
        file = files.joined(place, name)
        files.make_directory(file.rpartition("/")[0])
        files.write_atomically(file, b"{}")
    assert [name.rpartition("/")[2] for name in files.files_in(place)] == ["a.json", "b.json"]


def test_a_file_whose_writer_fails_is_not_seen(place: str, tmp_path: Path) -> None:
    file = files.joined(place, "a.ndjson")
    files.make_directory(place)

    def fail() -> None:
        with files.atomic_writer(file) as written:
            written.write(b"1\n")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert not files.exists(file)
    assert list(files.files_below(place)) == []
    assert list(tmp_path.iterdir()) == [], "nor is anything hidden left"


def test_file_info(place: str) -> None:
    file = files.joined(place, "a.ndjson")
    files.write_atomically(file, b"1\n")
    assert files.info(file).bytes == 2
    assert files.info(file) == files.info(file)
    assert files.is_directory(place)
    assert not files.is_directory(file)
    files.remove(file)
    files.remove(file)
    assert not files.exists(file)
    with pytest.raises(OSError, match="ndjson"):
        files.info(file)


def test_unreachable_urls_are_reported() -> None:
    with pytest.raises(Problem, match="cannot be reached"):
        files.info("nowhere://bucket/a.ndjson")


def test_paths_mean_the_same_on_other_machines(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    assert files.absolute("a.ndjson") == str(tmp_path / "a.ndjson")
    assert files.absolute("file:///a.ndjson") == "file:///a.ndjson"
    assert files.absolute("-") == "-"
