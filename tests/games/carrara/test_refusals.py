"""Several rules broken at once: which are reported, and which comes first."""

from msgspec.structs import replace

from capomastro.engine import referee
from capomastro.games.carrara import moves
from capomastro.games.carrara.game import GAME
from tests.games.carrara.refusals import BUILDING
from tests.games.carrara.table import ALL_OF_COST_5, audited, blocks, ready, seat, table


def test_all_findings_are_reported_at_once() -> None:
    state = table(
        seat("wwwwwww", massa="li1", points=1, objects="cup"), seat(pisa="li1", types="villa"), ply=3, active_seat=5
    )
    found = [finding.rule.removeprefix("carrara.") for finding in audited(state)]
    assert found == [
        "components.blocks",
        "components.buildings",
        "score.points",
        "score.own-building",
        "turn.seats",
    ]


def test_a_move_that_breaks_several_rules_is_refused_by_the_first_of_the_rulebook() -> None:
    spoilt = moves.Build(0, "villa-1", "livorno", blocks("kkk"))  # not on the board, not accepted, too many, not owned
    steps = [
        ("build.face-up", spoilt),
        ("build.city", replace(spoilt, building="villa-3")),
        ("build.cost", replace(spoilt, building="palace-4", city="lerici")),
        ("build.own-blocks", replace(spoilt, building="villa-3", city="lerici")),
    ]
    for rule, move in steps:
        refused = referee.refusal(GAME, BUILDING, move)
        assert refused is not None
        assert refused.rule == f"carrara.{rule}"


def test_the_ready_player_of_the_tests_just_meets_the_objectives() -> None:
    assert audited(table(ready(), seat())) == []
    assert ALL_OF_COST_5.count("5") == 6
