"""The dummy of the two-player game, worked out by hand; named after the rules."""

from capomastro.engine.hands import Hand
from capomastro.engine.multisets import minus
from capomastro.engine.refusals import Refusal
from capomastro.engine.stages import GameOver
from capomastro.games.fifth_avenue import moves, stages
from capomastro.games.fifth_avenue.components import BLACK, DUMMY
from capomastro.games.fifth_avenue.game import GAME
from capomastro.games.fifth_avenue.lots import Lot
from capomastro.games.fifth_avenue.state import State
from tests.games.fifth_avenue.table import (
    TIMES,
    WEST_34,
    WEST_52,
    all_of,
    auction,
    audited,
    cards,
    happened,
    offer,
    offered,
    played,
    refusal,
    table,
    types,
)

FREE = {TIMES: "B . . . ."}
EMPTY_TWICE = {TIMES: "BG . a1 . GB"}
"""Green lies beside two kinds and an owner, grey beside an owner and the same two kinds."""


def opened(hands: tuple[str, str] = ("", ""), **fields: object) -> State:
    fields.setdefault("districts", FREE)
    return auction(offer(), offer(), hands=hands, **fields)  # type: ignore[arg-type]


def bid(seat: int, text: str) -> moves.Bid:
    return moves.Bid(seat, cards(text))


def turned(state: State, text: str) -> tuple[State, list[str], list[dict[str, object]]]:
    """The state after the dummy turned these cards, the types of events, and the events."""
    after, events = happened(state, *(moves.TurnCard(f"black-{value}") for value in text))
    return after, types(events), events


def test_the_dummy_is_always_third_and_the_players_continue_as_usual() -> None:
    state = played(opened(("y4 k6", "n5 k4")), bid(0, "y4"), bid(1, "n5"))
    assert isinstance(state.stage, stages.TurnDummyCard)
    state, _, _ = turned(state, "4")
    assert isinstance(state.stage, stages.TurnDummyCard)
    state, happenings, _ = turned(state, "4")
    assert happenings == ["dummy-card-turned", "dummy-bid"]
    assert state.stage == stages.BidOrPass(3, "white", 0, (offer("y4"), offer("n5")), cards("k4 k4"))
    assert offered(state) == [bid(0, "k6"), moves.Pass(0)], "eight has to be beaten"


def test_the_dummy_follows_seat_0_when_seat_1_opens() -> None:
    state = opened(("", "n5"), seat=1, active_seat=1)
    state = played(state, bid(1, "n5"), moves.Pass(0))
    assert isinstance(state.stage, stages.TurnDummyCard)


def test_a_dummy_bid_that_ties_the_best_is_out() -> None:
    state = played(opened(("y4 y4", "")), bid(0, "y4 y4"), moves.Pass(1))
    after, happenings, _ = turned(state, "44")
    assert happenings == ["dummy-card-turned"] * 2 + ["dummy-bid", "auction-won"]
    assert after.stage == stages.BuildOrStop(3, "white", 0, "grey", 3)
    assert after.black_discards == cards("k4 k4"), "its cards go under the pile with those of the winner"


def test_a_dummy_that_is_outbid_is_out_and_both_players_continue() -> None:
    state = played(opened(("y6 k6", "n6 n4 k6")), bid(0, "y6"), bid(1, "n6 n4"))
    state, _, _ = turned(state, "44")
    assert isinstance(state.stage, stages.BidOrPass)
    state = played(state, bid(0, "k6"))
    assert isinstance(state.stage, stages.BidOrPass)
    assert state.stage.seat == 1, "it is not asked again"
    after = played(state, bid(1, "k6"), moves.Pass(0))
    assert after.stage == stages.BuildOrStop(3, "white", 1, "brown", 1)


def test_a_human_who_beats_the_dummy_wins_when_the_other_has_passed() -> None:
    state = played(opened(("y4 y4 k4", "")), bid(0, "y4"), moves.Pass(1))
    state, _, _ = turned(state, "44")
    after = played(state, bid(0, "y4 k4"))
    assert after.stage == stages.BuildOrStop(3, "white", 0, "grey", 3)
    assert after.black_discards == cards("k4 k4 k4")


