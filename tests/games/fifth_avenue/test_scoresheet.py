"""Scoresheets, with the drawn tiles or with all that were under Central Park."""

from fractions import Fraction
from typing import Any

import pytest
from msgspec.structs import replace

from capomastro.engine.endings import open_results
from capomastro.games.fifth_avenue import stages
from capomastro.games.fifth_avenue.game import GAME
from capomastro.games.fifth_avenue.scoresheet import Scoresheet, SheetSeat
from capomastro.games.fifth_avenue.state import State
from tests.games.fifth_avenue.table import EAST_34, TIMES, WEST_34, WEST_42, WEST_52, board, typed
from tests.support.documents import as_document
from tests.support.playouts import play_out
from tests.support.shapes import shape_of


def sheet(seats: tuple[SheetSeat, ...], **fields: Any) -> Scoresheet:
    laid = typed(fields.pop("districts", None) or board({TIMES: "GJ a1 BG b2 .", WEST_34: None}))
    return replace(Scoresheet("fifth-avenue", 1, seats, laid, ("boutique", "gallery", "gallery")), **fields)


OF_WHOLE_TABLES = {"fifth-avenue.end.sheet-businesses", "fifth-avenue.end.park-tiles"}
"""Findings of every sheet here, because it has only what a test is about."""


def answer(given: Scoresheet) -> Any:
    assert {finding.rule for finding in GAME.faults_of_scoresheet(given)} <= OF_WHOLE_TABLES
    return as_document(GAME.score(given))


def test_track_districts_and_central_park_are_scored() -> None:
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
    assert {"seat": 0, "missing": ["hand"]} in undecided["missing"]


