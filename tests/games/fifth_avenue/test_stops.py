"""Building stops, how they change the map, and both endings, worked out by hand; named after the rules."""

from typing import Any, Literal

import pytest

from capomastro.engine.multisets import multiset
from capomastro.engine.stages import GameOver
from capomastro.games.fifth_avenue import moves, stages
from capomastro.games.fifth_avenue.components import CENTRAL_PARK, CITY_HALL, DISTRICTS, ROUTES
from capomastro.games.fifth_avenue.decisions import exits
from capomastro.games.fifth_avenue.derived import derived
from capomastro.games.fifth_avenue.game import GAME
from capomastro.games.fifth_avenue.lots import Lot
from capomastro.games.fifth_avenue.state import State
from tests.games.fifth_avenue.table import (
    EAST_34,
    EAST_42,
    EAST_52,
    KINDS,
    TIMES,
    WEST_34,
    WEST_42,
    WEST_52,
    audited,
    happened,
    legal,
    offered,
    played,
    table,
    types,
)

FULL = "GJ b1 BG c2 a1"


def stopping(seat: int = 0, colour: str = "brown", phase: Literal[1, 3] = 3, text: str = FULL, **fields: Any) -> State:
    """The winner of the auction of Times Square is to build or to stop; 52nd Street West comes after it."""
    fields.setdefault("markers", ((TIMES, WEST_52), ()))
    fields.setdefault("districts", {TIMES: text})
    return table(stage=stages.BuildOrStop(phase, "white", seat, colour, 3), **fields)


# --- ordering a stop -------------------------------------------------------------------------------------------------


def test_an_owner_chooses_to_build_or_to_stop() -> None:
    assert {type(move) for move in offered(stopping())} == {moves.Build, moves.OrderStop}
    built = played(stopping(), moves.Build(0, 2))
    assert built.districts[TIMES]["brown"] == Lot(owner=0, buildings=3)  # type: ignore[index]


def test_a_newcomer_must_stop() -> None:
    state = stopping(0, "orange", text="GJ b1 BG c2 P")
    assert offered(state) == [moves.OrderStop(0)]
    after, events = happened(state, moves.OrderStop(0))
    assert [(event["seat"], event["points"]) for event in events if "points" in event] == [(0, 3), (1, 2), (2, 5)]
    assert after.districts[TIMES] is None


def test_only_coloured_lots_can_be_empty() -> None:
    """A possible state may lack the business of a colourless lot: all the same nobody builds on another business."""
    state = stopping(0, "orange", text="GJ b1 BG c2 P .", six_lots=True)
    assert audited(state) == []
    assert offered(state) == [moves.OrderStop(0)]


def test_a_stop_removes_everything_and_closes_the_district() -> None:
    after, events = happened(stopping(), moves.OrderStop(0))
    assert types(events) == ["building-stop", "stop-scored", "stop-scored", "stop-scored", "auction-opened"]
    assert after.districts[TIMES] is None
    assert after.removed_businesses == ("boutique", "gallery", "gallery", "jeweller")
    assert [seat.removed for seat in after.seats] == [1, 1, 2]
    assert [seat.reserve for seat in after.seats] == [seat.reserve for seat in stopping().seats]
    assert after.markers == {"white": (WEST_52,), "beige": ()}


def test_buildings_in_central_park_are_never_destroyed() -> None:
    after = played(stopping(central_park=(1, 1, 1)), moves.OrderStop(0))
    assert [seat.central_park for seat in after.seats] == [1, 1, 1]


def test_the_marker_of_the_other_commissioner_goes_back_without_effect() -> None:
    state = stopping(
        markers=((TIMES, WEST_52), (EAST_34, TIMES)), commissioners=(CITY_HALL, EAST_52), districts={TIMES: FULL}
    )
    after = played(state, moves.OrderStop(0))
    assert after.markers["beige"] == (EAST_34,)


