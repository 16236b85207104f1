"""The final score, ties, places, and scoring what lies on a table."""

from typing import Any

import msgspec
import pytest

from capomastro.engine.decisions import GameOver
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


def test_with_as_many_blocks_left_the_victory_is_shared() -> None:
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
    assert GAME.final_events(announced)[-1] == events.GameOver("carrara.end.announcement")
    built = table(seat(massa=spread(30)), seat(), stage=GameOver(), active_seat=1, face_up="")
    assert audited(built) == []
    assert GAME.final_events(built)[-1] == events.GameOver("carrara.end.last-building")


# --- scoresheets -----------------------------------------------------------------------------------------------------


def score(*seats: SheetSeat) -> Result:
    sheet = Scoresheet("carrara", 1, seats)
    assert list(GAME.refuse_scoresheet(sheet)) == []
    scored: Result = GAME.score(sheet)["result"]
    return scored


def test_a_scoresheet_by_kind_scores_like_the_state() -> None:
    first = seat("wk", coins=31, points=27, objects="book cup cup", pisa="li3", massa="ca2 vi5")
    second = seat("w", coins=7, points=3, objects="gate")
    sheet = [
        SheetSeat(27, ("book", "cup", "cup"), (2, 3, 5), 31, 2),
        SheetSeat(3, ("gate",), (), 7, 1),
    ]
    assert score(*sheet) == result(first, second)


def test_objects_as_a_number_say_which_check_was_skipped() -> None:
    scored = score(SheetSeat(0, 7, (5,), 4, 0), SheetSeat(0, ("book",), (), 0, 0))
    assert [player.total for player in scored.players] == [21 + 5, 3]
    assert scored.skipped_checks == ("carrara.components.objects",)
    assert "objects" not in as_document(scored.players[0].lines[1])
    by_kind = score(SheetSeat(0, (), (), 0), SheetSeat(0, (), (1,), 0))
    assert by_kind.skipped_checks == ()


def test_missing_blocks_are_reported_only_if_the_tie_is_real() -> None:
    clear = score(SheetSeat(1, 0, (), 0), SheetSeat(0, 0, (), 0))
    assert (clear.winners, clear.missing) == ((0,), ())
    tied = score(SheetSeat(1, 0, (), 0, 3), SheetSeat(1, 0, (), 0))
    assert (tied.winners, tied.undecided) == (None, (0, 1))
    assert [each.seat for each in tied.missing] == [1]


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
            [{"costs": [5] * 7, "objects": 37, "blocks": 43}, {}],
            ["components.costs", "components.objects", "components.blocks"],
        ),
    ],
)
def test_scoresheets_the_box_cannot_give(documents: list[dict[str, Any]], rules: list[str]) -> None:
    seats = [{"points": 0, "objects": 0, "costs": [], "coins": 0, **document} for document in documents]
    sheet = msgspec.convert({"game": "carrara", "schema_version": 1, "seats": seats}, GAME.scoresheet_type)
    assert [finding.rule.removeprefix("carrara.") for finding in GAME.refuse_scoresheet(sheet)] == rules