def test_with_the_tiles_under_central_park_every_draw_has_its_probability() -> None:
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
    """The scoresheet that the players of a finished game would enter."""
    return Scoresheet(
        "fifth-avenue",
        1,
        tuple(SheetSeat(seat.score, seat.central_park, seat.hand.size) for seat in state.seats),
        typed(state.districts),
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
        assert rules_against(sheet_of(last, drawn=True)) == []
        result = answer(sheet_of(last, drawn=True))["result"]
        assert result == as_document(GAME.result(last))
        before = next((ply.before for ply in plies if isinstance(ply.before.stage, stages.DrawParkTile)), None)
        if before is not None:
            assert rules_against(sheet_of(before, drawn=False)) == []
            assert answer(sheet_of(before, drawn=False)) == as_document(open_results(GAME, before))


# --- what cannot be, on both sides of the edge -----------------------------------------------------------------------


def rules_against(given: Scoresheet) -> list[str]:
    return [finding.rule.removeprefix("fifth-avenue.") for finding in GAME.faults_of_scoresheet(given)]


def at_end(districts: dict[str, str | None] | None = None, six_lots: bool = False, **fields: Any) -> Scoresheet:
    """A table of two after the twelfth business, with the given districts and fields."""
    laid = {WEST_34: "BG GJ BP a1 b1", EAST_34: ". GJ BP a1 b1", WEST_42: "BJ GP J . ."}
    if six_lots:
        laid = {WEST_34: "BG GJ BP a1 b1 B", EAST_34: ". GJ BP a1 b1 G", WEST_42: "BJ . . . . J"}
    seats = (SheetSeat(10, 0), SheetSeat(12, 1))
    board_at_end = typed(board({**laid, **(districts or {})}, six_lots))
    given = Scoresheet("fifth-avenue", 1, seats, board_at_end, ("boutique", "gallery", "gallery"), six_lots=six_lots)
    return replace(given, **fields)


STOPPED: dict[str, str | None] = {TIMES: None, WEST_52: None, WEST_42: "BJ GP . . ."}
"""Two building stops, with eleven businesses placed that are still there."""


def hands(one: int, other: int) -> dict[str, Any]:
    return {"seats": (SheetSeat(10, 0, one), SheetSeat(12, 1, other))}


def under(number: int) -> dict[str, Any]:
    kinds = ("boutique", "boutique", "gallery", "gallery", "jeweller", "jeweller", "perfumery", "perfumery")
    return {"park_tiles": None, "under_central_park": kinds[:number]}


@pytest.mark.parametrize(
    ("rule", "impossible", "possible"),
    [
        # twelve businesses, in addition to those that started
        ("end.sheet-businesses", at_end({WEST_42: "BJ GP . . ."}), at_end()),
        ("end.sheet-businesses", at_end({WEST_42: "BJ GP JB . ."}), at_end()),
        # a closed district can have had one of them, or even nine
        (
            "end.sheet-businesses",
            at_end({TIMES: None, WEST_42: "BJ GP JB . ."}),
            at_end({TIMES: None, WEST_42: "BJ GP . . ."}),
        ),
        (
            "end.sheet-businesses",
            at_end({TIMES: None, WEST_42: "B . . . .", WEST_34: ". B . a1 b1", EAST_34: ". BG G a1 b1"}),
            at_end({TIMES: None, WEST_42: "B . . . .", WEST_34: ". BG . a1 b1", EAST_34: ". BG G a1 b1"}),
        ),
        # two stops ended the game before the twelfth
        ("end.sheet-businesses", at_end({**STOPPED, WEST_42: "BJ GP J . ."}), at_end(STOPPED)),
        # twelve businesses emptied all eight groups
        ("end.park-tiles", at_end(**under(7)), at_end(**under(8))),
        (
            "end.park-tiles",
            at_end(park_tiles=("gallery", "gallery")),
            at_end(STOPPED, park_tiles=("gallery", "gallery")),
        ),
        # at most 110 cards, and at least one was bid for the second stop
        ("end.sheet-hands", at_end(**hands(100, 11)), at_end(**hands(100, 10))),
        ("end.sheet-hands", at_end(STOPPED, **hands(100, 10)), at_end(STOPPED, **hands(100, 9))),
    ],
)
def test_impossible_finished_tables_are_refused(rule: str, impossible: Scoresheet, possible: Scoresheet) -> None:
    assert rules_against(possible) == []
    assert rules_against(impossible) == [rule]


def test_an_unfinished_sheet_is_scored_as_far_as_it_goes() -> None:
    """More buildings, businesses and tiles may be entered; too many businesses stay too many."""
    begun = at_end({WEST_34: ". . . . .", WEST_42: ". . . . ."}, park_tiles=None, unfinished=True)
    judged = GAME.judge_scoresheet(begun)
    assert not judged.impossible
    assert {finding.rule.removeprefix("fifth-avenue.") for finding in judged.of_finished_game} == {
        "end.sheet-businesses",
        "end.sheet-tiles",
    }
    lines = as_document(GAME.score(begun))["result"]["players"][1]["lines"]
    assert [line["rule"] for line in lines] == ["fifth-avenue.end.track", "fifth-avenue.end.districts"]
    too_many = at_end({WEST_42: "BJ GP JB . ."}, unfinished=True)
    assert [finding.rule for finding in GAME.judge_scoresheet(too_many).impossible] == [
        "fifth-avenue.end.sheet-businesses"
    ]
    both = at_end(**{**under(8), "park_tiles": ("gallery",)}, unfinished=True)
    assert [finding.rule for finding in GAME.judge_scoresheet(both).impossible] == ["fifth-avenue.end.sheet-tiles"]


# --- districts and lots that are not typed in yet --------------------------------------------------------------------


def with_gaps(given: Scoresheet, name: str, *lots: str) -> Scoresheet:
    """The sheet without some lots of a district; without the whole of it if none is named."""
    kept = {other: laid for other, laid in given.districts.items() if other != name}
    laid = given.districts[name]
    assert laid is not None
    rest = {colour: lot for colour, lot in laid.items() if colour not in lots}
    return replace(given, districts={**kept, name: rest} if lots else kept)


@pytest.mark.parametrize(
    ("rule", "given", "pointer"),
    [
        ("map.sheet-districts", with_gaps(at_end(), TIMES), f"/districts/{TIMES}"),
        ("map.sheet-lots", with_gaps(at_end(), TIMES, "grey"), f"/districts/{TIMES}/grey"),
        ("map.sheet-lots", with_gaps(at_end(six_lots=True), TIMES, "colourless"), f"/districts/{TIMES}/colourless"),
        ("end.sheet-track", at_end(seats=(SheetSeat(None, 0), SheetSeat(12, 1))), "/seats/0/score"),
        ("end.sheet-central-park", at_end(seats=(SheetSeat(10, 0), SheetSeat(12))), "/seats/1/central_park"),
    ],
)
def test_missing_entries_are_listed(rule: str, given: Scoresheet, pointer: str) -> None:
    judged = GAME.judge_scoresheet(given)
    assert not judged.impossible
    assert [(one.rule.removeprefix("fifth-avenue."), one.pointer) for one in judged.of_finished_game] == [
        (rule, pointer)
    ]
    assert judged.refusals(unfinished=True) == ()
    shape = shape_of("fifth-avenue", "scoresheet")
    assert shape.accepts(as_document(replace(given, unfinished=True)))


def test_an_empty_lot_is_entered_as_nothing() -> None:
    assert rules_against(at_end({TIMES: "P . . . ."})) == []


def test_the_entered_part_of_a_district_is_scored() -> None:
    """First both businesses beside the building, then one of them."""
    whole = at_end({WEST_52: "GJ a1 BG . ."}, unfinished=True)
    lines = as_document(GAME.score(whole))["result"]["players"][0]["lines"]
    assert [line["each"] for line in lines if line.get("district") == WEST_52] == [5]
    part = with_gaps(whole, WEST_52, "purple", "brown")
    lines = as_document(GAME.score(part))["result"]["players"][0]["lines"]
    assert [line["each"] for line in lines if line.get("district") == WEST_52] == [3]


def test_missing_entries_are_no_error_on_an_unfinished_sheet() -> None:
    begun = Scoresheet("fifth-avenue", 1, (SheetSeat(), SheetSeat()), unfinished=True)
    judged = GAME.judge_scoresheet(begun)
    assert not judged.impossible
    assert len(judged.of_finished_game) == 2 * 2 + 7 + 1
    result = as_document(GAME.score(begun))["result"]
    assert [(player["lines"], player["total"]) for player in result["players"]] == [([], 0), ([], 0)]


def test_impossible_entries_are_refused_on_an_unfinished_sheet_too() -> None:
    """A tenth boutique, which no further entry can correct."""
    too_many = with_gaps(at_end({TIMES: "BB BB BB BB BB"}), WEST_52)
    assert "components.businesses" in {
        one.rule.removeprefix("fifth-avenue.") for one in GAME.judge_scoresheet(too_many).impossible
    }