def test_the_dummy_wins_when_both_pass() -> None:
    state = played(opened(("y4", "n5")), bid(0, "y4"), bid(1, "n5"))
    state, _, _ = turned(state, "44")
    after, events = happened(state, moves.Pass(0), moves.Pass(1))
    assert types(events)[:3] == ["passed", "passed", "dummy-won"]
    assert [seat.hand.open for seat in after.seats] == [cards("y4"), cards("n5")]


def test_the_dummy_wins_without_a_human_bid() -> None:
    state = played(opened(), moves.Pass(0), moves.Pass(1))
    after, happenings, _ = turned(state, "454")
    assert happenings[:4] == ["dummy-card-turned"] * 3 + ["dummy-bid"]
    assert happenings[4:6] == ["dummy-won", "dummy-built"]
    assert after.black_discards == cards("k4 k5 k4")


def test_the_dummy_builds_one_building_on_the_empty_lot_worth_most() -> None:
    state = played(opened(districts={TIMES: "BG . . J b1"}), moves.Pass(0), moves.Pass(1))
    after, _, events = turned(state, "44")
    built = [(event["lot"], event["each"], event["buildings"]) for event in events if event["type"] == "dummy-built"]
    assert built == [("green", 3, 1)], "beside two kinds, not beside one"
    assert after.districts[TIMES]["green"] == Lot(owner=DUMMY, buildings=1)  # type: ignore[index]


def test_the_dummy_builds_on_each_of_two_equal_lots() -> None:
    state = played(opened(districts=EMPTY_TWICE), moves.Pass(0), moves.Pass(1))
    _, _, events = turned(state, "44")
    built = [(event["lot"], event["each"]) for event in events if event["type"] == "dummy-built"]
    assert built == [("green", 3), ("grey", 3)]
    state = played(opened(districts={TIMES: "BG . x1 . GB"}), moves.Pass(0), moves.Pass(1))
    after, _, _ = turned(state, "44")
    owners = [after.districts[TIMES][colour].owner for colour in ("green", "purple", "grey")]  # type: ignore[index]
    assert owners == [DUMMY] * 3, "it may hold several lots"


def test_the_dummy_builds_in_the_order_of_the_ring_while_its_buildings_last() -> None:
    closed = {TIMES: "BG . a1 . GB", WEST_34: None}
    state = played(opened(districts=closed, dummy_removed=17), moves.Pass(0), moves.Pass(1))
    _, _, events = turned(state, "44")
    assert [event["lot"] for event in events if event["type"] == "dummy-built"] == ["green"]
    state = played(opened(districts=closed, dummy_removed=18), moves.Pass(0), moves.Pass(1))
    after, happenings, _ = turned(state, "44")
    assert "dummy-built" not in happenings
    assert after.districts[TIMES] is not None


def test_the_dummy_builds_on_no_colourless_lot() -> None:
    state = played(opened(six_lots=True, districts={TIMES: "BG a1 J b1 P G"}), moves.Pass(0), moves.Pass(1))
    _, happenings, _ = turned(state, "44")
    assert "building-stop" in happenings


def test_the_dummy_stops_a_district_without_an_empty_lot_and_both_get_half() -> None:
    state = played(opened(districts={TIMES: "GJ b1 BG x1 a2"}), moves.Pass(0), moves.Pass(1))
    after, _, events = turned(state, "44")
    stop = [event for event in events if event["type"] == "building-stop"]
    assert stop == [{"type": "building-stop", "district": TIMES, "rule": "fifth-avenue.stop.order", "dummy": True}]
    points = [(event["seat"], event["total"], event["points"]) for event in events if "points" in event]
    assert points == [(0, 6, 3), (1, 5, 2)]
    assert after.dummy_removed == 1
    assert [seat.score for seat in after.seats] == [3, 2]


def test_the_second_stop_by_the_dummy_ends_the_game() -> None:
    state = opened(districts={TIMES: "GJ b1 BG x1 a2", WEST_34: None})
    after, happenings, _ = turned(played(state, moves.Pass(0), moves.Pass(1)), "44")
    assert after.stage == GameOver()
    assert "game-ended" in happenings


def test_buildings_of_the_dummy_count_for_the_stop_of_a_human() -> None:
    state = table(
        stage=stages.BuildOrStop(3, "white", 0, "brown", 3),
        districts={TIMES: "GJ x1 BG x1 a2"},
        markers=((TIMES, WEST_52), ()),
        hands=("", ""),
    )
    _, events = happened(state, moves.OrderStop(0))
    assert [(event["seat"], event["points"]) for event in events if "points" in event] == [(0, 4)]


