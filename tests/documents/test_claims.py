"""Claimed results beside computed ones."""

from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from msgspec import UNSET

from capomastro.documents import json_text
from capomastro.documents.claims import Claim, compared, compared_claim, compared_totals, faults
from capomastro.engine.results import ClaimedLine
from tests.support.documents import as_document
from tests.support.recorded import few_records, label, replay_of

LINES = [
    {"rule": "game.scoring.rows", "points": 3, "row": 0},
    {"rule": "game.scoring.rows", "points": 4, "row": 1},
    {"rule": "game.scoring.bonus", "points": 1},
]
RESULT: dict[str, Any] = {
    "players": [
        {"seat": 0, "lines": LINES, "total": 8, "place": 1},
        {"seat": 1, "lines": [], "total": 0, "place": 2},
    ],
    "tie_break": [],
    "undecided": [],
    "winners": [0],
}


def wrong(claim: dict[str, Any]) -> list[dict[str, Any]]:
    return wrong_lines(compared(claim, RESULT))


def wrong_totals(totals: list[int]) -> list[dict[str, Any]]:
    return wrong_lines(compared_totals(totals, RESULT))


def wrong_lines(lines: list[ClaimedLine]) -> list[dict[str, Any]]:
    """The lines that are wrong."""
    return [{**as_document(line), "matches": None} for line in lines if not line.matches]


def line(what: str, claimed: Any, computed: Any, **seat: int) -> dict[str, Any]:
    return {**seat, "what": what, "claimed": claimed, "computed": computed, "matches": None}


def with_lines(*lines: Any, **members: Any) -> dict[str, Any]:
    claim = deepcopy(RESULT)
    claim["players"][0] |= {"lines": list(lines), **members}
    return claim


@pytest.mark.parametrize("file", few_records(), ids=label)
def test_a_recorded_result_matches_line_by_line(file: Path) -> None:
    replay = replay_of(file)
    lines = compared(replay.document["result"], as_document(replay.result))
    assert all(one.matches for one in lines)
    scored = sum(len(player["lines"]) for player in replay.document["result"]["players"])
    assert sum(one.what == "line" for one in lines) == scored
    assert [one.what for one in lines if one.seat is UNSET][:2] == ["tie_break", "undecided"]


def test_totals_are_compared_seat_by_seat() -> None:
    assert wrong_totals([8, 0]) == []
    assert wrong_totals([8, 1]) == [line("total", 1, 0, seat=1)]
    assert wrong_totals([8]) == [line("total", None, 0, seat=1)]
    assert wrong_totals([8, 0, 5]) == [line("total", 5, None, seat=2)]


@pytest.mark.parametrize(
    "claim",
    [
        {**RESULT, "x" * 30_000: 1},
        {**RESULT, "unknown": "x" * 30_000},
        {**RESULT, "unknown": {"x": "x" * 30_000}},
        {**RESULT, "tie_break": ["x"] * 10_000},
        {**RESULT, **{f"unknown {number}": "x" for number in range(10_000)}},
        with_lines({**LINES[0], "x" * 30_000: 1}),
        with_lines({**LINES[0], "rule": "x" * 30_000}),
        with_lines(*LINES, **{f"unknown {number}": "x" for number in range(10_000)}),
    ],
    ids=lambda _: "",
)
def test_what_no_result_has_is_not_repeated_whole(claim: dict[str, Any]) -> None:
    found = compared(claim, RESULT)
    assert not all(one.matches for one in found)
    assert len(json_text.encode(found)) < 30_000


def test_lines_in_another_order_are_the_same_lines() -> None:
    assert wrong(with_lines(*reversed(LINES))) == []


def test_lines_that_differ_in_points_are_paired() -> None:
    claimed = {**LINES[1], "points": 5}
    found = wrong(with_lines(LINES[2], claimed, LINES[0], total=9))
    assert found == [line("line", claimed, LINES[1], seat=0), line("total", 9, 8, seat=0)]


def test_lines_of_the_same_rule_are_paired() -> None:
    claimed = {**LINES[0], "row": 7, "points": 2}
    assert wrong(with_lines(claimed, *LINES[1:])) == [line("line", claimed, LINES[0], seat=0)]


