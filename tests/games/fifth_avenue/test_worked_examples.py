"""The worked examples of the rulebook and of our page of rules, over HTTP."""

from typing import Any

import pytest

from capomastro.api.application import create_app
from capomastro.games.fifth_avenue import stages
from capomastro.games.fifth_avenue.components import CENTRAL_PARK, CITY_HALL
from capomastro.games.fifth_avenue.state import State
from tests.api.asking import Asker
from tests.games.fifth_avenue.table import (
    EAST_34,
    EAST_52,
    TIMES,
    WEST_34,
    WEST_42,
    WEST_52,
    auction,
    cards,
    offer,
    table,
)
from tests.support.documents import as_document

AT = "/v1/games/fifth-avenue/"
FREE_GREY = {TIMES: "B . . . ."}


@pytest.fixture(scope="module")
def ask() -> Asker:
    return Asker(create_app().test_client())


def transition(ask: Asker, state: Any, *moves: dict[str, Any]) -> Any:
    document = as_document(state) if isinstance(state, State) else state
    return ask.post(f"{AT}transitions", {"state": document, "moves": moves})


def refused(ask: Asker, state: Any, move: dict[str, Any]) -> str | None:
    """The rule a move breaks, None if it is legal."""
    document = as_document(state) if isinstance(state, State) else state
    verdict = ask.post(f"{AT}verdicts", {"state": document, "move": move})
    return None if verdict["legal"] else str(verdict["refusal"]["rule"]).removeprefix("fifth-avenue.")


def legal_moves(ask: Asker, state: Any) -> list[dict[str, Any]]:
    document = as_document(state) if isinstance(state, State) else state
    moves: list[dict[str, Any]] = ask.post(f"{AT}legal-moves", {"state": document, "limit": 1000})["moves"]
    return moves


def bid(seat: int, text: str) -> dict[str, Any]:
    return {"type": "bid", "seat": seat, "cards": list(cards(text))}


def passing(seat: int) -> dict[str, Any]:
    return {"type": "pass", "seat": seat}


# --- bids ------------------------------------------------------------------------------------------------------------


def test_two_grey_fours_and_two_black_fours_allow_three_buildings_on_grey(ask: Asker) -> None:
    state = auction(offer(), offer(), offer(), hands=("y4 y4 k4 k4", "", ""), districts=FREE_GREY)
    won = transition(ask, state, bid(0, "y4 y4 k4 k4"), passing(1), passing(2))
    assert won["state"]["stage"] == as_document(stages.BuildOrStop(3, "white", 0, "grey", 3))
    assert [move["buildings"] for move in legal_moves(ask, won["state"])] == [0, 1, 2, 3]
    built = transition(ask, won["state"], {"type": "build", "seat": 0, "buildings": 3})
    assert built["state"]["districts"][TIMES]["grey"] == {"owner": 0, "buildings": 3}


def test_a_six_among_the_cards_allows_one_building_on_purple(ask: Asker) -> None:
    state = auction(offer(), offer(), offer(), hands=("p4 p4 k5 k6 k6", "", ""))
    won = transition(ask, state, bid(0, "p4 p4 k5 k6 k6"), passing(1), passing(2))
    assert won["events"][0]["bid"] == 25
    assert [move["buildings"] for move in legal_moves(ask, won["state"])] == [0, 1]
    assert refused(ask, won["state"], {"type": "build", "seat": 0, "buildings": 2}) == "auction.limit"


def test_after_nineteen_at_least_twenty_has_to_be_bid(ask: Asker) -> None:
    state = auction(
        offer("n5 n4 k5 k5"), offer(), offer(), seat=1, hands=("", "y6 y4 k5 k4 k5", ""), districts=FREE_GREY
    )
    assert refused(ask, state, bid(1, "y6 y4 k5 k4")) == "auction.higher"
    assert refused(ask, state, bid(1, "y6 y4 k5 k5")) is None


# --- scoring ---------------------------------------------------------------------------------------------------------


def scored(ask: Asker, text: str) -> dict[int, int]:
    """What option D gives in Times Square, by seat."""
    state = table(
        districts={TIMES: text}, commissioners=(TIMES, CITY_HALL), markers=((WEST_34,), ()), hands=("", "", "", "")
    )
    events = transition(ask, state, {"type": "score-district", "seat": 0, "district": TIMES})["events"]
    points: dict[int, int] = {}
    for event in events:
        points[event.get("seat", 0)] = points.get(event.get("seat", 0), 0) + event.get("points", 0)
    return {seat: total for seat, total in points.items() if total}


def test_two_buildings_beside_one_kind_score_four_and_one_scores_two(ask: Asker) -> None:
    # ring: a jeweller, two buildings, nothing, one building, a gallery
    assert scored(ask, "J a2 . b1 G") == {0: 4, 1: 2}


