"""A short climb of `sheet_costs` with every test: its work is counted, not timed."""

import pytest

from capomastro.engine.game import AnyGame
from capomastro.games import all_games
from tests.campaigns.sheet_costs import costliest

MOST_CALLS = 100_000
"""Far less than 50 ms of CPU; a search takes millions."""


@pytest.mark.parametrize("game", all_games().values(), ids=all_games())
def test_no_small_sheet_takes_much_work(game: AnyGame) -> None:
    calls, sheet = costliest(game, "short", 40)
    assert calls < MOST_CALLS, sheet
