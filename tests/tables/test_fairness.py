"""The example in examples/, which shares no line with the service, repeats every draw."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from capomastro.documents import json_text
from capomastro.games import all_games
from tests.tables.games import most, played
from tests.tables.verifying import EXAMPLE, unfair, verify

every_game = pytest.mark.parametrize("game_id", all_games())


@every_game
@pytest.mark.parametrize("draws", ["witnessed", "at-once"])
def test_every_draw_is_that_of_the_seed_and_every_promise_is_kept(game_id: str, draws: str) -> None:
    assert unfair(played(game_id, most(all_games()[game_id]), draws)) == []


def test_the_example_is_short_and_needs_nothing_but_python(tmp_path: Path) -> None:
    text = EXAMPLE.read_text("utf-8")
    assert len(text.splitlines()) <= 60
    assert "capomastro" not in text.split('"""')[2]
    done = played("palazzo", 2)
    files = {"opened.json": done.opened, "table.json": done.tables[-1]}
    for name, document in files.items():
        (tmp_path / name).write_bytes(json_text.encode(document))
    command = [sys.executable, "-m", "capomastro.cli", "replay", "opened.json", "--draws"]
    weights = subprocess.run(command, cwd=tmp_path, capture_output=True, check=True).stdout
    (tmp_path / "draws.ndjson").write_bytes(weights)
    checked = subprocess.run(
        [sys.executable, "-I", str(EXAMPLE), "opened.json", "table.json", "draws.ndjson"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert checked.stdout == "Every draw is that of the seed.\n"


def test_it_finds_a_draw_that_was_steered() -> None:
    done = played("palazzo", 2)
    draws = [
        {"ply": 0, "weights": {"a": 1, "b": 1}, "drawn": "a"},
        {"ply": 0, "weights": {"a": 1, "b": 1}, "drawn": "b"},
    ]
    opened: dict[str, Any] = {**done.opened, "record": {"moves": [{"type": "draw", "tile": "a"}]}}
    faults = [[*verify(opened, done.tables[0], [draw])] for draw in draws]
    assert sum("the seed draws something else at ply 0" in found for found in faults) == 1
    assert "not every draw of the record is there" in [*verify(done.opened, done.tables[0], [])]
    for change, finding in (
        ({"root": "0"}, "the root is not the one that was committed to"),
        ({"shares": done.opened["shares"][::-1]}, "the shares do not fit the locks"),
        ({"seed": "0"}, "the seed does not follow from the root and the shares"),
    ):
        assert finding in [*verify({**done.opened, **change}, done.tables[0], [])]
