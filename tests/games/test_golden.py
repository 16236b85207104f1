"""The golden playthroughs: every game is still played, refused, explained and scored as it is written down there."""

from difflib import unified_diff
from itertools import islice
from pathlib import Path

import pytest

from capomastro.engine.game import AnyGame
from tests.support.golden import GOLDEN, Playthrough, playthroughs, text_of

ALL = list(playthroughs())


@pytest.mark.parametrize(("file", "game", "wanted"), ALL, ids=[file.stem for file, _, _ in ALL])
def test_playthrough(file: Path, game: AnyGame, wanted: Playthrough) -> None:
    assert file.exists(), "`make generated` writes it"
    written, played = file.read_text("utf-8").splitlines(), text_of(game, wanted).splitlines()
    difference = "\n".join(islice(unified_diff(written, played, "written down", "played now", lineterm=""), 60))
    assert written == played, f"the game is not played as it was; if that is meant, `make generated`:\n{difference}"


def test_no_playthrough_is_left_over() -> None:
    assert {file.name for file in GOLDEN.glob("*.txt")} <= {file.name for file, _, _ in ALL}
