"""Several rules broken at once: which are reported, and which comes first."""

from msgspec.structs import replace

from capomastro.engine import referee
from capomastro.games.palazzo import moves
from capomastro.games.palazzo.game import GAME
from tests.games.palazzo.refusals import SUPPLIED
from tests.games.palazzo.table import audited, cards, table, tiles


def test_all_findings_are_reported_at_once() -> None:
    state = table(supply="b12 b12", palaces=[["m31 m21"]], hands=["r3 r3 r3", "r3"], riders=2, active_seat=5)
    found = [finding.rule.removeprefix("palazzo.") for finding in audited(state)]
    assert found == ["components.tiles", "building.rising", "build.riders-last", "components.money", "turn.seats"]


def test_a_move_that_breaks_several_rules_is_refused_by_the_first_of_the_rulebook() -> None:
    spoilt = moves.Buy(0, tiles("b13"), cards("r7 g7"))  # not on the supply, not in the hand, two currencies
    refused = referee.refusal(GAME, SUPPLIED, spoilt)
    assert refused is not None
    assert refused.rule == "palazzo.buy.supply"
    refused = referee.refusal(GAME, SUPPLIED, replace(spoilt, tiles=tiles("b12")))
    assert refused is not None
    assert refused.rule == "palazzo.money.hand"
