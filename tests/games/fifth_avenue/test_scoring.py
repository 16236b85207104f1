"""Scoring districts in any ring on both sides of the board, worked out by hand; named after the rules."""

from collections.abc import Mapping
from typing import Any

import pytest

from capomastro.games.fifth_avenue import moves, stages
from capomastro.games.fifth_avenue.components import CITY_HALL
from capomastro.games.fifth_avenue.derived import derived
from capomastro.games.fifth_avenue.game import GAME
from capomastro.games.fifth_avenue.scoresheet import Scoresheet, SheetSeat
from capomastro.games.fifth_avenue.state import Options, State
from capomastro.games.fifth_avenue.tokens import Ring
from tests.games.fifth_avenue.table import (
    TIMES,
    WEST_34,
    WEST_42,
    WEST_52,
    auction,
    board,
    happened,
    offer,
    played,
    table,
    typed,
)

RING: Ring = ("brown", "orange", "purple", "green", "grey")
OTHER_RING = Options(rings={TIMES: RING})
"""Green lies between purple and grey, grey between green and brown, brown between grey and orange."""
BESIDE_OTHERS = {TIMES: "GB a2 JP b1 GJ"}
"""Green lies beside the two kinds on purple, grey beside those on brown; in the default ring beside four and three."""


def points(events: list[Any], event_type: str) -> list[tuple[int, int]]:
    """The points that events of a type gave, by seat."""
    return [(event["seat"], event["points"]) for event in events if event["type"] == event_type]


def scored(**fields: Any) -> tuple[State, list[Any]]:
    """The state after seat 0 has scored Times Square by option D, and the events."""
    state = table(commissioners=(TIMES, CITY_HALL), markers=((WEST_34,), ()), **fields)
    return happened(state, moves.ScoreDistrict(0, TIMES))


def stopped(seat: int, colour: str, **fields: Any) -> tuple[State, list[Any]]:
    """The state after a seat has ordered a stop in Times Square, and the events."""
    state = table(stage=stages.BuildOrStop(3, "white", seat, colour, 3), markers=((TIMES, WEST_52), ()), **fields)
    return happened(state, moves.OrderStop(seat))


def ended(districts: Mapping[str, str | None], **fields: Any) -> State:
    """The state after the game has ended by a second stop, which leaves Times Square open."""
    state = table(
        stage=stages.BuildOrStop(3, "white", 0, "brown", 3),
        markers=((WEST_42, WEST_52), ()),
        districts={WEST_34: None, WEST_42: "B b1 G J a1", **districts},
        **fields,
    )
    return played(state, moves.OrderStop(0))


def final_points(state: State) -> list[int]:
    """What Times Square gave each seat at the end."""
    return [
        sum(line.points for line in player.lines if line.district == TIMES) for player in GAME.result(state).players
    ]


# --- rings -----------------------------------------------------------------------------------------------------------


def test_option_d_scores_by_the_ring_of_the_option() -> None:
    after, events = scored(options=OTHER_RING, districts=BESIDE_OTHERS)
    assert points(events, "district-scored") == [(0, 6), (1, 3)], "16 and 5 in the default ring"
    assert [seat.score for seat in after.seats] == [6, 3, 0]


def test_each_district_has_its_own_ring() -> None:
    _, events = scored(options=Options(rings={WEST_34: RING}), districts=BESIDE_OTHERS)
    assert points(events, "district-scored") == [(0, 16), (1, 5)]


def test_a_stop_scores_by_the_ring_of_the_option() -> None:
    _, events = stopped(2, "brown", options=OTHER_RING, districts=BESIDE_OTHERS)
    assert points(events, "stop-scored") == [(0, 3), (1, 1), (2, 3)], "8 and 2 for the others in the default ring"


def test_the_end_scores_by_the_ring_of_the_option() -> None:
    assert final_points(ended(BESIDE_OTHERS, options=OTHER_RING)) == [6, 3, 0]


def test_a_scoresheet_scores_by_its_rings() -> None:
    seats = (SheetSeat(0, 0), SheetSeat(0, 0), SheetSeat(0, 0))
    laid = typed(board(BESIDE_OTHERS))
    sheet = Scoresheet("fifth-avenue", 1, seats, laid, ("gallery",) * 3, rings={TIMES: RING})
    answer = GAME.score(sheet)
    assert [player.total for player in answer["result"].players] == [6, 3, 0]


def test_derived_totals_use_the_ring_of_the_option() -> None:
    shown = derived(table(options=OTHER_RING, districts=BESIDE_OTHERS)).district_totals
    assert list(shown[TIMES]) == [6, 3, 0]


