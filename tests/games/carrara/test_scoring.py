"""The final score, ties, places, and scoresheets."""

from collections.abc import Sequence
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from capomastro.engine import events as engine_events
from capomastro.engine.stages import GameOver
from capomastro.games.carrara import events
from capomastro.games.carrara.game import GAME
from capomastro.games.carrara.scoresheet import Scoresheet, SheetSeat
from capomastro.games.carrara.scoring import Result
from capomastro.games.carrara.state import Seat, State
from tests.games.carrara.table import audited, ready, seat, spread, table
from tests.support.documents import as_document


def over(*seats: Seat) -> State:
    return table(*seats, stage=GameOver(), active_seat=len(seats) - 1)


def result(*seats: Seat) -> Result:
    return GAME.result(over(*seats))


def places(of: Result) -> list[int | None]:
    return [player.place for player in of.players]


def trail(of: Result) -> list[tuple[tuple[int, ...], tuple[int | None, ...]]]:
    return [(each.seats, each.values) for each in of.tie_break]


def test_every_line_has_the_origin_of_its_points() -> None:
    first, second = seat(coins=31, points=27, objects="book cup cup", pisa="li3", massa="ca2 vi5"), seat(coins=4)
    scored = result(first, second)
    assert [as_document(line) for line in scored.players[0].lines] == [
        {"rule": "carrara.scoring.track", "points": 27},
        {"rule": "carrara.scoring.objects", "points": 9, "number": 3, "objects": ["book", "cup", "cup"]},
        {"rule": "carrara.scoring.buildings", "points": 10, "costs": [2, 3, 5]},
        {"rule": "carrara.scoring.coins", "points": 6, "coins": 31},
    ]
    assert [player.total for player in scored.players] == [27 + 9 + 10 + 6, 0]
    assert (scored.winners, places(scored), trail(scored)) == ((0,), [1, 2], [])


@pytest.mark.parametrize(("coins", "points"), [(0, 0), (4, 0), (5, 1), (9, 1), (10, 2), (31, 6)])
def test_every_full_five_coins_are_a_point(coins: int, points: int) -> None:
    assert result(seat(coins=coins), seat()).players[0].total == points


def test_a_tie_is_won_by_the_blocks_left_whatever_their_colour() -> None:
    scored = result(seat("ww", points=10), seat("kkk", points=10))
    assert (scored.winners, places(scored)) == ((1,), [2, 1])
    assert trail(scored) == [((0, 1), (2, 3))]
    assert scored.tie_break[0].rule == "carrara.scoring.tie"


def test_with_equally_many_blocks_left_the_victory_is_shared() -> None:
    scored = result(seat("w", points=10), seat("k", points=10), seat("kkkk"))
    assert (scored.winners, places(scored)) == ((0, 1), [1, 1, 3])


def test_places_below_the_first_are_decided_in_the_same_way() -> None:
    scored = result(seat(points=20), seat("w", points=5), seat("kk", points=5), seat("ww", points=5))
    assert places(scored) == [1, 4, 2, 2]
    assert trail(scored) == [((1, 2, 3), (1, 2, 2))]


def test_final_events_are_the_lines_added_to_the_track() -> None:
    state = over(seat(coins=11, points=7, objects="cup", massa="ca2"), ready(points=5))
    scored = [line for line in GAME.final_events(state) if isinstance(line, events.FinalScored)]
    assert [(line.seat, line.points) for line in scored] == [(0, 3), (0, 2), (0, 2), (1, 30), (1, 30), (1, 0)]


def test_the_last_event_names_what_ended_the_game() -> None:
    announced = table(seat(), ready(points=5), announced_by=1, stage=GameOver(), active_seat=1)
    assert audited(announced) == []
    assert GAME.final_events(announced)[-1] == engine_events.GameOver("carrara.end.announcement")
    built = table(seat(massa=spread(30)), seat(), stage=GameOver(), active_seat=1, face_up="")
    assert audited(built) == []
    assert GAME.final_events(built)[-1] == engine_events.GameOver("carrara.end.last-building")


# --- scoresheets -----------------------------------------------------------------------------------------------------


ANNOUNCER = SheetSeat(5, 8, (1, 1, 1, 1, 1, 5, 5, 5, 5, 5), 0, 0)
"""A player who has met the objectives, so that the others can have anything."""

BY_KIND = replace(ANNOUNCER, objects=("gate", "gate", "cup", "cup", "flag", "flag", "coat-of-arms", "coat-of-arms"))

NEVER_CHECKED = ("carrara.end.objectives", "carrara.components.coins")


def score(*seats: SheetSeat) -> Result:
    sheet = Scoresheet("carrara", 1, (*seats, ANNOUNCER))
    assert list(GAME.faults_of_scoresheet(sheet)) == []
    scored: Result = GAME.score(sheet)["result"]
    return scored


