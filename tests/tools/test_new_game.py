"""The skeleton of a new game, in a copy of the checkout: its tests list what is missing, and nothing else breaks."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from capomastro.engine.game import AnyGame
from capomastro.games import all_games
from tests.support.checkouts import copy_bytecode, copy_of_checkout, git
from tests.support.setups import folder_of
from tests.support.skeleton import MARK, left_to_fill_in
from tools import new_game

LOOK_AT_FOLDERS = ("tests/test_layers.py", "tests/documents/test_fresh_schemas.py")
"""Tests that scan folders and find an unfinished game there."""

HOLD_FOR_EVERY_GAME = (
    "tests/games/test_all_games.py",
    "tests/test_dialect.py",
    "tests/docs/test_rulings.py",
    "tests/documents/test_schemas.py",
    "tests/pictures",
)
"""Those that need no recorded games. No picture of a new game is kept yet."""

OF_IT = "test_schemas or (two-towers and not every_language)"
"""Those that look at the new game, alone or with all others. Its words are English at first."""


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkout with a skeleton in it."""
    if shutil.which("git") is None:
        pytest.skip("git is not here")
    copy = copy_of_checkout(tmp_path_factory.mktemp("game"), committed=True)
    copy_bytecode(copy)
    assert run(copy, "tools/new_game.py", "two-towers").returncode == 0
    return copy