def dummy_built(text: str, options: Options) -> list[tuple[str, int]]:
    """Where the dummy builds in Times Square, and what it is worth there."""
    state = auction(offer(), offer(), districts={TIMES: text}, options=options)
    state = played(state, moves.Pass(0), moves.Pass(1))
    assert isinstance(state.stage, stages.TurnDummyCard)
    _, events = happened(state, moves.TurnCard("black-4"), moves.TurnCard("black-4"))
    return [(event["lot"], event["each"]) for event in events if event["type"] == "dummy-built"]


@pytest.mark.parametrize(
    ("text", "by_ring", "by_default"),
    [
        ("BP . . G J", [("purple", 3)], [("green", 3)]),
        (". a1 BG JP .", [("brown", 3), ("orange", 3)], [("brown", 3)]),
        (". a1 BG JP b1", [("orange", 3)], [("orange", 1)]),
    ],
    ids=["choice", "order of equal ones", "worth"],
)
def test_the_dummy_chooses_lots_by_the_ring_of_the_option(
    text: str, by_ring: list[tuple[str, int]], by_default: list[tuple[str, int]]
) -> None:
    assert dummy_built(text, OTHER_RING) == by_ring
    assert dummy_built(text, Options()) == by_default


# --- six lots --------------------------------------------------------------------------------------------------------


def test_businesses_on_the_colourless_lot_count_for_both_its_neighbours() -> None:
    _, events = scored(six_lots=True, districts={TIMES: "a2 P . . b1 GJ"})
    assert points(events, "district-scored") == [(0, 10), (1, 3)], "orange and brown lie beside it"


def test_the_colourless_lot_has_its_place_in_the_ring_of_the_option() -> None:
    ring = ("colourless", "brown", "orange", "purple", "green", "grey")
    _, events = scored(options=Options(six_lots=True, rings={TIMES: ring}), districts={TIMES: "a2 P . c3 b1 GJ"})
    assert points(events, "district-scored") == [(0, 2), (2, 15), (1, 3)], "grey and brown lie beside it"


# --- the dummy -------------------------------------------------------------------------------------------------------

WITH_THE_DUMMY = {TIMES: "GJ x1 BG a2 b1"}
"""The dummy's building lies beside three kinds, the two of seat 0 beside two, that of seat 1 beside two."""


def test_the_dummy_never_scores_by_option_d() -> None:
    after, events = scored(hands=("", ""), districts=WITH_THE_DUMMY)
    assert points(events, "district-scored") == [(0, 6), (1, 3)]
    assert [seat.score for seat in after.seats] == [6, 3]


def test_the_dummy_never_scores_by_a_stop() -> None:
    for seat, colour, expected in ((0, "grey", [4, 1]), (1, "brown", [3, 4])):
        after, events = stopped(seat, colour, hands=("", ""), districts=WITH_THE_DUMMY)
        assert points(events, "stop-scored") == list(enumerate(expected))
        assert [seat.score for seat in after.seats] == expected


def test_the_dummy_never_scores_at_the_end() -> None:
    after = ended(WITH_THE_DUMMY, hands=("", ""))
    assert final_points(after) == [6, 3]
    for seat, player in enumerate(GAME.result(after).players):
        assert player.total == after.seats[seat].score + (6, 3)[seat]


def test_derived_totals_do_not_include_the_dummy() -> None:
    shown = derived(table(hands=("", ""), districts=WITH_THE_DUMMY)).district_totals
    assert list(shown[TIMES]) == [6, 3]


# --- Central Park ----------------------------------------------------------------------------------------------------


def test_central_park_scores_only_at_the_end_and_not_by_option_d() -> None:
    after, events = scored(central_park=(2, 1, 3), districts={TIMES: "J a1 . b1 ."})
    assert points(events, "district-scored") == [(0, 2), (1, 1)]
    assert [seat.score for seat in after.seats] == [2, 1, 0]


def test_central_park_scores_only_at_the_end_and_not_by_a_stop() -> None:
    after, events = stopped(0, "brown", central_park=(2, 1, 3), districts={TIMES: "GJ b1 BG c2 a1"})
    assert points(events, "stop-scored") == [(0, 4), (1, 2), (2, 3)], "four buildings stand in the district itself"
    assert [seat.score for seat in after.seats] == [4, 2, 3]


def test_central_park_scores_at_the_end_in_addition_to_the_track() -> None:
    after = ended({}, central_park=(2, 1, 3), under_central_park=("gallery",))
    for seat, number in enumerate((2, 1, 3)):
        park = [line.points for line in GAME.result(after).players[seat].lines if line.tiles is not None]
        assert park == [2 * number]
