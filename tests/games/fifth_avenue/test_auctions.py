"""Auctions, and turns interrupted by them, worked out by hand; each test is named after the rule it shows."""

import pytest

from capomastro.engine import referee
from capomastro.engine.hands import Hand
from capomastro.engine.multisets import minus
from capomastro.engine.sources import Mapped
from capomastro.games.fifth_avenue import moves, stages
from capomastro.games.fifth_avenue.bids import bids_from, cards_worth_most, worth
from capomastro.games.fifth_avenue.components import BLACK, CENTRAL_PARK, CITY_HALL, COLOURS
from capomastro.games.fifth_avenue.derived import derived
from capomastro.games.fifth_avenue.game import GAME
from capomastro.games.fifth_avenue.state import Pile, State
from tests.games.fifth_avenue.table import (
    EAST_34,
    EAST_42,
    TIMES,
    WEST_34,
    WEST_52,
    all_of,
    auction,
    cards,
    hand,
    happened,
    legal,
    offer,
    offered,
    played,
    table,
    types,
)
from tests.support.oracle import sub_multisets

FREE = {TIMES: "B . . . ."}


def bid(seat: int, text: str) -> moves.Bid:
    return moves.Bid(seat, cards(text))


def bidding(state: State) -> stages.BidOrPass:
    assert isinstance(state.stage, stages.BidOrPass)
    return state.stage


def bids(state: State) -> set[tuple[str, ...]]:
    return {move.cards for move in offered(state) if isinstance(move, moves.Bid)}


def colours_offered(state: State) -> set[str]:
    return {card[:-2] for each in bids(state) for card in each} - {BLACK}


# --- which auctions, in which order ----------------------------------------------------------------------------------


def test_auctions_go_through_marked_districts_from_left_to_right_then_central_park() -> None:
    state = table(
        stage=stages.MoveCommissioner(3),
        active_seat=1,
        commissioners=(CENTRAL_PARK, EAST_42),
        markers=((WEST_52, TIMES, WEST_34), (EAST_34,)),
    )
    state = played(state, moves.MoveCommissioner(1, "white", CITY_HALL))
    places = []
    while isinstance(state.stage, stages.BidOrPass):
        assert state.stage.seat == 1, "the player who moved opens every auction"
        places.append(derived(state).auctioned)
        markers = state.markers["white"]
        state, events = happened(state, moves.Pass(1), moves.Pass(2), moves.Pass(0))
        assert types(events)[:4] == ["passed", "passed", "passed", "nothing-sold"]
        assert len(state.markers["white"]) == max(0, len(markers) - 1), "the marker goes back after its auction"
    assert places == [WEST_34, TIMES, WEST_52, CENTRAL_PARK]
    assert state.markers == {"white": (), "beige": (EAST_34,)}
    assert state.stage == stages.ChooseOption()
    assert state.active_seat == 2


def test_option_c_starts_auctions_before_phase_2_and_again_in_phase_3() -> None:
    ways = ((WEST_34, TIMES, WEST_52), (EAST_34, TIMES, WEST_52))
    state = table(commissioners=(CENTRAL_PARK, CENTRAL_PARK), markers=ways)
    state = played(state, moves.TakeBlackCard(0))
    assert state.stage == stages.DrawBlackCard(1, (0,))
    state = played(state, moves.DealCard("black-4"))
    assert state.stage == stages.MoveCommissioner(1)
    state = played(state, moves.MoveCommissioner(0, "white", CITY_HALL))
    assert bidding(state).phase == 1
    for _ in range(4):
        state = played(state, moves.Pass(0), moves.Pass(1), moves.Pass(2))
    assert state.stage == stages.TakeCards(), "phase 2 comes after the auctions"
    state = played(state, moves.TakeCards(0, ("green", "orange")))
    while isinstance(state.stage, stages.RevealTop):
        state = played(state, referee.draw(GAME, state, "1"))
    assert state.stage == stages.MoveCommissioner(3)
    state = played(state, moves.MoveCommissioner(0, "beige", CITY_HALL))
    assert bidding(state).phase == 3
    for _ in range(4):
        state = played(state, moves.Pass(0), moves.Pass(1), moves.Pass(2))
    assert state.stage == stages.ChooseOption()
    assert state.active_seat == 1