def run(copy: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The result of Python in the copy, with its package and its tests."""
    environment = {**os.environ, "PYTHONPATH": f"{copy / 'service'}{os.pathsep}{copy}"}
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True, check=False)


def pytest_in(copy: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Without what `tests/conftest.py` builds for tests that are not among these."""
    return run(copy, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", "0", "--noconftest", *arguments)


@pytest.mark.long
def test_it_is_written_where_a_game_belongs_and_nowhere_else(copy: Path) -> None:
    assert git(copy, "diff", "--name-only") == "README.md"
    assert git(copy, "diff", "--numstat") == "1\t0\tREADME.md"
    assert git(copy, "status", "--porcelain", "--untracked-files=normal").splitlines()[1:] == [
        "?? conformance/two-towers/",
        "?? docs/two-towers.md",
        "?? service/capomastro/games/two_towers/",
        "?? tests/games/two_towers/",
    ]
    names = re.compile(r"new[-_ ]?game", re.IGNORECASE)
    written = git(copy, "ls-files", "--others", "--exclude-standard").splitlines()
    assert not [file for file in written if names.search(file) or names.search((copy / file).read_text("utf-8"))]


@pytest.mark.long
@pytest.mark.longest
def test_its_own_tests_fail_with_a_list_of_missing_parts_and_nothing_else_breaks(copy: Path) -> None:
    done = pytest_in(copy, "tests/games/two_towers", *LOOK_AT_FOLDERS)
    assert done.returncode == 1, done.stdout
    assert re.search(r"^1 failed, \d+ passed", done.stdout, re.MULTILINE)
    assert "Two Towers is not finished:" in done.stdout
    marked = [
        f"{file.relative_to(copy)}:{number}:"
        for file in (copy / line for line in git(copy, "ls-files", "--others", "--exclude-standard").splitlines())
        for number, line in enumerate(file.read_text("utf-8").splitlines(), 1)
        if MARK in line
    ]
    assert marked
    assert [place for place in marked if place not in done.stdout] == []
    for missing in (
        "GAME, by which",
        "two_towers/reference.py",
        "two_towers/rule_index.json",
        "two_towers/players.py",
        "two_towers/sheets.py",
        "games/two-towers.js",
        "words/two-towers.en.json",
        "conformance/two-towers/records",
        "conformance/two-towers/perft",
        "schemas/two-towers",
        "README.md: ",
    ):
        assert missing in done.stdout


def test_what_ruff_keeps_beside_the_templates_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(new_game, "SKELETON", tmp_path)
    for name, content in (("docs/new-game.md", b"New Game"), (".ruff_cache/0.15/1", b"\x97")):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_bytes(content)
    assert new_game.files_of("two-towers") == {Path("docs/two-towers.md"): "Two Towers"}


@pytest.mark.parametrize("game", all_games().values(), ids=lambda game: game.id)
def test_nothing_is_missing_in_a_finished_game(game: AnyGame) -> None:
    assert left_to_fill_in(folder_of(game)) == []


@pytest.mark.long
@pytest.mark.longest
def test_its_style_and_types_are_those_of_the_project(copy: Path) -> None:
    folders = ("service/capomastro/games/two_towers", "tests/games/two_towers")
    for tool in (("ruff", "check"), ("ruff", "format", "--check"), ("mypy", "--strict", "--cache-dir", os.devnull)):
        done = run(copy, "-m", *tool, *folders)
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.long
def test_a_name_may_be_as_long_as_that_of_any_game_in_a_shop(copy: Path) -> None:
    name = "castles-of-mad-king-ludwig-and-his-heirs"
    folders = [f"{place}/{name.replace('-', '_')}" for place in ("service/capomastro/games", "tests/games")]
    try:
        done = run(copy, "tools/new_game.py", name)
        assert done.returncode == 0, done.stderr
        for tool in (("check",), ("format", "--check")):
            done = run(copy, "-m", "ruff", *tool, "--no-cache", *folders)
            assert done.returncode == 0, done.stdout
    finally:
        run(copy, "tools/new_game.py", name, "--remove")


@pytest.mark.long
@pytest.mark.longest
def test_once_it_is_discovered_the_tests_of_all_games_include_it(copy: Path) -> None:
    """So the example in it is a game that can be played, and its schemas can be made."""
    module = copy / "service/capomastro/games/two_towers/game.py"
    unfinished = module.read_text("utf-8")
    module.write_text(f"{unfinished}\nGAME = TwoTowers()\n", "utf-8")
    try:
        made = run(copy, "-m", "tools.schemas")
        assert (made.returncode, made.stdout.count("two-towers/")) == (0, 10), made.stdout + made.stderr
        done = pytest_in(copy, *HOLD_FOR_EVERY_GAME, "-k", OF_IT)
        assert done.returncode == 0, done.stdout
    finally:
        shutil.rmtree(copy / "schemas" / "two-towers", ignore_errors=True)
        module.write_text(unfinished, "utf-8")


@pytest.mark.long
def test_a_game_that_is_there_is_neither_written_again_nor_removed_if_finished(copy: Path) -> None:
    before = git(copy, "status", "--porcelain")
    for arguments, reason in (
        (("two-towers",), "exists"),
        (("palazzo",), "exists"),
        (("palazzo", "--remove"), "no unfinished game"),
        (("Two Towers",), "is not a name"),
        (("common",), "is not a name"),
        (("the-" * 9 + "tower",), "is not a name"),
    ):
        done = run(copy, "tools/new_game.py", *arguments)
        assert done.returncode == 1
        assert reason in done.stderr
    assert git(copy, "status", "--porcelain") == before


def test_what_was_interrupted_can_be_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    readme = tmp_path / "README.md"
    before = "| [Palazzo](docs/palazzo.md) | 2 - 4 | `palazzo` |\n"
    readme.write_text(before, "utf-8")
    monkeypatch.setattr(new_game, "CHECKOUT", tmp_path)
    monkeypatch.setattr(new_game, "README", readme)
    monkeypatch.setattr(subprocess, "run", interrupted)
    with pytest.raises(KeyboardInterrupt):
        new_game.write("two-towers")
    assert (tmp_path / "docs" / "two-towers.md").exists()
    new_game.remove("two-towers")
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == [readme]
    assert readme.read_text("utf-8") == before


@pytest.mark.parametrize("name", ["import", "true", "new-game", "a", "-two-towers", "two_towers"])
def test_a_name_can_be_that_of_a_module_and_of_a_class(name: str) -> None:
    with pytest.raises(new_game.CannotDoError):
        new_game.require_free_name(name)


@pytest.mark.long
def test_removed_again_the_tree_is_clean(copy: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "--quiet", str(copy), "clone")  # what is committed, without the skeleton
    copy = tmp_path / "clone"
    assert run(copy, "tools/new_game.py", "demo").returncode == 0
    assert git(copy, "status", "--porcelain")
    for made in ("conformance/demo/records/one.json", "schemas/demo/state.json"):
        (copy / made).parent.mkdir()
        (copy / made).write_text("{}", "utf-8")
    assert run(copy, "tools/new_game.py", "demo", "--remove").returncode == 0
    assert git(copy, "status", "--porcelain", "--ignored") == ""