def test_missing_and_surplus_lines_have_no_partner() -> None:
    surplus = {"rule": "game.scoring.other", "points": 9}
    assert wrong(with_lines(*LINES[:2])) == [line("line", None, LINES[2], seat=0)]
    assert wrong(with_lines(*LINES, surplus)) == [line("line", surplus, None, seat=0)]
    assert wrong(with_lines(LINES[0], *LINES)) == [line("line", LINES[0], None, seat=0)]


def test_places_winners_and_other_claims_are_compared() -> None:
    claim = with_lines(*LINES, place=2) | {"winners": [1]}
    assert wrong(claim) == [line("place", 2, 1, seat=0), line("winners", [1], [0])]
    assert wrong({**RESULT, "missing": [], "skipped_checks": [], "assumptions": []}) == []
    assert wrong({**RESULT, "missing": [{"seat": 0, "missing": ["hand"]}]}) == [
        line("missing", [{"seat": 0, "missing": ["hand"]}], None)
    ]


def test_only_claims_are_compared() -> None:
    claim = {name: value for name, value in RESULT.items() if name != "winners"}
    assert wrong(claim) == []
    assert all(one.what != "winners" for one in compared(claim, RESULT))


def test_players_listed_by_place_are_read_by_seat() -> None:
    by_place = {**RESULT, "players": RESULT["players"][::-1], "winners": [1, 0]}
    assert wrong_lines(compared(by_place, {**RESULT, "winners": [0, 1]})) == []
    by_place["players"] = [{**RESULT["players"][1], "total": 3}, RESULT["players"][0]]
    assert wrong({**by_place, "winners": [0]}) == [line("total", 3, 0, seat=1)]


def test_too_few_players_do_not_match() -> None:
    assert line("total", None, 0, seat=1) in wrong({**RESULT, "players": RESULT["players"][:1]})


def test_comparisons_and_their_seats_are_listed_in_any_order() -> None:
    first, second = ({"rule": rule, "seats": [0, 1], "values": [5, value]} for rule, value in (("a", 5), ("b", 3)))
    computed = {**RESULT, "tie_break": [first, second]}
    turned = {"rule": "b", "seats": [1, 0], "values": [3, 5]}
    assert wrong_lines(compared_claim(Claim({**RESULT, "tie_break": [turned, first]}, None), computed)) == []
    wrong = {"rule": "b", "seats": [1, 0], "values": [5, 3]}
    (found,) = wrong_lines(compared_claim(Claim({**RESULT, "tie_break": [first, wrong]}, None), computed))
    assert found == line("tie_break", [first, {**second, "values": [3, 5]}], [first, second])


def test_comparisons_of_a_view_are_listed_in_any_order() -> None:
    claim = with_tie((1, 2), 9, 5, winners=[0])
    claim["tie_break"] = [{"rule": "game.scoring.tie", "seats": [1, 0], "values": [5, 9]}]
    assert wrong_lines(compared_claim(Claim(claim, None), UNSEEN)) == []


# --- what a view leaves open -----------------------------------------------------------------------------------------


def tie(*values: int | None) -> list[dict[str, Any]]:
    return [{"rule": "game.scoring.tie", "seats": [0, 1], "values": list(values)}]


def with_tie(places: tuple[int | None, int | None], *values: int | None, **members: Any) -> dict[str, Any]:
    """A result of two with equal totals, and a third behind them."""
    players: list[dict[str, Any]] = [
        *({"seat": seat, "lines": [], "total": 8, "place": place} for seat, place in enumerate(places)),
        {"seat": 2, "lines": [], "total": 3, "place": 3},
    ]
    undecided = [seat for seat, place in enumerate(places) if place is None]
    return {"players": players, "tie_break": tie(*values), "undecided": undecided, **members}


UNSEEN = with_tie((None, None), None, None, missing=[{"seat": seat, "missing": ["hand"]} for seat in range(2)])
HALF_SEEN = with_tie((None, None), 5, None, missing=[{"seat": 1, "missing": ["hand"]}])
SEEN_TO_LEAD = with_tie((1, 2), 50, None, winners=[0])


