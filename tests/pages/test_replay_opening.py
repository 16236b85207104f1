"""What the viewer shows first: names for players without any, and the mistake where there is one."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from capomastro import pages
from tests.pages.conftest import Opener
from tests.pages.robot import Robot

RECORDS = Path(__file__).resolve().parents[2] / "conformance"
VIEWER = "document.querySelector('replay-viewer')"
DRAWN = f"() => {VIEWER}.pictures?.known.has({VIEWER}.at)"
DRAWING = "(picture) => picture.shadowRoot.textContent"
SEATS = re.compile(r"(?:seat|sitz|posto|asiento) \d", re.IGNORECASE)
IN_SIGHT = """(one) => {
  const [own, shown] = [one.getBoundingClientRect(), one.closest('move-list').getBoundingClientRect()];
  return own.top >= shown.top - 1 && own.bottom <= shown.bottom + 1;
}"""


def unnamed(game: str, name: str = "three-plan") -> dict[str, Any]:
    record: dict[str, Any] = json.loads((RECORDS / game / "records" / f"{name}.json").read_text("utf-8"))
    assert "names" not in record
    return record


def out_of_turn(record: dict[str, Any]) -> dict[str, Any]:
    """The game of Palazzo without move 61: the next player's move comes too early."""
    return {**record, "moves": [*record["moves"][:60], *record["moves"][61:]]}


def opened(robot: Robot, record: dict[str, Any]) -> Robot:
    robot.page.locator("#typed").fill(json.dumps(record))
    robot.page.locator(".opening button[type=submit]").click()
    robot.page.locator(".viewer").wait_for()
    robot.page.wait_for_function(DRAWN)
    return robot


@pytest.mark.parametrize("language", pages.LANGUAGES)
def test_players_without_names_are_called_the_same_everywhere(visit: Opener, language: str) -> None:
    player = json.loads((pages.FILES / "words" / f"replay.{language}.json").read_text("utf-8"))["replay.player"]
    names = [player.replace("{number}", str(seat + 1)) for seat in range(3)]
    robot = opened(visit("/replay", language=language), out_of_turn(unnamed("palazzo")))
    for place in ("move-list", ".steer .now", ".legend", ".slip-card", ".slip-card .near"):
        assert any(name in robot.page.locator(place).text_content() for name in names), place
    drawn = robot.page.locator("game-picture").evaluate(DRAWING)
    assert [name for name in names if name not in drawn] == []
    assert SEATS.findall(robot.page.locator("main").text_content() + drawn) == []


def test_the_choices_and_the_repaired_game_name_the_players_too(visit: Opener) -> None:
    robot = opened(visit("/replay"), out_of_turn(unnamed("palazzo")))
    robot.tap("What can be played here?")
    robot.page.locator(".happening .near button").first.wait_for()
    assert robot.text(".happening .near button").startswith("Player ")
    robot.tap("Leave it out")
    robot.page.get_by_text("The record, mended").wait_for()
    assert SEATS.findall(robot.page.locator("main").text_content()) == []
    robot.tap("Back to the record")
    robot.page.get_by_label("Seen by").select_option("a spectator")
    robot.page.wait_for_function(f"() => {VIEWER}.seat === null && {VIEWER}.pictures.known.has(60)")
    assert SEATS.findall(robot.page.locator("main").text_content()) == []


def test_what_is_taken_away_has_no_names_that_nobody_gave(visit: Opener) -> None:
    record = unnamed("palazzo", "nothing-to-sell")
    robot = opened(visit("/replay"), record)
    robot.page.wait_for_function(f"() => {VIEWER}.link")
    assert "names" not in robot.page.evaluate(f"() => {VIEWER}.notation")
    robot.tap("Menu")
    with robot.page.expect_download() as kept:
        robot.tap("Save as JSON")
    assert json.loads(Path(kept.value.path()).read_text("utf-8")) == record


@pytest.mark.parametrize("width", [390, 1280])
def test_a_game_with_a_mistake_opens_at_the_mistake(visit: Opener, width: int) -> None:
    robot = opened(visit("/replay", width=width), out_of_turn(unnamed("palazzo")))
    assert robot.page.evaluate(f"() => {VIEWER}.at") == 60
    assert robot.page.get_by_role("slider").input_value() == "60"
    assert robot.text(".steer .now").startswith("Move 60 of 60.")
    assert robot.page.locator("move-list [aria-current=step] .ply").text_content() == "60"
    wrong = robot.page.locator("move-list .turns > :last-child.wrong")
    assert wrong.locator(".ply").text_content() == "61"
    assert wrong.evaluate(IN_SIGHT)
    assert robot.page.evaluate("() => scrollY") == 0
    robot.page.locator("move-list").scroll_into_view_if_needed()
    robot.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert wrong.evaluate(IN_SIGHT)


def test_a_link_to_a_position_opens_there_even_if_there_is_a_mistake(visit: Opener) -> None:
    robot = opened(visit("/replay"), out_of_turn(unnamed("palazzo")))
    robot.page.wait_for_function("() => location.hash.endsWith('.60')")
    link = robot.page.url
    other = visit(link[link.index("/replay") : -len("60")] + "7")
    other.page.locator(".viewer").wait_for()
    assert other.page.evaluate(f"() => {VIEWER}.at") == 7
    third = visit(link[link.index("/replay") : -len(".60")])
    third.page.locator(".viewer").wait_for()
    assert third.page.evaluate(f"() => {VIEWER}.at") == 60


def test_lines_of_a_record_end_with_a_line_feed_and_nothing_else(visit: Opener) -> None:
    """The comment is one line: the game is not the one that it names."""
    robot = visit("/replay")
    robot.page.locator("#typed").fill("# once\u2028game: chess\x85game: go\n\ngame: carrara\nplayers: 2\n")
    robot.page.locator(".opening button[type=submit]").click()
    robot.page.locator(".viewer, .opening [role=alert]").wait_for()
    assert "Carrara" in robot.text("h1")


def test_a_game_without_a_mistake_opens_at_its_beginning(visit: Opener) -> None:
    robot = opened(visit("/replay"), unnamed("palazzo", "nothing-to-sell"))
    assert robot.page.evaluate(f"() => {VIEWER}.at") == 0
