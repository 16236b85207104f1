"""The checks of scoresheets listed in docs/scoring.md are those of the code, and those that answers can skip."""

from random import Random

import pytest
from tools.make_checks import FILE, assumed, skipped, text_with_checks

from capomastro.engine.game import AnyGame
from capomastro.games import all_games
from tests.campaigns import sheets
from tests.support.playouts import play_out


def test_the_list_of_checks_is_up_to_date() -> None:
    assert FILE.read_text("utf-8") == text_with_checks(), "`make generated` writes it"


@pytest.mark.parametrize("game", all_games().values(), ids=all_games())
def test_what_answers_say_is_not_checked_is_on_the_list(game: AnyGame) -> None:
    """Tries sheets with all details and with few; those of variants skip nothing else."""
    seen, rests_on = set[str](), set[str]()
    for _, sheet in sheets.maker(game).sheets(list(play_out(game, game.players[0], {}, "1")), Random(0)):
        _, answer = sheets.judged(game, sheet | {"rings": {}} if "rings" in sheet else sheet)
        for result in [answer["result"]] if "result" in answer else [one["result"] for one in answer["outcomes"]]:
            seen.update(result.get("skipped_checks", ()))
            rests_on.update(result.get("assumptions", ()))
    assert seen == skipped(game)
    assert rests_on == assumed(game)
