"""Parts of the viewer: an example to begin with, the buttons of the chart, text while the layout changes, paper."""

import json
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from capomastro import pages
from tests.pages.conftest import Opener
from tests.pages.test_play import sat_down
from tests.pages.test_replay import DRAWN, NAMES, VIEWER, go, opened, recorded, shown, with_slip, words

RECORDED = Path(__file__).resolve().parents[2] / "conformance" / "campanile" / "records" / "two-plan.json"
BOXES = """(all) => all.map((one) => {
  const { x, y, width, height } = one.getBoundingClientRect();
  return [x, y, width, height];
})"""


@pytest.mark.parametrize("language", ["en", "de"])
def test_an_example_is_shown_for_whoever_has_no_record(visit: Opener, language: str) -> None:
    robot = visit("/replay", language=language)
    robot.tap(words(language)["replay.example"])
    shown(robot)
    assert robot.text(".verdict b") == words(language)["replay.verdict.legal"]
    assert [name for name in NAMES[:2] if name not in robot.text(".legend")] == []


def test_the_example_is_a_game_of_the_kit() -> None:
    example: dict[str, Any] = json.loads(pages.files()["replay/example.json"].content)
    kit: dict[str, Any] = json.loads(RECORDED.read_text("utf-8"))
    own = {"id": "example", "names": NAMES[:2]}
    assert example == {**{key: value for key, value in kit.items() if key != "tags"}, **own}


@pytest.mark.parametrize("width", [320, 1280])
@pytest.mark.parametrize(("game", "name"), [("carrara", "three-plan"), ("campanile", "five-plan")])
def test_points_of_the_chart_can_be_hit(visit: Opener, game: str, name: str, width: int) -> None:
    robot = opened(visit("/replay", width=width), recorded(game, name))
    boxes = robot.page.locator(".plot .points button").evaluate_all(BOXES)
    assert boxes
    for x, _, wide, high in boxes:
        assert (wide, high) == (44, 44)
        assert x >= 0
    for one, other in combinations(boxes, 2):
        assert abs(one[0] - other[0]) >= 43.5 or abs(one[1] - other[1]) >= 43.5
    assert robot.sideways() <= 0


READABLE = """(name) => [...document.querySelector(name).shadowRoot.querySelectorAll("text")].every(
  (one) => parseFloat(getComputedStyle(one).fontSize) * one.getScreenCTM().a >= 8)"""
"""Whether the smallest letters of a picture are at least 8 pixels high on the screen."""


def test_letters_of_the_picture_can_be_read_at_every_width(visit: Opener) -> None:
    for name, robot in (
        ("game-picture", opened(visit("/replay"), recorded("campanile"))),
        ("game-board", sat_down(visit("/play/campanile"), "Ada", "Bruno")),
    ):
        for width in (320, 390, 700, 768, 900, 1024, 1279, 1280):
            robot.page.set_viewport_size({"width": width, "height": 844})
            robot.page.wait_for_function(READABLE, arg=name)  # another layout is another picture
            assert robot.sideways() <= 0, width


def test_text_stays_while_the_layout_changes(visit: Opener) -> None:
    robot = opened(visit("/replay"), recorded("palazzo"))
    go(robot, 40)
    robot.tap("Text", exact=True)
    before = robot.text(".in-words")
    robot.page.route("**/pictures", lambda route: None)
    robot.page.set_viewport_size({"width": 1280, "height": 800})
    robot.page.wait_for_function(f"() => {VIEWER}.pictures.layout === 'wide'")
    assert robot.text(".in-words") == before


def test_another_layout_gets_its_own_picture(visit: Opener) -> None:
    robot = opened(visit("/replay"), recorded("palazzo"))
    go(robot, 40)
    ratio = "(one) => one.shadowRoot.querySelector('svg').viewBox.baseVal.width"
    narrow = robot.page.locator("game-picture").evaluate(ratio)
    with robot.page.expect_response("**/pictures"):
        robot.page.set_viewport_size({"width": 1280, "height": 800})
    robot.page.wait_for_function(DRAWN)
    robot.page.wait_for_function(
        f"(narrow) => ({ratio})(document.querySelector('game-picture')) !== narrow", arg=narrow
    )


@pytest.mark.parametrize("language", ["it", "de"])
def test_a_legal_move_can_be_tried_with_a_label_in_one_line(visit: Opener, language: str) -> None:
    robot = visit("/replay", language=language)
    robot.page.locator("#typed").fill(json.dumps(with_slip(recorded("palazzo"))[0]))
    robot.page.locator(".opening button[type=submit]").click()
    shown(robot)
    labels = robot.page.locator(".slip-card .near .small")
    heights = labels.evaluate_all("(all) => all.map((one) => one.getBoundingClientRect().height)")
    assert heights
    assert max(heights) < 30


def test_the_sentence_stands_above_the_slider_without_a_gap(visit: Opener) -> None:
    robot = opened(visit("/replay", width=1280), recorded("palazzo"))
    gap = robot.page.evaluate(
        """() => {
          const range = document.createRange();
          range.selectNodeContents(document.querySelector(".steer .now"));
          const slider = document.querySelector(".steer input").getBoundingClientRect();
          return slider.top + slider.height / 2 - range.getBoundingClientRect().bottom;
        }"""
    )
    assert gap < 24


def test_paper_has_no_buttons_of_the_viewer(visit: Opener) -> None:
    robot = opened(visit("/replay"), with_slip(recorded("palazzo"))[0])
    robot.page.wait_for_function(f"() => {VIEWER}.link")
    robot.page.get_by_role("link", name="Play on from here").wait_for()
    robot.page.emulate_media(media="print")
    visible = "(all) => all.filter((one) => one.checkVisibility()).map((one) => one.innerText.trim()).filter(Boolean)"
    shown_buttons = robot.page.locator("main :is(button, .button)").evaluate_all(visible)
    nearest = robot.page.locator(".slip-card .near button").evaluate_all(visible)
    assert shown_buttons == nearest
    assert "Try it" not in "".join(nearest)


def test_moves_are_counted_from_1(visit: Opener) -> None:
    robot = visit("/replay")
    robot.tap("Show an example")
    robot.page.locator(".steer").wait_for()
    robot.tap("To the start")
    assert robot.text(".steer .now").startswith("Before the first move. ")
    assert robot.text("#happening") == "Before the first move"
    robot.tap("One move on")
    assert robot.text(".steer .now").startswith("Move 1 of ")
    assert robot.text("#happening") == "What move 1 did"


def test_a_list_that_its_reader_has_scrolled_stays_when_the_page_is_shown_anew(visit: Opener) -> None:
    robot = opened(visit("/replay", width=1280), recorded("campanile"))
    go(robot, 5)
    before, after = robot.page.evaluate(
        "() => { const list = document.querySelector('move-list'); list.scrollTop = list.scrollHeight;"
        f" const before = list.scrollTop; {VIEWER}.update(); return [before, list.scrollTop]; }}"
    )
    assert before == after > 1000
