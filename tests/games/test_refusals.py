"""Broken rules: what each case of `tests/games/<game>/refusals.py` breaks is refused by that rule."""

import pytest

from capomastro.engine.game import AnyGame
from capomastro.games import all_games
from tests.support.refusals import Case, assert_refused, cases_of, refusing_rules

EVERY_CASE = [pytest.param(game, broken, id=broken.rule) for game in all_games().values() for broken in cases_of(game)]


@pytest.mark.parametrize(("game", "broken"), EVERY_CASE)
def test_rule(game: AnyGame, broken: Case) -> None:
    assert_refused(game, broken)


@pytest.mark.parametrize("game", all_games().values(), ids=lambda game: game.id)
def test_every_rule_that_refuses_has_a_case(game: AnyGame) -> None:
    assert refusing_rules(game) == {broken.rule for broken in cases_of(game)}