def test_a_scoresheet_by_kind_scores_like_the_state() -> None:
    first = seat("wk", coins=31, points=27, objects="book cup cup", pisa="li3", massa="ca2 vi5")
    second = seat("w", coins=7, points=3, objects="gate")
    sheet = [
        SheetSeat(27, ("book", "cup", "cup"), (2, 3, 5), 31, 2),
        SheetSeat(3, ("gate",), (), 7, 1),
    ]
    scored: Result = GAME.score(Scoresheet("carrara", 1, tuple(sheet)))["result"]
    assert scored.players == result(first, second).players


def test_skipped_checks_are_listed() -> None:
    scored = score(SheetSeat(0, 6, (5,), 4, 0), SheetSeat(0, ("book",), (), 0, 0))
    assert [player.total for player in scored.players] == [18 + 5, 3, 59]
    assert scored.skipped_checks == ("carrara.components.objects", *NEVER_CHECKED)
    assert "objects" not in as_document(scored.players[0].lines[1])
    by_number = score(SheetSeat(0, 0, (), 0), SheetSeat(0, 0, (1,), 0))
    assert by_number.skipped_checks == ("carrara.components.objects", *NEVER_CHECKED)


def test_missing_blocks_are_reported_only_if_the_tie_is_real() -> None:
    clear = score(SheetSeat(0, 0, (), 5), SheetSeat(0, 0, (), 0))
    assert (clear.winners, clear.missing) == ((2,), ())
    tied = score(SheetSeat(0, 0, (), 300, 3), SheetSeat(0, 0, (), 300))
    assert (tied.winners, tied.undecided) == (None, (0, 1))
    assert [each.seat for each in tied.missing] == [1]


def rules_against(*seats: SheetSeat, **fields: Any) -> list[str]:
    sheet = Scoresheet("carrara", 1, seats, **fields)
    return [finding.rule.removeprefix("carrara.") for finding in GAME.faults_of_scoresheet(sheet)]


NOBODY = SheetSeat(0, 0, (), 0)


@pytest.mark.parametrize(
    ("rule", "impossible", "possible"),
    [
        # the objectives of two, and the five points
        ("end.sheet", [SheetSeat(5, 7, (5,) * 6, 0), NOBODY], [SheetSeat(5, 8, (5,) * 6, 0), NOBODY]),
        (
            "end.sheet",
            [SheetSeat(4, 8, (5, 5, 5, 5, 5, 4, 1), 0), NOBODY],
            [SheetSeat(9, 8, (5, 5, 5, 5, 5, 4, 1), 0), NOBODY],
        ),
        (
            "end.sheet",
            [SheetSeat(5, 8, (5, 5, 5, 5, 5, 4), 0), NOBODY],
            [SheetSeat(5, 8, (5, 5, 5, 5, 5, 5), 0), NOBODY],
        ),
        # of three, and of four
        ("end.sheet", [SheetSeat(5, 6, (5,) * 5, 0), NOBODY, NOBODY], [SheetSeat(5, 7, (5,) * 5, 0), NOBODY, NOBODY]),
        (
            "end.sheet",
            [SheetSeat(5, 5, (5,) * 4, 0), NOBODY, NOBODY, NOBODY],
            [SheetSeat(5, 6, (5,) * 4, 0), NOBODY, NOBODY, NOBODY],
        ),
        # with all thirty buildings nobody need have announced the end
        (
            "end.sheet",
            [SheetSeat(0, 0, (1, 2, 3, 4, 5) * 3, 0), SheetSeat(0, 0, (1, 2, 3, 4, 5) * 2 + (1, 2, 3, 4), 0)],
            [SheetSeat(0, 0, (1, 2, 3, 4, 5) * 3, 0), SheetSeat(0, 0, (1, 2, 3, 4, 5) * 3, 0)],
        ),
        # by its type and by its city a building of cost 5 scores 30 in Livorno, and the end is worth 5
        ("score.sheet-points", [ANNOUNCER, SheetSeat(36, 2, (5,), 0)], [ANNOUNCER, SheetSeat(35, 2, (5,), 0)]),
        # one of the six markers is for the city, so of six buildings of one cost five score by their types
        ("score.sheet-points", [SheetSeat(171, 11, (5,) * 6, 0), NOBODY], [SheetSeat(170, 11, (5,) * 6, 0), NOBODY]),
        # six objects can have been bought, and each building gives two
        ("score.sheet-points", [ANNOUNCER, SheetSeat(0, 9, (5,), 0)], [ANNOUNCER, SheetSeat(0, 8, (5,), 0)]),
        ("score.sheet-points", [ANNOUNCER, SheetSeat(0, 7, (), 0)], [ANNOUNCER, SheetSeat(0, 6, (), 0)]),
        # one of each kind: two pairs need two buildings
        (
            "score.sheet-points",
            [BY_KIND, SheetSeat(0, ("book", "book", "crown", "crown"), (1,), 0)],
            [BY_KIND, SheetSeat(0, ("book", "book", "crown", "crown"), (1, 4), 0)],
        ),
        # by all players together
        (
            "score.sheet-together",
            [ANNOUNCER, SheetSeat(0, 6, (1,), 0), SheetSeat(0, 3, (), 0)],
            [ANNOUNCER, SheetSeat(0, 6, (1,), 0), SheetSeat(0, 2, (), 0)],
        ),
        (
            "score.sheet-kinds",
            [ANNOUNCER, SheetSeat(0, ("book",) * 6, (2, 2, 3), 0)],
            [ANNOUNCER, SheetSeat(0, ("book",) * 5, (2, 2, 3), 0)],
        ),
        # of a type there is one building per cost
        (
            "score.sheet-kinds",
            [ANNOUNCER, SheetSeat(0, ("book",) * 4, (2, 2), 0)],
            [ANNOUNCER, SheetSeat(0, ("book",) * 3, (2, 2), 0)],
        ),
        (
            "score.sheet-kinds",
            [BY_KIND, SheetSeat(0, ("cup",), (), 0), SheetSeat(0, ("cup",), (), 0)],
            [BY_KIND, SheetSeat(0, ("cup",), (), 0), SheetSeat(0, ("book",), (), 0)],
        ),
    ],
)
def test_impossible_sheets_are_refused(rule: str, impossible: list[SheetSeat], possible: list[SheetSeat]) -> None:
    assert rules_against(*possible) == []
    assert rules_against(*impossible) == [rule]