def test_a_commissioner_is_moved_once_in_option_c_and_the_other_may_be_moved_in_phase_3() -> None:
    state = played(table(stage=stages.MoveCommissioner(1)), moves.MoveCommissioner(0, "white", WEST_34))
    assert state.stage == stages.TakeCards()
    state = played(table(stage=stages.MoveCommissioner(3)), moves.MoveCommissioner(0, "white", WEST_34))
    assert state.stage == stages.ChooseOption()


# --- bidding ---------------------------------------------------------------------------------------------------------


def test_if_nobody_bids_the_last_player_may_still_bid() -> None:
    state = auction(offer(), offer(), offer(), hands=("", "", "y4"), districts=FREE)
    state = played(state, moves.Pass(0), moves.Pass(1))
    assert bidding(state).seat == 2
    assert offered(state) == [bid(2, "y4"), moves.Pass(2)]
    won, events = happened(state, bid(2, "y4"))
    assert types(events) == ["bid", "auction-won"]
    assert won.stage == stages.BuildOrStop(3, "white", 2, "grey", 3)
    unsold, events = happened(state, moves.Pass(2))
    assert types(events) == ["passed", "nothing-sold", "auction-opened"]
    assert derived(unsold).auctioned == WEST_52


def test_a_pass_is_final_and_all_cards_come_back_open() -> None:
    state = auction(offer(), offer(), offer(), hands=(hand("", "y4 k5"), hand("", "n6 k6"), ""), districts=FREE)
    state = played(state, bid(0, "y4"), bid(1, "n6"), moves.Pass(2), bid(0, "k5"), bid(1, "k6"))
    assert bidding(state).offers[0] == offer("y4", "k5")
    state = played(state, moves.Pass(0))
    assert state.seats[0].hand == hand("k5 y4"), "what everybody saw stays known"
    assert state.stage == stages.BuildOrStop(3, "white", 1, "brown", 1)


def test_a_later_bid_may_be_black_alone_and_cards_laid_are_not_exchanged() -> None:
    state = auction(offer("y4"), offer("n5"), offer(passed=True), hands=("y6 k4 o6", "", ""), districts=FREE)
    assert bids(state) == {cards("k4"), cards("y6"), cards("k4 y6")}
    assert not legal(state, bid(0, "o6"))
    assert played(state, bid(0, "k4")).stage == stages.BidOrPass(
        3, "white", 1, (offer("y4", "k4"), offer("n5"), offer(passed=True)), ()
    )


def test_the_winner_discards_bid_by_bid_and_within_a_bid_by_value() -> None:
    state = auction(
        offer("y6 y4 k6", "y5 k4"),
        offer("n6 n5 n4 k4 k4"),
        offer(passed=True),
        hands=("", "", ""),
        seat=1,
        districts=FREE,
    )
    won = played(state, moves.Pass(1))
    assert won.piles["grey"].discards == ("grey-4", "grey-6", "grey-5")
    assert won.black_discards == cards("k4 k6")
    assert won.seats[1].hand.open == cards("n6 n5 n4 k4 k4")


def test_a_discard_on_an_exhausted_pile_is_its_top_at_once() -> None:
    greys = " ".join(["y4"] * 4 + ["y5"] * 3 + ["y6"] * 3)
    state = auction(
        offer("y4", "y5"),
        offer(),
        offer(passed=True),
        seat=1,
        hands=(greys, "", ""),
        districts=FREE,
        tops_of={"grey": Pile(None, ())},
    )
    won = played(state, moves.Pass(1))
    assert won.piles["grey"] == Pile("grey-4", ("grey-5",))


def test_black_cards_of_a_winner_that_reach_an_empty_black_pile_are_shuffled() -> None:
    state = auction(
        offer("y4 k4", "k6"),
        offer("n5 n4"),
        offer(passed=True),
        seat=1,
        hands=("", "", Hand(minus(all_of(BLACK), cards("k4 k6")))),
        districts=FREE,
    )
    assert derived(state).piles[BLACK] == 0
    won, events = happened(state, moves.Pass(1))
    assert types(events) == ["passed", "auction-won", "black-pile-shuffled"]
    assert (won.shuffled_in, won.black_discards) == (cards("k4 k6"), ())
    assert derived(won).piles[BLACK] == 2


