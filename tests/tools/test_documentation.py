"""Building the pages of the documentation, and the specifications, while others read them."""

import json
import os
from pathlib import Path

import pytest
from tools.documentation import __main__ as building
from tools.documentation.files import LAST
from tools.openapi import __main__ as specifying
from tools.openapi import building as specifications
from tools.openapi.files import is_stale


def test_pages_are_replaced_and_left_overs_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(building, "BUILT", tmp_path)
    monkeypatch.setattr(building, "all_games", lambda: ["campanile"])
    building.main()
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    names = [page["name"] for page in json.loads(before[LAST.name])]
    assert {f"{name}.html" for name in names} < {*before}

    kept = (tmp_path / f"{names[0]}.html").open("rb")
    (tmp_path / "removed.html").write_text("")
    building.main()
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before
    with kept:
        assert kept.read() == before[f"{names[0]}.html"], "a page that is being read stays whole"


def test_no_specification_of_a_removed_game_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A wheel has whatever is in the folder."""
    monkeypatch.setattr(specifying, "BUILT", tmp_path)
    monkeypatch.setattr(specifications, "built_files", lambda: [("openapi.json", b"{}")])
    (tmp_path / "openapi.two-towers.json").touch()
    specifying.main(["--build"])
    assert [file.name for file in tmp_path.iterdir()] == ["openapi.json"]


def test_what_is_built_is_stale_without_it_or_before_a_source(tmp_path: Path) -> None:
    source, last = tmp_path / "source", tmp_path / "last"
    source.touch()
    assert is_stale(last, [source])
    last.touch()
    assert not is_stale(last, [source])
    newer = last.stat().st_mtime_ns + 10**9
    os.utime(source, ns=(newer, newer))
    assert is_stale(last, [source])