def test_a_commissioner_in_the_closed_district_stays_and_leaves_no_marker() -> None:
    state = stopping(markers=((TIMES, WEST_52), (EAST_34,)), commissioners=(CITY_HALL, TIMES))
    state = played(state, moves.OrderStop(0))
    assert state.commissioners["beige"] == TIMES
    for _ in range(2):
        state = played(state, moves.Pass(0), moves.Pass(1), moves.Pass(2))
    assert state.stage == stages.ChooseOption()
    assert not any(isinstance(move, moves.ScoreDistrict) for move in offered(state)), "a closed district is not scored"
    state = played(state, moves.TakeBuildings(1), moves.TakeCards(1, ("green", "grey")))
    state = table(
        stage=stages.MoveCommissioner(3),
        districts={TIMES: None},
        commissioners=(CITY_HALL, TIMES),
        markers=((), (EAST_34,)),
    )
    after, events = happened(state, moves.MoveCommissioner(0, "beige", EAST_52))
    assert types(events) == ["commissioner-moved"]
    assert after.markers["beige"] == (EAST_34,)


def test_a_set_of_auctions_continues_after_a_stop() -> None:
    after = played(stopping(), moves.OrderStop(0))
    assert derived(after).auctioned == WEST_52
    after = played(after, moves.Pass(0), moves.Pass(1), moves.Pass(2))
    assert derived(after).auctioned == CENTRAL_PARK


def test_nobody_places_a_business_in_a_closed_district() -> None:
    state = table(districts={TIMES: None})
    assert not any(isinstance(move, moves.PlaceBusiness) and move.district == TIMES for move in offered(state))


def test_the_colourless_lot_takes_a_second_business_and_no_third() -> None:
    state = table(six_lots=True, districts={TIMES: ". . . . . G"})
    tile = state.row[0][0]
    second = moves.PlaceBusiness(0, tile, TIMES, "colourless")
    assert second in offered(state)
    assert played(state, second).districts[TIMES].colourless == Lot(multiset(("gallery", tile)))  # type: ignore[union-attr]
    full = table(six_lots=True, districts={TIMES: ". . . . . GJ"})
    third = moves.PlaceBusiness(0, full.row[0][0], TIMES, "colourless")
    assert third not in offered(full)
    assert not legal(full, third)


# --- the map ---------------------------------------------------------------------------------------------------------

FORWARD = {
    CITY_HALL: {WEST_34, EAST_34},
    WEST_34: {WEST_42, TIMES},
    EAST_34: {TIMES, EAST_42},
    WEST_42: {WEST_52},
    TIMES: {WEST_52, EAST_52},
    EAST_42: {EAST_52},
    WEST_52: {CENTRAL_PARK},
    EAST_52: {CENTRAL_PARK},
    CENTRAL_PARK: {CITY_HALL},
}


def test_commissioners_only_move_forward() -> None:
    assert {space: set(exits(space, frozenset())) for space in ROUTES} == FORWARD


@pytest.mark.parametrize(
    ("closed", "skipping"),
    [
        (WEST_34, {CITY_HALL: {WEST_42, TIMES, EAST_34}}),
        (EAST_34, {CITY_HALL: {WEST_34, TIMES, EAST_42}}),
        (WEST_42, {WEST_34: {WEST_52, TIMES}}),
        (TIMES, {WEST_34: {WEST_42, WEST_52, EAST_52}, EAST_34: {WEST_52, EAST_52, EAST_42}}),
        (EAST_42, {EAST_34: {TIMES, EAST_52}}),
        (WEST_52, {WEST_42: {CENTRAL_PARK}, TIMES: {CENTRAL_PARK, EAST_52}}),
        (EAST_52, {TIMES: {WEST_52, CENTRAL_PARK}, EAST_42: {CENTRAL_PARK}}),
    ],
)
def test_closed_districts_are_skipped(closed: str, skipping: dict[str, set[str]]) -> None:
    assert {space: set(exits(space, frozenset([closed]))) for space in ROUTES} == {**FORWARD, **skipping}
    for space, reached in skipping.items():
        passed = {WEST_34: (), EAST_34: (), WEST_42: (WEST_34,), TIMES: (WEST_34,), EAST_42: (EAST_34,), CITY_HALL: ()}
        state = table(
            stage=stages.MoveCommissioner(3),
            districts={closed: None},
            commissioners=(space, CITY_HALL),
            markers=(passed[space], ()),
        )
        white = {
            move.to
            for move in offered(state)
            if isinstance(move, moves.MoveCommissioner) and move.commissioner == "white"
        }
        assert white == reached
        assert not legal(state, moves.MoveCommissioner(0, "white", closed))