def test_black_cards_of_a_winner_wait_for_the_next_shuffle_while_a_face_down_one_is_left() -> None:
    state = auction(
        offer("y4 k4", "k6"),
        offer(),
        offer(passed=True),
        seat=1,
        hands=("", "", Hand(minus(all_of(BLACK), cards("k4 k5 k6")))),
        districts=FREE,
        shuffled_in=None,
    )
    won, events = happened(state, moves.Pass(1))
    assert types(events) == ["passed", "auction-won"]
    assert (won.shuffled_in, won.black_discards) == (None, cards("k4 k6"))


# --- colours ---------------------------------------------------------------------------------------------------------

ALL = "o4 g4 p4 y4 n4"


def test_an_owner_bids_only_the_colour_of_their_lot_even_if_others_are_empty() -> None:
    state = auction(offer(), offer(), offer(), hands=(ALL, ALL, ALL), districts={TIMES: "a1 b1 J . ."})
    assert colours_offered(state) == {"orange"}
    assert colours_offered(played(state, moves.Pass(0))) == {"green"}


def test_newcomers_bid_any_colour_of_an_empty_lot_even_the_same() -> None:
    state = auction(offer(), offer(), offer(), hands=(ALL, ALL, "y5"), districts={TIMES: "b1 c1 J . ."})
    assert colours_offered(state) == {"grey", "brown"}
    state = auction(offer(), offer(), offer(), seat=0, hands=("y4", "", "y5"), districts={TIMES: "b1 G J . ."})
    after = played(state, bid(0, "y4"), moves.Pass(1))
    assert colours_offered(after) == {"grey"}, "a colour two newcomers may share"


def test_without_empty_lots_colours_of_business_lots_are_bid_for_the_stop() -> None:
    state = auction(offer(), offer(), offer(), hands=(ALL, ALL, ALL), districts={TIMES: "b1 c1 J G B"})
    assert colours_offered(state) == {"purple", "grey", "brown"}


def test_a_player_without_a_colour_can_only_pass() -> None:
    state = auction(
        offer(), offer(), six_lots=True, hands=(ALL, ALL), districts={TIMES: "b1 x1 x1 x1 x1 G"}, dummy_removed=0
    )
    assert offered(state) == [moves.Pass(0)]
    assert colours_offered(played(state, moves.Pass(0))) == {"orange"}


def test_central_park_takes_any_colour_and_the_first_bid_fixes_it() -> None:
    state = auction(offer(), offer(), offer(), markers=(), hands=("", ALL, "o5 n5 k6"))
    state = played(state, moves.Pass(0))
    assert colours_offered(state) == set(COLOURS)
    state = played(state, bid(1, "n4"))
    assert colours_offered(state) == {"brown"}
    assert bids(state) == {cards("n5"), cards("n5 k6")}


def test_central_park_has_buildings_but_no_stop() -> None:
    state = auction(offer("n4"), offer(passed=True), offer(), seat=2, markers=(), active_seat=0)
    state = played(state, moves.Pass(2))
    assert offered(state) == [moves.Build(0, number) for number in range(4)]
    state, events = happened(state, moves.Build(0, 3))
    assert types(events) == ["built-in-central-park"]
    assert (state.seats[0].central_park, state.seats[0].reserve) == (3, 0)
    assert state.stage == stages.ChooseOption()


# --- building --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("place", [(TIMES, WEST_52), ()], ids=["district", "Central Park"])
@pytest.mark.parametrize(
    ("laid", "limit"),
    [
        ("y6", 1),
        ("y6 y5 k4", 1),
        ("y4 k6", 1),
        ("y5", 2),
        ("y5 k4", 2),
        ("y4 y4 k5", 2),
        ("y4", 3),
        ("y4 y4 k4", 3),
    ],
)
def test_the_highest_card_limits_the_buildings_6_allows_1_5_allows_2_4_allows_3(
    laid: str, limit: int, place: tuple[str, ...]
) -> None:
    state = auction(offer(laid), offer(), offer(passed=True), seat=1, districts=FREE, markers=place)
    won = played(state, moves.Pass(1))
    assert won.stage == stages.BuildOrStop(3, "white", 0, "grey", limit)
    assert offered(won) == [moves.Build(0, number) for number in range(limit + 1)]
    assert not legal(won, moves.Build(0, limit + 1))


