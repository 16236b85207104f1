"""Scoresheets of a table: what they give, with the drawn tiles or with all that lay under Central Park."""

from fractions import Fraction
from typing import Any

import pytest
from msgspec.structs import replace

from capomastro.games.fifth_avenue.game import GAME
from capomastro.games.fifth_avenue.scoresheet import Scoresheet, SheetSeat
from capomastro.games.fifth_avenue.state import DrawParkTile, State
from tests.games.fifth_avenue.table import TIMES, WEST_34, board
from tests.support.documents import as_document
from tests.support.playouts import play_out


def sheet(seats: tuple[SheetSeat, ...], **fields: Any) -> Scoresheet:
    laid = board({TIMES: "GJ a1 BG b2 .", WEST_34: None})
    return replace(Scoresheet("fifth-avenue", 1, seats, laid, ("boutique", "gallery", "gallery")), **fields)


def answer(given: Scoresheet) -> Any:
    assert list(GAME.refuse_scoresheet(given)) == []
    return as_document(GAME.score(given))


def test_track_districts_and_central_park() -> None:
    result = answer(sheet((SheetSeat(31, 2), SheetSeat(28, 0))))["result"]
    assert result["players"][0]["lines"] == [
        {"rule": "fifth-avenue.end.track", "points": 31},
        {
            "rule": "fifth-avenue.end.districts",
            "points": 5,
            "district": TIMES,
            "lot": "green",
            "buildings": 1,
            "each": 5,
        },
        {
            "rule": "fifth-avenue.end.central-park",
            "points": 6,
            "buildings": 2,
            "each": 3,
            "tiles": ["boutique", "gallery", "gallery"],
        },
    ]
    assert [player["total"] for player in result["players"]] == [42, 34]
    assert result["winners"] == [0]


def test_the_total_counts_however_often_the_track_wrapped() -> None:
    assert answer(sheet((SheetSeat(165, 0), SheetSeat(159, 0))))["result"]["players"][0]["total"] == 170


def test_a_tie_is_broken_by_the_number_of_cards_and_undecided_without_it() -> None:
    tied = answer(sheet((SheetSeat(31, 0, 4), SheetSeat(30, 0, 6))))["result"]
    assert [player["total"] for player in tied["players"]] == [36, 36]
    assert tied["winners"] == [1]
    assert tied["tie_break"] == [{"rule": "fifth-avenue.end.tie", "seats": [0, 1], "values": [4, 6]}]
    shared = answer(sheet((SheetSeat(31, 0, 4), SheetSeat(30, 0, 4))))["result"]
    assert shared["winners"] == [0, 1]
    undecided = answer(sheet((SheetSeat(31, 0), SheetSeat(30, 0, 6))))["result"]
    assert undecided["undecided"] == [0, 1]
    assert "winners" not in undecided
    assert {"seat": 0, "missing": ["the number of hand cards"]} in undecided["missing"]


def test_with_the_tiles_under_central_park_every_draw_is_answered_with_its_probability() -> None:
    given = sheet(
        (SheetSeat(31, 1), SheetSeat(35, 0)),
        park_tiles=None,
        under_central_park=(
            "boutique",
            "boutique",
            "boutique",
            "boutique",
            "gallery",
            "gallery",
            "jeweller",
            "jeweller",
        ),
    )
    outcomes = answer(given)["outcomes"]
    assert sum(Fraction(one["probability"]) for one in outcomes) == 1
    by_draw = {tuple(one["tiles"]): one for one in outcomes}
    assert by_draw["boutique", "boutique", "boutique"]["probability"] == "1/14"
    assert by_draw["boutique", "gallery", "jeweller"]["probability"] == "2/7"
    totals = {draw: one["result"]["players"][0]["total"] for draw, one in by_draw.items()}
    assert totals["boutique", "boutique", "boutique"] == 31 + 5 + 2
    assert totals["boutique", "gallery", "jeweller"] == 31 + 5 + 5


@pytest.mark.parametrize(("under", "each"), [((), 1), (("gallery",), 2), (("boutique", "gallery", "jeweller"), 5)])
def test_three_tiles_or_fewer_need_no_draw(under: tuple[str, ...], each: int) -> None:
    closed_twice = board({TIMES: None, WEST_34: None})
    given = sheet((SheetSeat(0, 2), SheetSeat(0, 0)), park_tiles=None, under_central_park=under, districts=closed_twice)
    assert answer(given)["result"]["players"][0]["lines"][-1]["points"] == 2 * each


def test_the_dummy_owns_buildings_and_scores_nothing() -> None:
    given = sheet((SheetSeat(0, 0), SheetSeat(0, 0)), districts=board({TIMES: "GJ x1 BG a1 ."}))
    assert [player["total"] for player in answer(given)["result"]["players"]] == [3, 0]


def sheet_of(state: State, *, drawn: bool) -> Scoresheet:
    """What the table of a finished game would type in."""
    return Scoresheet(
        "fifth-avenue",
        1,
        tuple(SheetSeat(seat.score, seat.central_park, seat.hand.size) for seat in state.seats),
        state.districts,
        park_tiles=state.park_tiles or state.under_central_park if drawn else None,
        under_central_park=None if drawn else state.under_central_park,
        six_lots=state.options.six_lots,
        rings=state.options.rings,
    )


@pytest.mark.parametrize("six_lots", [False, True])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_sheet_of_a_played_game_gives_its_result(players: int, six_lots: bool) -> None:
    for seed in ("1", "2", "3"):
        plies = list(play_out(GAME, players, {"six_lots": six_lots}, seed))
        last = plies[-1].after
        assert answer(sheet_of(last, drawn=True))["result"] == as_document(GAME.result(last))
        before = next((ply.before for ply in plies if isinstance(ply.before.stage, DrawParkTile)), None)
        if before is not None:
            assert answer(sheet_of(before, drawn=False)) == as_document(GAME.open_results(before))
