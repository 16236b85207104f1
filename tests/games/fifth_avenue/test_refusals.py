"""Several rules broken at once: which are reported, and which comes first."""

from msgspec.structs import replace

from capomastro.engine import referee
from capomastro.games.fifth_avenue import moves, stages
from capomastro.games.fifth_avenue.components import CITY_HALL
from capomastro.games.fifth_avenue.game import GAME
from capomastro.games.fifth_avenue.lots import EMPTY
from capomastro.games.fifth_avenue.state import Options
from tests.games.fifth_avenue.refusals import FREE, after_setup
from tests.games.fifth_avenue.table import TIMES, auction, audited, cards, offer, table
from tests.support.playouts import play_out


def test_all_findings_are_reported_at_once() -> None:
    state = table(
        hands=["o6 o6", "o6 o6", ""],
        reserves=(4, 3, 3),
        commissioners=(TIMES, CITY_HALL),
        markers=((TIMES,), ()),
        active_seat=5,
        park_tiles=(),
    )
    found = [finding.rule.removeprefix("fifth-avenue.") for finding in audited(state)]
    assert found == ["option-a.threes", "map.markers", "components.cards", "turn.seats", "end.drawn-early"]


def test_a_row_is_complete_with_its_tiles_even_if_the_options_ask_for_more() -> None:
    dealing = next(ply.after for ply in play_out(GAME, 3, {}, "1") if isinstance(ply.after.stage, stages.DealCard))
    state = replace(dealing, options=Options(row_groups=(3, 2, 3, 3, 3, 2, 3, 2)))
    found = [finding.rule.removeprefix("fifth-avenue.") for finding in audited(state)]
    assert found == ["setup.row-groups", "setup.order"]


def test_a_bid_that_breaks_several_rules_is_refused_by_the_first_of_the_rulebook() -> None:
    state = auction(offer("y6 k6"), offer(), offer(), seat=1, hands=("", "o4 n4", ""), districts=FREE)
    for bid, rule in (
        ("o4 n4 k4", "cards.hand"),
        ("o4 n4", "auction.one-colour"),
        ("o4", "auction.empty-lots"),
        ("n4", "auction.higher"),
    ):
        refused = referee.refusal(GAME, state, moves.Bid(1, cards(bid)))
        assert refused is not None
        assert refused.rule == f"fifth-avenue.{rule}"


def test_nobody_builds_on_an_empty_colourless_lot() -> None:
    before = after_setup(six_lots=True).before
    name, district = before.districts.open[0]
    elsewhere = before.districts.with_lot(name, "grey", district["colourless"]).with_lot(name, "colourless", EMPTY)
    state = replace(before, districts=elsewhere)
    refused = referee.refusal(GAME, state, moves.PlaceFirstBuilding(0, name, "colourless"))
    assert not audited(state)
    assert refused is not None
    assert refused.rule == "fifth-avenue.setup.free-lot"