def test_a_commissioner_leaves_a_marker_only_in_an_open_district() -> None:
    state = table(stage=stages.MoveCommissioner(3), commissioners=(WEST_34, CITY_HALL))
    after, events = happened(state, moves.MoveCommissioner(0, "white", TIMES))
    assert types(events) == ["commissioner-moved", "marker-placed"]
    assert after.markers["white"] == (WEST_34,)
    _, events = happened(state, moves.MoveCommissioner(0, "beige", WEST_34))
    assert types(events) == ["commissioner-moved"]
    assert played(state, moves.MoveCommissioner(0, "beige", WEST_34)).commissioners == {
        "white": WEST_34,
        "beige": WEST_34,
    }


# --- the end ---------------------------------------------------------------------------------------------------------


def second(**fields: Any) -> State:
    return stopping(districts={TIMES: FULL, WEST_34: None}, **fields)


def test_the_second_stop_ends_the_game_at_once_in_the_middle_of_a_set() -> None:
    phases: tuple[Literal[1, 3], ...] = (1, 3)
    for phase in phases:
        after, events = happened(second(phase=phase), moves.OrderStop(0))
        assert "auction-opened" not in types(events)
        assert after.stage == GameOver()
        assert after.markers["white"] == (WEST_52,)
        assert types(events)[-1] == "game-over"
        assert "fifth-avenue.end.second-stop" in [event.get("rule") for event in events]


def test_the_points_of_the_stop_count_before_the_final_scoring() -> None:
    after, events = happened(second(scores=(70, 60, 50)), moves.OrderStop(0))
    assert [seat.score for seat in after.seats] == [74, 62, 53]
    result = GAME.result(after)
    assert [player.lines[0].points for player in result.players] == [74, 62, 53]
    final = [event for event in events if event["type"] == "final-scored"]
    assert {event["district"] for event in final} <= set(DISTRICTS) - {TIMES, WEST_34}


def one_before_the_end(**fields: Any) -> State:
    """Eleven businesses have been placed; two tiles are left in the last group."""
    state = table(
        districts={
            WEST_34: "BB GG . . a1",
            EAST_34: "JJ PP . b1 c1",
            WEST_42: "B G J . .",
            TIMES: "P B G . .",
            EAST_42: "P B . . .",
            WEST_52: "G . a1 b1 c1",
            EAST_52: "J . . . .",
        },
        **fields,
    )
    assert derived(state).businesses_placed == 11
    return state


def test_the_twelfth_business_ends_the_game_in_the_middle_of_a_turn() -> None:
    state = one_before_the_end()
    tile = state.row[-1][0]
    after, events = happened(state, moves.PlaceBusiness(0, tile, EAST_52, "brown"))
    assert types(events) == ["option-chosen", "business-placed", "business-under-central-park", "game-ended"]
    assert after.stage == stages.DrawParkTile()
    assert len(after.under_central_park) == 8


def test_phases_2_and_3_follow_an_earlier_business() -> None:
    state = table()
    after = played(state, moves.PlaceBusiness(0, state.row[0][0], TIMES, "brown"))
    assert after.stage == stages.TakeCards()


def test_the_last_tile_of_a_group_goes_under_central_park() -> None:
    state = table(districts={TIMES: "B . . P ."})
    assert len(state.row[0]) == 2
    tile, last = state.row[0]
    after, events = happened(state, moves.PlaceBusiness(0, tile, WEST_34, "brown"))
    assert after.row[0] == ()
    assert after.under_central_park == (last,)
    assert "business-under-central-park" in types(events)