def test_two_by_two_one_by_three_and_two_by_three(ask: Asker) -> None:
    # ring: the first beside one kind, the second between one tile and two with one more kind, the third beside two
    assert scored(ask, "a2 J b1 GJ c2") == {0: 4, 1: 3, 2: 6}


def test_two_beside_three_kinds_score_ten_and_one_beside_four_scores_eight(ask: Asker) -> None:
    assert scored(ask, "GJ a2 B . .") == {0: 10}
    assert scored(ask, "GJ b1 BP a2 J") == {1: 8, 0: 10}


def test_the_scorer_without_a_building_there_draws_three_black_cards_and_another_one(ask: Asker) -> None:
    state = table(
        districts={TIMES: "J b2 . c1 ."},
        commissioners=(TIMES, CITY_HALL),
        markers=((WEST_34,), ()),
        hands=("", "", "", ""),
    )
    drawing = transition(ask, state, {"type": "score-district", "seat": 0, "district": TIMES})["state"]
    assert drawing["stage"] == {"type": "draw-black-card", "phase": 2, "seats": [0, 0, 0, 3]}
    drawn = transition(ask, drawing, *[{"type": "deal-card", "card": None}] * 4)["state"]
    assert [seat["hand"]["unknown"] for seat in drawn["seats"]] == [{"black": 3}, {}, {}, {"black": 1}]
    assert drawn["stage"] == as_document(stages.MoveCommissioner(3))


# --- the building stop -----------------------------------------------------------------------------------------------


def test_a_stop_with_four_buildings_gives_four_to_the_winner_and_half_of_five_and_six_to_the_others(ask: Asker) -> None:
    # ring: two tiles, seat 1 beside three kinds, two tiles, seat 2 beside two of them, seat 0
    state = table(
        stage=stages.BuildOrStop(3, "white", 0, "brown", 3),
        districts={TIMES: "GJ b1 BG c2 a1"},
        markers=((TIMES, WEST_52), ()),
        hands=("", "", ""),
    )
    assert {move["type"] for move in legal_moves(ask, state)} == {"build", "order-stop"}
    stopped = transition(ask, state, {"type": "order-stop", "seat": 0})
    scored_by = [
        (event["seat"], event.get("total"), event["points"]) for event in stopped["events"] if "points" in event
    ]
    assert scored_by == [(0, None, 4), (1, 5, 2), (2, 6, 3)]
    assert [seat["score"] for seat in stopped["state"]["seats"]] == [4, 2, 3]
    assert stopped["state"]["districts"][TIMES] is None


# --- the map ---------------------------------------------------------------------------------------------------------


def test_from_times_square_with_52nd_street_east_closed_one_reaches_52nd_west_and_central_park(ask: Asker) -> None:
    state = table(
        stage=stages.MoveCommissioner(3),
        districts={EAST_52: None},
        commissioners=(TIMES, CENTRAL_PARK),
        markers=((WEST_34,), (EAST_34, TIMES, WEST_52)),
    )
    reached = [move["to"] for move in legal_moves(ask, state) if move["commissioner"] == "white"]
    assert reached == [WEST_52, CENTRAL_PARK]


def test_the_picture_with_two_districts_to_score(ask: Asker) -> None:
    state = table(commissioners=(WEST_34, TIMES), markers=((), (EAST_34,)))
    scoring = [move["district"] for move in legal_moves(ask, state) if move["type"] == "score-district"]
    assert scoring == [WEST_34, TIMES]
    state = table(commissioners=(CENTRAL_PARK, WEST_42), markers=((WEST_34, WEST_42, WEST_52), (WEST_34,)))
    scoring = [move["district"] for move in legal_moves(ask, state) if move["type"] == "score-district"]
    assert scoring == [WEST_42]


# --- the dummy -------------------------------------------------------------------------------------------------------


def dummy_bids(cards_turned: tuple[str, ...] = ()) -> set[int]:
    """Every bid that the dummy can reach with these cards while the pile lasts."""
    if len(set(cards_turned)) < len(cards_turned):
        return {sum(int(card[-1]) for card in cards_turned)}
    return set().union(*(dummy_bids((*cards_turned, card)) for card in ("black-4", "black-5", "black-6")))


def test_the_dummy_bids_one_of_ten_sums(ask: Asker) -> None:
    assert dummy_bids() == {8, 10, 12, 13, 14, 16, 17, 19, 20, 21}
    seen = set()
    for seed in range(150):
        state = auction(offer(), offer(passed=True), hands=("", ""))
        turning = as_document(state)
        turning["stage"] = as_document(stages.TurnDummyCard(3, "white", (offer(passed=True), offer(passed=True)), ()))
        answer = ask.post(f"{AT}transitions", {"state": turning, "moves": [], "seed": str(seed)})
        seen |= {event["bid"] for event in answer["events"] if event["type"] == "dummy-bid"}
    assert seen == dummy_bids()
