"""Tables that no rules allow: what is wrong stays at its place, and the table is counted all the same."""

import csv
import io
import json
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.pages.conftest import Opener
from tests.pages.robot import Robot
from tests.pages.sheets import NAMES, link_to, sheet_of

IN_SIGHT = """(one) => {
  const box = one.getBoundingClientRect();
  const { bottom } = document.querySelector("header").getBoundingClientRect();
  const isSeen = box.height > 0 && box.top > bottom - 1 && box.bottom < innerHeight + 1;
  return isSeen && box.left > -1 && box.right < innerWidth + 1;
}"""
AT_ONCE = """(keys) => {
  for (const key of keys) document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
}"""
"""Types in one go: between two taps a slow browser may get points."""
MARK = "Not possible by the rules"
FIFTEEN = {"floors": 5, "windows": 15, "material": "mixed"}
SINGLE = {"floors": 1, "windows": 1, "material": "one"}


def campanile() -> dict[str, Any]:
    """A table with a token more than the box has."""
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
        "intermezzo": {"type": "tokens", "by_seat": [[4, 1], [2, 2], [3], [3]]},
    }


def palazzo() -> dict[str, Any]:
    """A table whose fifth palace takes more tiles than the box has left; in a low window it is beyond the strip."""
    palaces = [*[FIFTEEN] * 3, SINGLE, FIFTEEN]
    seats = [{"name": "Ada", "palaces": []}, {"name": "Bruno", "palaces": palaces}]
    return {"game": "palazzo", "schema_version": 1, "seats": seats}


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


def pad_of(visit: Opener, sheet: dict[str, Any], **options: Any) -> Robot:
    """The pad with a sheet that came in a link, once it is judged."""
    robot = visit(link_to(sheet), **options)
    robot.tap("Keep and change it here")
    robot.page.wait_for_selector(".pad-part")
    robot.scored()
    return robot


def press_result(robot: Robot) -> None:
    robot.scored()
    robot.press(robot.page.locator("header .button"))


def test_what_is_wrong_with_a_finished_table_stays_until_it_is_right(visit: Opener) -> None:
    """Nobody has to ask for the result first: nothing is left to type in."""
    robot = pad_of(visit, sheet_of("carrara", "last-building-seat-0"))
    robot.tap("Ada, Building costs")
    for _ in range(3):
        robot.tap("Take the last back")
    points = robot.points()
    finding = robot.page.locator(".finding")
    for again in (lambda: press_result(robot), robot.page.reload, lambda: robot.tap("To the first")):
        finding.wait_for()
        assert "The game is not over" in finding.inner_text()
        assert robot.text(".wrong-foot [role=status]") == "1 entry is impossible"
        assert robot.points() == points
        again()
        robot.settle()
        assert finding.evaluate(IN_SIGHT)
    for _ in range(3):
        robot.tap("Undo")
    robot.scored()
    assert robot.page.locator(".finding, .wrong-foot button").count() == 0


def test_a_finding_goes_with_its_entry_and_not_with_another(visit: Opener) -> None:
    """Points of all go on being counted; what is removed is forgotten before the service answers."""
    robot = pad_of(visit, palazzo())
    assert robot.points() == ["–", "79"]
    robot.tap("Ada", role="tab")
    robot.tap("Floors & windows")
    robot.tap("1 floor", exact=True)
    robot.tap_in("Windows and doors", "2")
    assert robot.points() == ["−5", "79"]
    robot.tap("Bruno", role="tab")
    robot.page.route("**/scores", lambda route: None)
    finding = robot.page.locator(".finding")
    assert "Palace 5" in finding.inner_text()
    assert finding.locator(".act").inner_text().split() == ["Change", "Remove", "Rule"]
    robot.tap("Remove", exact=True)
    assert finding.count() == 0
    assert robot.page.locator(".palace:not(.new)").count() == 4
    robot.page.unroute("**/scores")