def test_buildings_of_the_dummy_block_lots_for_businesses() -> None:
    state = table(districts={TIMES: "G x1 . b1 ."}, hands=("", ""))
    tile = state.row[0][0]
    assert refusal(state, moves.PlaceBusiness(0, tile, TIMES, "green")) == Refusal(
        "fifth-avenue.business.lot", {"businesses": 0, "buildings": 1}, "/lot"
    )
    lots = {move.lot for move in offered(state) if isinstance(move, moves.PlaceBusiness) and move.district == TIMES}
    assert lots == {"orange", "purple", "brown"}


def test_buildings_of_the_dummy_block_lots_for_bids() -> None:
    hands = ("o4 g4 p4 y4 n4", "")
    for text, colours, rule in (
        ("G x1 . b1 .", {"purple", "brown"}, "auction.empty-lots"),
        ("G x1 BG b1 J", {"orange", "purple", "brown"}, "auction.business-lots"),
        ("G x1 . a1 x1", {"grey"}, "auction.own-lot"),
    ):
        state = opened(hands, districts={TIMES: text})
        assert {move.cards[0][:-2] for move in offered(state) if isinstance(move, moves.Bid)} == colours
        refused = refusal(state, bid(0, "g4"))
        assert refused is not None
        assert refused.rule == f"fifth-avenue.{rule}"


def test_nobody_builds_on_a_lot_with_a_building_of_the_dummy() -> None:
    for text, rule in (("G x1 . b1 .", "auction.empty-lots"), ("G x1 BG b1 J", "auction.business-lots")):
        state = table(
            stage=stages.BuildOrStop(3, "white", 0, "green", 3),
            districts={TIMES: text},
            markers=((TIMES, WEST_52), ()),
            hands=("", ""),
        )
        assert [finding.rule for finding in audited(state)] == [f"fifth-avenue.{rule}"]


def test_the_dummy_wins_central_park_and_builds_nothing() -> None:
    state = played(opened(markers=()), moves.Pass(0), moves.Pass(1))
    after, happenings, _ = turned(state, "66")
    assert happenings[-2:] == ["dummy-won", "dummy-builds-nothing"]
    assert after.stage == stages.ChooseOption()
    assert [seat.central_park for seat in after.seats] == [0, 0]


# --- the black pile runs out -----------------------------------------------------------------------------------------


def with_pile(left: str, discards: str) -> State:
    """A black pile with these cards, these discards, the rest in the hand of seat 0; both humans have passed."""
    rest = minus(all_of(BLACK), cards(f"{left} {discards}"))
    state = opened((Hand(rest), ""), black_discards=cards(discards))  # type: ignore[arg-type]
    return played(state, moves.Pass(0), moves.Pass(1)) if left else state


def test_the_pile_is_shuffled_during_the_draw_without_the_cards_of_the_dummy() -> None:
    state = with_pile("k4", "k5 k6")
    assert isinstance(state.stage, stages.TurnDummyCard)
    state, happenings, _ = turned(state, "4")
    assert happenings == ["dummy-card-turned", "black-pile-shuffled"]
    assert state.shuffled_in == cards("k5 k6")
    assert state.black_discards == ()
    state, happenings, events = turned(state, "56")
    assert [event["bid"] for event in events if event["type"] == "dummy-bid"] == [15], "with none left it stops there"
    assert "dummy-won" in happenings
    assert state.shuffled_in == cards("k4 k5 k6"), "its cards are the only discards, and the pile is empty"


def test_with_no_black_card_at_all_the_dummy_is_out() -> None:
    state = with_pile("", "")
    after, events = happened(state, moves.Pass(0), moves.Pass(1))
    assert types(events) == ["passed", "passed", "nothing-sold", "auction-opened"]
    assert GAME.audit(after) == []


def test_the_dummy_never_draws_for_option_d() -> None:
    state = table(
        commissioners=(TIMES, WEST_34), markers=((WEST_34,), ()), districts={TIMES: "B x1 . . ."}, hands=("", "")
    )
    after = played(state, moves.ScoreDistrict(0, TIMES))
    assert after.stage.seats == (0, 0, 0, 1)  # type: ignore[union-attr]