@pytest.mark.parametrize("computed", [UNSEEN, HALF_SEEN])
@pytest.mark.parametrize(
    "claim",
    [
        with_tie((2, 1), 5, 9, winners=[1]),
        with_tie((1, 2), 5, 3, winners=[0]),
        with_tie((1, 1), 5, 5, winners=[1, 0]),
        HALF_SEEN,
    ],
)
def test_what_a_view_leaves_open_contradicts_nothing(claim: dict[str, Any], computed: dict[str, Any]) -> None:
    found = compared(claim, computed)
    assert wrong_lines(found) == []
    assert [one.computed for one in found if one.what == "tie_break"] == [computed["tie_break"]]


def test_what_a_view_leaves_open_excuses_no_contradiction() -> None:
    assert wrong_lines(compared(with_tie((1, 2), 5, 9, winners=[0]), UNSEEN)) == [
        line("place", 1, None, seat=0),
        line("place", 2, None, seat=1),
        line("winners", [0], None),
    ]
    assert line("winners", [0, 1], None) in wrong_lines(compared(with_tie((1, 2), 9, 5, winners=[0, 1]), UNSEEN))
    assert line("tie_break", tie(6, 3), tie(5, None)) in wrong_lines(compared(with_tie((1, 2), 6, 3), HALF_SEEN))
    assert wrong_lines(compared(with_tie((1, 2), 50, 40, winners=[0]), SEEN_TO_LEAD)) == []
    assert wrong_lines(compared(with_tie((1, 2), 50, 60, winners=[0]), SEEN_TO_LEAD)) == [
        line("tie_break", tie(50, 60), tie(50, None))
    ]
    assert line("total", 9, 8, seat=0) in wrong_lines(
        compared(with_tie((1, 2), 9, 5) | {"players": [{"seat": 0, "lines": [], "total": 9, "place": 1}]}, UNSEEN)
    )


# --- claims about other numbers of players ---------------------------------------------------------------------------


def faulty(**claim: Any) -> list[tuple[str, str]]:
    """The faults of a claim about two players."""
    return [(fault.pointer, fault.message) for fault in faults({"players": 2, **claim})]


def with_result(**members: Any) -> list[tuple[str, str]]:
    return faulty(result={**RESULT, **members})


def test_a_claim_about_the_players_has_no_fault() -> None:
    assert faulty() == faulty(totals=[8, 0]) == with_result() == with_result(winners=[1, 0], undecided=[]) == []


def test_a_total_for_each_player_is_needed() -> None:
    """A decimal comma makes three of two: `totals: 12,5, 8`."""
    assert faulty(totals=[12, 5, 8]) == [("/totals", "has 3 items, 2 needed, one for each player")]
    three = [*RESULT["players"], {"seat": 1, "lines": [], "total": 0, "place": 3}]
    assert with_result(players=three) == [
        ("/result/players", "has 3 items, 2 needed, one for each player"),
        ("/result/players/2/seat", "1 is there twice"),
        ("/result/players/2/place", "3 is more than 2"),
    ]


def test_seats_of_a_claim_exist_and_are_different() -> None:
    assert with_result(winners=[0, 1, 2]) == [("/result/winners/2", "2 is more than 1, the last seat")]
    assert with_result(winners=[0, 1, 1]) == [("/result/winners/2", "1 is there twice")]
    assert with_result(undecided=[4]) == [("/result/undecided/0", "4 is more than 1, the last seat")]
    missing = [{"seat": 3, "missing": ["hand"]}]
    assert with_result(missing=missing) == [("/result/missing/0/seat", "3 is more than 1, the last seat")]


def test_comparisons_of_a_claim_have_a_value_for_each_of_their_seats() -> None:
    compared_seats = {"rule": "game.scoring.tie", "seats": [0, 2], "values": [9, 15, 3]}
    assert with_result(tie_break=[compared_seats]) == [
        ("/result/tie_break/0/seats/1", "2 is more than 1, the last seat"),
        ("/result/tie_break/0/values", "has 3 items, 2 needed, one for each player"),
    ]