@pytest.mark.long
@pytest.mark.parametrize(
    "sheet", [palazzo(), campanile(), carrara(), fifth_avenue()], ids=lambda sheet: str(sheet["game"])
)
def test_the_way_to_a_finding_leads_to_it(visit: Opener, sheet: dict[str, Any]) -> None:
    robot = pad_of(visit, sheet)
    robot.page.set_viewport_size({"width": 390, "height": 620})
    finding = robot.page.locator(".finding").first
    for way in ("Result", "To the first", "Change"):
        robot.tap(way)
        if robot.page.locator("dialog").count():
            robot.tap("Score 0", exact=True)
            return
        finding.wait_for()
        assert finding.evaluate(IN_SIGHT)
        for field in robot.page.locator("[aria-describedby^=finding]").all()[:1]:
            assert field.evaluate(IN_SIGHT)


def content(saved: Any) -> str:
    return Path(saved.value.path()).read_bytes().decode()


def test_an_impossible_table_is_counted_all_the_same_and_marked_everywhere(visit: Opener) -> None:
    sheet = palazzo()
    sheet["seats"][0]["palaces"] = [SINGLE]
    robot = pad_of(visit, sheet, permissions=["clipboard-read", "clipboard-write"])
    robot.tap("Count it all the same")
    robot.page.locator(".places").wait_for()
    assert robot.text("h1") == "Bruno wins"
    assert robot.page.locator(".bill").count() == 2
    assert robot.text(".impossible").startswith(f"{MARK}\nBruno, palace 5: ")
    robot.tap("Copy as text")
    robot.page.get_by_text("Copied.", exact=True).wait_for()
    *_, remark, link = robot.page.evaluate("() => navigator.clipboard.readText()").split("\n")
    assert remark == f"{MARK}; counted as typed in."
    play = robot.page.get_by_role("link", name="BG Stats").get_attribute("href")
    assert json.loads(parse_qs(urlsplit(play).query)["data"][0])["comments"] == remark
    for kind in ("CSV", "JSON"):
        robot.tap("Save …", exact=True)
        with robot.page.expect_download() as saved:
            robot.tap(f"Save as {kind}")
        if kind == "CSV":
            rows = list(csv.reader(io.StringIO(content(saved), newline="")))
            assert [MARK, "Bruno, palace 5"] in [[row[0], row[2]] for row in rows]
        else:
            assert {one["pointer"] for one in json.loads(content(saved))["findings"]} >= {"/seats/1/palaces/4"}
    robot.page.emulate_media(media="print")
    assert robot.page.locator(".impossible").is_visible()
    robot.page.emulate_media(media="screen")
    robot.tap("Show it")
    robot.page.locator(".finding").first.wait_for()
    other = visit(link[link.index("/score") :])
    other.page.locator(".places").wait_for()
    assert other.text(".impossible").startswith(MARK)
    assert other.button("Show it").count() == 0


def test_a_number_that_no_scoresheet_can_have_is_not_counted(visit: Opener) -> None:
    """The points are those before, also after a reload; there is nothing to count."""
    robot = visit("/score/carrara")
    robot.sit_down("Ada", "Bruno")
    robot.tap("Ada, Objects")
    robot.tap("2", exact=True)
    robot.scored()
    robot.page.evaluate("() => document.querySelector('score-pad').enter({ type: 'choose', seat: 0, row: 'objects' })")
    robot.page.evaluate(AT_ONCE, ["9", "9"])
    for _ in range(2):
        assert robot.points() == ["6", "–"]
        assert robot.page.locator(".points.stale").count() == 2
        assert robot.page.locator(".finding").count()
        assert robot.button("Count it all the same").count() == 0
        robot.page.reload()
        robot.settle()


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
    robot = pad_of(visit, {**sheet, "seats": [{**first, **hand}, *others]})
    robot.tap("To the first")
    finding = robot.page.locator(".finding").first
    finding.wait_for()
    assert finding.evaluate(IN_SIGHT)
    assert robot.page.evaluate("() => document.activeElement.closest('[aria-describedby^=finding]') !== null")
