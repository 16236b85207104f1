"""A table whose result is refused: the way to what is wrong leads to it, whatever way one comes."""

from typing import Any

import pytest

from tests.pages.conftest import Opener
from tests.pages.robot import Robot
from tests.pages.sheets import NAMES, link_to, sheet_of

CANNOT = "This table cannot be like this"
IN_SIGHT = """(one) => {
  const box = one.getBoundingClientRect();
  return box.height > 0 && box.top > -1 && box.bottom < innerHeight + 1;
}"""
LEFT = "() => document.querySelector('score-pad').game.missingFields(document.querySelector('score-pad').table.draft)"


def campanile() -> dict[str, Any]:
    """A table whose tokens the Intermezzo cannot have given."""
    towers = {
        "a": (17, {0: [3], 1: [2, 1]}),
        "b": (14, {2: [2, 2], 3: [1]}),
        "c": (20, {1: [3], 0: [1, 1], 2: [1]}),
        "d": (9, {3: [2]}),
        "e": (14, {3: [3], 2: [3], 1: [1]}),
    }
    sizes = {1: "small", 2: "medium", 3: "large"}
    return {
        "game": "campanile",
        "schema_version": 1,
        "seats": [{"name": name} for name in ("Ada", "Bruno", "Cleo", "Dora")],
        "towers": {
            style: {
                "height": height,
                "rows": [{"seat": seat, "markers": [sizes[one] for one in row]} for seat, row in rows.items()],
            }
            for style, (height, rows) in towers.items()
        },
        "intermezzo": {"type": "tokens", "by_seat": [[4, 1], [2, 2], [3], [1]]},
    }


def carrara() -> dict[str, Any]:
    """A game that has not come to its end: the last three buildings of a player are missing."""
    sheet = sheet_of("carrara", "last-building-seat-0")
    ada, *others = sheet["seats"]
    return {**sheet, "seats": [{**ada, "costs": ada["costs"][:-3]}, *others]}


def fifth_avenue() -> dict[str, Any]:
    """A table with fewer buildings and businesses than there are at the end of a game."""
    lots: dict[str, Any] = {colour: {} for colour in ("orange", "green", "purple", "grey", "brown")}
    streets = ("34th-street", "42nd-street", "52nd-street")
    districts = [f"{street}-{side}" for street in streets for side in ("west", "east")]
    return {
        "game": "fifth-avenue",
        "schema_version": 1,
        "seats": [{"name": name, "score": 10, "central_park": 0} for name in NAMES[:3]],
        "districts": dict.fromkeys([*districts, "times-square"], lots),
        "park_tiles": ["boutique", "gallery", "gallery"],
    }


def press_result(robot: Robot) -> None:
    robot.scored()
    robot.press(robot.page.locator("header .button"))


def test_findings_of_a_finished_table_stay_until_an_entry_changes(visit: Opener) -> None:
    robot = visit(link_to(sheet_of("carrara", "last-building-seat-0")))
    robot.tap("Keep and change it here")
    robot.page.wait_for_selector(".pad-part")
    robot.tap("Ada, Building costs")
    for _ in range(3):
        robot.tap("Take the last back")
    assert robot.points()
    assert robot.page.locator(".finding").count() == 0
    press_result(robot)
    robot.page.get_by_role("heading", name=CANNOT).wait_for()
    robot.tap("To the first")
    finding = robot.page.locator(".pad-part, .table-part").locator(".finding")
    for again in (lambda: press_result(robot), robot.page.reload, lambda: press_result(robot)):
        finding.wait_for()
        assert "The game is not over" in finding.inner_text()
        assert finding.evaluate(IN_SIGHT)
        assert robot.text(".bar.wrong p") == "1 entry is impossible"
        again()
        robot.settle()
    robot.tap("Ada, Building costs")
    robot.tap("building of cost 1")
    robot.scored()
    assert robot.page.locator(".finding, .bar.wrong").count() == 0


@pytest.mark.parametrize("sheet", [campanile(), carrara(), fifth_avenue()], ids=lambda sheet: str(sheet["game"]))
@pytest.mark.parametrize("way", ["kept first", "straight"])
def test_the_way_to_a_finding_leads_to_it(visit: Opener, sheet: dict[str, Any], way: str) -> None:
    """The table came in a link. If it is possible after all, there is a result."""
    robot = visit(link_to(sheet))
    robot.scored()
    robot.page.locator("main.result h1").wait_for()
    if robot.text("main.result h1") != CANNOT:
        robot.page.locator(".places").wait_for()
        return
    robot.tap("Keep and change it here" if way == "kept first" else "To the first")
    robot.page.wait_for_selector(".pad-part")
    assert robot.page.evaluate(LEFT) == []
    robot.scored()
    if way == "kept first":
        robot.tap("To the first")
    finding = robot.page.locator(".finding").first
    finding.wait_for()
    press_result(robot)
    assert finding.evaluate(IN_SIGHT)
    assert robot.stored()["names"] == [seat["name"] for seat in sheet["seats"]]


WRONG_HANDS = (
    ({**sheet_of("fifth-avenue", "win-by-cards")}, {"hand_size": 500}),
    (
        {
            "game": "palazzo",
            "schema_version": 1,
            "seats": [
                {"name": name, "palaces": [{"floors": 3, "windows": 6, "material": "mixed"}]}
                for name in ("Ada", "Bruno")
            ],
        },
        {"hand": ["red-7"] * 4},
    ),
    ({**sheet_of("carrara", "tie-by-blocks")}, {"blocks": 99}),
)


@pytest.mark.parametrize(("sheet", "hand"), WRONG_HANDS, ids=lambda value: str(value.get("game", "")))
def test_what_breaks_a_tie_is_found_where_it_is_asked_for(
    visit: Opener, sheet: dict[str, Any], hand: dict[str, Any]
) -> None:
    """Most pads do not ask for it: only the result does."""
    first, *others = sheet["seats"]
    robot = visit(link_to({**sheet, "seats": [{**first, **hand}, *others]}))
    robot.tap("Keep and change it here")
    robot.page.wait_for_selector(".pad-part")
    robot.scored()
    robot.tap("To the first")
    finding = robot.page.locator(".finding").first
    finding.wait_for()
    assert finding.evaluate(IN_SIGHT)
    assert robot.page.evaluate("() => document.activeElement.closest('[aria-describedby^=finding]') !== null")