def test_cards_of_earlier_bids_count_for_the_limit() -> None:
    state = auction(offer("y6", "k4"), offer(), offer(passed=True), seat=1, districts=FREE)
    assert played(state, moves.Pass(1)).stage == stages.BuildOrStop(3, "white", 0, "grey", 1)


def test_fewer_buildings_or_none_may_be_built() -> None:
    state = auction(offer("y4"), offer(), offer(passed=True), seat=1, districts=FREE)
    won = played(state, moves.Pass(1))
    for number in range(4):
        built, events = happened(won, moves.Build(0, number))
        assert built.districts[TIMES]["grey"].buildings == number  # type: ignore[index]
        assert built.seats[0].reserve == 3 - number
        assert types(events) == ["built" if number else "nothing-built", "auction-opened"]


def test_a_winner_without_reserve_builds_nothing_and_has_no_decision() -> None:
    state = auction(offer("y4"), offer(), offer(passed=True), seat=1, districts=FREE, central_park=(3,))
    after, events = happened(state, moves.Pass(1))
    assert types(events) == ["passed", "auction-won", "auction-opened"]
    assert after.piles["grey"].discards == ("grey-4",)


def test_an_owner_without_reserve_may_build_nothing_or_stop_in_a_full_district() -> None:
    state = auction(
        offer("y4"), offer(), offer(passed=True), seat=1, districts={TIMES: "B G J a1 P"}, central_park=(3,)
    )
    won = played(state, moves.Pass(1))
    assert offered(won) == [moves.Build(0, 0), moves.OrderStop(0)]


def test_a_newcomer_who_fills_the_last_empty_lot_builds_and_does_not_stop() -> None:
    state = auction(offer("y4"), offer(), offer(passed=True), seat=1, districts={TIMES: "B b1 J . P"})
    won = played(state, moves.Pass(1))
    assert {type(move) for move in offered(won)} == {moves.Build}
    built, events = happened(won, moves.Build(0, 1))
    assert "building-stop" not in types(events)
    assert built.districts[TIMES] is not None


# --- counting bids ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("held", ["y4 y4 y5 n4 k4 k5", "y4 y6 k4 k4 k6", "k4 k5", "n5 n5 y6 k6 k6 k5"])
def test_counting_picking_and_walking_bids_agrees_with_brute_force(held: str, first: bool) -> None:
    in_hand = cards(held)
    colours = ("grey", "brown") if first else ("grey",)
    for at_least in range(1, 32):
        expected = set()
        for chosen in sub_multisets(in_hand):
            coloured = {card[:-2] for card in chosen} - {BLACK}
            in_one_colour = coloured <= set(colours) and len(coloured) <= 1 and (coloured or not first)
            if chosen and worth(chosen) >= at_least and in_one_colour:
                expected.add(chosen)
        found = Mapped(bids_from(in_hand, colours, at_least, first), lambda chosen: moves.Bid(0, chosen))
        walked = list(found.starting_at(0))
        assert found.total == len(walked) == len(set(walked))
        assert set(walked) == {moves.Bid(0, chosen) for chosen in expected}
        assert [found.pick(index) for index in range(found.total)] == walked
        assert not expected or max(map(worth, expected)) == worth(cards_worth_most(in_hand, colours))


def test_the_worst_hand_is_counted_without_listing() -> None:
    everything = Hand(all_of(BLACK, "grey"))
    state = auction(
        offer(), offer(), offer(), hands=(everything, "", ""), districts=FREE, tops_of={"grey": Pile(None, ())}
    )
    legal_moves = referee.legal_moves(GAME, state)
    assert legal_moves.total == (6 * 5 * 4 - 1) * 21 * 17 * 15 + 1
    assert legal(state, legal_moves.pick(legal_moves.total // 3))