@pytest.mark.parametrize(("placed", "needed", "points"), [(3, 3, 4), (6, 4, 6), (9, 5, 8)])
def test_there_is_a_bonus_after_the_third_sixth_and_ninth_business(placed: int, needed: int, points: int) -> None:
    plain = ["B {} {} . .", "G {} {} . .", "J {} {} . .", "P {} {} . .", "B {} {} . .", "G {} {} . c1", "J {} {} . c1"]
    extra = placed - 1
    texts = {}
    for index, (name, text) in enumerate(zip(DISTRICTS, plain, strict=True)):
        mine = "a1" if index < needed else "."
        yours = "b1" if index < needed - 1 else "."
        filled = text.format(mine, yours)
        for _ in range(2):
            if extra:
                filled = filled[::-1].replace(".", "PJ"[extra % 2], 1)[::-1]
                extra -= 1
        texts[name] = filled
    state = table(districts=texts, hands=("", "", ""), central_park=(1, 1, 1))
    assert derived(state).businesses_placed == placed - 1
    tile = next(group for group in state.row if group)[0]
    spot = next(move for move in offered(state) if isinstance(move, moves.PlaceBusiness) and move.business == tile)
    _, events = happened(state, spot)
    scored = [
        (event["seat"], event["points"], event["districts"]) for event in events if event["type"] == "bonus-scored"
    ]
    assert scored == [(0, points, needed)]


def test_park_tiles_are_drawn_only_if_there_are_more_than_three() -> None:
    crowded = {TIMES: FULL, WEST_34: None, EAST_34: "BB GG . . .", WEST_42: "JJ PP J P ."}
    state = stopping(districts=crowded)
    assert len(state.under_central_park) > 3
    after = played(state, moves.OrderStop(0))
    assert after.stage == stages.DrawParkTile()
    drawn = after
    for _ in range(3):
        drawn = played(drawn, moves.DrawBusiness(drawn.under_central_park[0]))
    assert drawn.stage == GameOver()
    assert len(drawn.park_tiles or ()) == 3


THREE_PLACED_BEFORE = {EAST_34: "BJ JP . . ."}
"""Three more businesses than at the start, not counting those in Times Square."""


@pytest.mark.parametrize(
    ("under", "each", "districts"),
    [
        ("", 1, {TIMES: "G b1 B c2 a1"}),
        ("P", 2, {TIMES: "GJ b1 B c2 a1"}),
        ("PP", 2, {TIMES: FULL}),
        ("BP", 3, {TIMES: FULL}),
        ("GGG", 2, {TIMES: "GJ b1 B c2 a1", **THREE_PLACED_BEFORE}),
        ("GPG", 3, {TIMES: "GJ b1 B c2 a1", **THREE_PLACED_BEFORE}),
        ("BGP", 5, {TIMES: "GJ b1 B c2 a1", **THREE_PLACED_BEFORE}),
    ],
)
def test_three_tiles_or_fewer_are_all_used_without_a_draw(under: str, each: int, districts: dict[str, str]) -> None:
    tiles = multiset(KINDS[letter] for letter in under)
    state = stopping(districts={**districts, WEST_34: None}, under_central_park=tiles, central_park=(2, 0, 1))
    after, events = happened(state, moves.OrderStop(0))
    assert after.stage == GameOver(), "nothing is drawn"
    assert (after.under_central_park, after.park_tiles) == (tiles, None)
    scored = [
        (event["seat"], event["buildings"], event["each"], event["points"], event["tiles"])
        for event in events
        if event.get("rule") == "fifth-avenue.end.central-park"
    ]
    assert scored == [(0, 2, each, 2 * each, list(tiles)), (2, 1, each, each, list(tiles))]
    parks = [player.lines[-1].points for player in GAME.result(after).players if player.lines[-1].tiles is not None]
    assert parks == [2 * each, each]
