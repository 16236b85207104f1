"""Before the end: the possible results, as soon as only chance is left to decide."""

from fractions import Fraction
from typing import Any

import pytest

from capomastro.adjudicator.scores import score_state
from capomastro.documents.problems import Problem
from capomastro.engine import referee
from capomastro.engine.endings import open_results
from capomastro.games import all_games
from capomastro.games.carrara import stages as carrara
from capomastro.games.fifth_avenue import stages as fifth_avenue
from capomastro.games.palazzo import stages as palazzo
from capomastro.games.palazzo.components import TILES
from tests.games.carrara.table import ready, seat
from tests.games.carrara.table import table as carrara_table
from tests.games.fifth_avenue.table import TIMES, WEST_34, WEST_52
from tests.games.fifth_avenue.table import table as fifth_avenue_table
from tests.games.palazzo.table import table as palazzo_table
from tests.support.documents import as_document
from tests.support.playouts import play_out
from tests.support.setups import Setup, few_setups

GAMES = all_games()


def outcomes(game: str, state: Any) -> list[dict[str, Any]]:
    assert GAMES[game].audit(state) == []
    answer: dict[str, Any] = as_document(score_state(GAMES[game], as_document(state)))
    assert sum(Fraction(one["probability"]) for one in answer["outcomes"]) == 1
    return list(answer["outcomes"])


def only_riders_left(stage: palazzo.AnyStage, riders: int, drawn: int) -> Any:
    every = [tile for tile, copies in TILES.items() for _ in range(copies)]
    return palazzo_table(stage=stage, riders=riders, supply="", quarries=("", "", "", ""), removed=tuple(every[:drawn]))


@pytest.mark.parametrize(("stage", "riders"), [(palazzo.DrawFirstTile(), 3), (palazzo.DrawSecondTile(), 4)])
def test_palazzo_ends_for_sure_when_only_the_last_riders_are_left(stage: palazzo.AnyStage, riders: int) -> None:
    (outcome,) = outcomes("palazzo", only_riders_left(stage, riders, 48))
    assert outcome.keys() == {"probability", "result"}
    assert outcome["result"]["winners"] == [0, 1]


def test_palazzo_goes_on_when_a_tile_may_come() -> None:
    with pytest.raises(Problem):
        score_state(GAMES["palazzo"], as_document(only_riders_left(palazzo.DrawSecondTile(), 4, 46)))


def last_building(coins: int) -> Any:
    announcer, builder = ready(points=5), seat("k", coins=coins, pisa="li1")
    return carrara_table(announcer, builder, stage=carrara.RevealBuilding(), active_seat=1, announced_by=0)


def test_carrara_is_decided_when_the_last_player_has_built_and_can_buy_no_object() -> None:
    (outcome,) = outcomes("carrara", last_building(coins=9))
    assert outcome.keys() == {"probability", "result"}
    assert outcome["result"]["winners"] == [0]
    with pytest.raises(Problem):
        score_state(GAMES["carrara"], as_document(last_building(coins=10)))


def test_fifth_avenue_is_decided_when_the_dummy_will_order_the_second_stop() -> None:
    passed = (fifth_avenue.Offer(passed=True),) * 2
    closing = fifth_avenue_table(
        stage=fifth_avenue.TurnDummyCard(3, "white", passed, ()),
        hands=("", ""),
        markers=((TIMES, WEST_52), ()),
        districts={WEST_34: None, TIMES: "B G J P B"},
    )
    assert {len(one["tiles"]) for one in outcomes("fifth-avenue", closing)} <= {0, 1, 2, 3}


@pytest.mark.parametrize("setup", few_setups(), ids=str)
def test_what_chance_can_still_decide_is_found_as_soon_as_nobody_else_decides(setup: Setup) -> None:
    game, players, options = setup
    plies = list(play_out(game, players, options, seed="endings"))
    for number, ply in enumerate(plies[-12:], len(plies) - 12):
        seats_decide = any(not referee.is_at_chance(game, later.before) for later in plies[number:])
        possible = open_results(game, ply.before)
        if seats_decide:
            assert possible is None
        elif possible:  # chance can still lead to a decision of a seat, though it did not
            assert game.result(plies[-1].after) in [one["result"] for one in possible["outcomes"]]