def test_an_unfinished_sheet_is_scored_as_far_as_it_goes() -> None:
    sheet = Scoresheet("carrara", 1, (SheetSeat(points=7, costs=(3, 5)), SheetSeat(objects=2)), unfinished=True)
    judged = GAME.judge_scoresheet(sheet)
    assert not judged.impossible
    assert [finding.pointer for finding in judged.of_finished_game] == [
        "/seats/0/objects",
        "/seats/0/coins",
        "/seats/1/points",
        "/seats/1/costs",
        "/seats/1/coins",
    ]
    scored: Result = GAME.score(sheet)["result"]
    assert [player.total for player in scored.players] == [15, 6]
    # more buildings and objects may still be entered
    whole = (SheetSeat(40, 0, (1,), 0), NOBODY)
    judged = GAME.judge_scoresheet(Scoresheet("carrara", 1, whole, unfinished=True))
    assert not judged.impossible
    assert {finding.rule for finding in judged.of_finished_game} == {"carrara.end.sheet", "carrara.score.sheet-points"}
    # more than the box has cannot be entered
    judged = GAME.judge_scoresheet(Scoresheet("carrara", 1, (SheetSeat(costs=(5,) * 7), SheetSeat()), unfinished=True))
    assert [finding.rule for finding in judged.impossible] == ["carrara.components.costs"]


@pytest.mark.parametrize(
    ("others", "most"),
    [
        ((), 500),  # 3 points for each of the 90 of all costs by the city, for five sixths of them by their types; 5
        (range(1, 6), 455),  # one type less: six scorings are enough for all five types and the city
        ((5,) * 6, 335),
    ],
)
def test_no_buildings_give_more_points_than_all_that_are_left(others: Sequence[int], most: int) -> None:
    other = SheetSeat(costs=tuple(others))
    for points, rules in ((most, []), (most + 1, ["carrara.score.sheet-most"])):
        sheet = Scoresheet("carrara", 1, (SheetSeat(points), other), unfinished=True)
        assert [finding.rule for finding in GAME.judge_scoresheet(sheet).impossible] == rules


@pytest.mark.parametrize(
    ("documents", "rules"),
    [
        ([{"costs": [1] * 6}, {}], []),
        ([{"costs": [1] * 4}, {"costs": [1] * 3}], ["components.costs"]),
        ([{"objects": ["flag"] * 6}, {"objects": 30}], []),
        ([{"objects": ["flag"] * 4}, {"objects": ["flag"] * 3}], ["components.objects"]),
        ([{"objects": 20}, {"objects": 17}], ["components.objects"]),
        ([{"objects": ["flag"] * 7}, {"objects": 30}], ["components.objects", "components.objects"]),
        ([{"blocks": 42}, {"blocks": 0}], []),
        ([{"blocks": 42}, {"blocks": 1}], ["components.blocks"]),
        (
            [{"costs": [5] * 7, "objects": 36, "blocks": 42}, {"objects": 1, "blocks": 1}],
            ["components.costs", "components.objects", "components.blocks"],
        ),
    ],
)
def test_sheets_with_more_than_the_box_are_refused(documents: list[dict[str, Any]], rules: list[str]) -> None:
    seats = [{"points": 0, "objects": 0, "costs": [], "coins": 0, **document} for document in documents]
    sheet = msgspec.convert({"game": "carrara", "schema_version": 1, "seats": seats}, GAME.scoresheet_type)
    found = [finding.rule.removeprefix("carrara.") for finding in GAME.faults_of_scoresheet(sheet)]
    assert [rule for rule in found if rule.startswith("components")] == rules
