"""The golden playthroughs: every game is still played, refused, explained and scored as it is written down there."""

from pathlib import Path

import pytest

from capomastro.engine.game import AnyGame
from tests.support.golden import GOLDEN, Playthrough, playthroughs, text_of
from tests.support.written import assert_as_written

ALL = list(playthroughs())


@pytest.mark.parametrize(("file", "game", "wanted"), ALL, ids=[file.stem for file, _, _ in ALL])
def test_playthrough(file: Path, game: AnyGame, wanted: Playthrough) -> None:
    assert_as_written(file, text_of(game, wanted), "the game is not played as it was")


def test_no_playthrough_is_left_over() -> None:
    assert {file.name for file in GOLDEN.glob("*.txt")} <= {file.name for file, _, _ in ALL}
