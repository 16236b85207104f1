"""What is on the screen while the service answers: a position with its own question, and nobody else's."""

from typing import Any

import pytest

from tests.pages.conftest import Opener
from tests.pages.test_play import PLAY_ON, READY, TABLE, sat_down
from tests.pages.test_playing import wording

LOOK_AT_EVERY_MOMENT = """() => {
  const page = document.querySelector("game-table");
  const { ask } = page;
  window.looks = [];
  const look = () => {
    page.show();
    window.looks.push({
      title: page.querySelector("#turn")?.textContent ?? "",
      asks: page.needsHandOver ? "hand over" : page.choices.length ? "move" : "",
      buttons: [...page.querySelectorAll(".ways button")].map((one) => one.textContent),
      viewer: page.viewer ?? null,
      fits: page.choices.every(({ move }) => move.seat === page.shown.decision.seat),
    });
  };
  page.ask = async (...question) => {
    look();
    const answer = await ask(...question);
    look();
    return answer;
  };
}"""
"""Shows the page before and after every request, as a slow connection does."""


@pytest.mark.parametrize("game", ["palazzo", "fifth-avenue"])
def test_alone_against_the_computer_nothing_is_handed_over(visit: Opener, game: str) -> None:
    robot = visit(f"/play/{game}")
    robot.page.evaluate(LOOK_AT_EVERY_MOMENT)
    sat_down(robot, "Ada", "Bruno", kinds={1: "random"})
    robot.page.evaluate(PLAY_ON, [12, 3])
    robot.page.wait_for_function(READY)
    looks = robot.page.evaluate("() => window.looks")
    assert looks
    assert [one for one in looks if one["asks"] == "hand over" or "I am Bruno" in one["buttons"]] == []
    assert [one["title"] for one in looks if not one["fits"] or one["title"].startswith("Bruno")] == []


@pytest.mark.parametrize("game", ["palazzo", "campanile"])
def test_while_the_device_is_passed_on_nobody_is_asked_and_no_hand_is_shown(visit: Opener, game: str) -> None:
    robot = visit(f"/play/{game}")
    robot.page.evaluate(LOOK_AT_EVERY_MOMENT)
    sat_down(robot, "Ada", "Bruno")
    robot.page.evaluate(PLAY_ON, [8, 3])
    robot.page.wait_for_function(READY)
    robot.page.locator("header").get_by_role("button", name="Undo").click()
    robot.page.wait_for_function(READY)
    looks = robot.page.evaluate("() => window.looks")
    passed = [one for one in looks if one["asks"] == "hand over"]
    assert passed
    assert {one["viewer"] for one in passed} == {None}
    assert [one["title"] for one in looks if not one["fits"]] == []


def test_the_computer_is_said_to_think_and_the_picture_stays(visit: Opener) -> None:
    robot = visit("/play/carrara", language="de")
    page = robot.page
    sat_down(robot, "Ada", "Bruno", kinds={1: "random"})
    held = list[Any]()

    def hold_the_first(route: Any) -> None:
        if held:
            route.continue_()
        else:
            held.append(route)

    page.route("**/suggestions", hold_the_first)
    while not page.evaluate(f"() => {TABLE}.thinking()"):
        page.evaluate(f"() => void {TABLE}.play({TABLE}.seen.moves.at(-1))")
        page.wait_for_function(f"() => {TABLE}.thinking() || ({READY})()")
    said = wording("play", "de", "play.thinking").replace("{name}", page.evaluate(f"() => {TABLE}.thinking()"))
    page.get_by_text(said).wait_for()
    assert page.locator(".ways button.main").count() == 0
    held[0].continue_()
    page.wait_for_function(READY)
    assert page.get_by_text(said).count() == 0
