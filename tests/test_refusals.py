"""Broken rules: what each case of `tests/games/<game>/refusals.py` breaks is refused by that rule."""

import pytest

from capomastro.engine.game import AnyGame
from capomastro.games import all_games
from tests.support.refusals import Case, assert_refused, cases_of

EVERY_CASE = [pytest.param(game, broken, id=broken.rule) for game in all_games().values() for broken in cases_of(game)]


@pytest.mark.parametrize(("game", "broken"), EVERY_CASE)
def test_rule(game: AnyGame, broken: Case) -> None:
    assert_refused(game, broken)
