"""Broken rules: what each case of `tests/games/<game>/refusals.py` breaks is refused by that rule."""

import pytest

from capomastro.engine.game import AnyGame
from capomastro.games import all_games
from tests.support.refusals import assert_refused, cases_of, refusing_rules

every_game = pytest.mark.parametrize("game", all_games().values(), ids=lambda game: game.id)


@every_game
def test_what_breaks_a_rule_is_refused_by_it(game: AnyGame) -> None:
    for broken in cases_of(game):
        try:
            assert_refused(game, broken)
        except Exception as error:
            error.add_note(f"The rule {broken.rule} is broken by {broken.move or broken.subject}.")
            raise


@every_game
def test_every_rule_that_refuses_has_a_case(game: AnyGame) -> None:
    assert refusing_rules(game) == {broken.rule for broken in cases_of(game)}
