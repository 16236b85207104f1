"""The service stops while somebody types: nothing is lost, the page says so, and continues when it is back."""

import pytest

from capomastro import Record
from tests.pages.conftest import Opener
from tests.pages.robot import Robot
from tests.pages.test_play import READY, TABLE, kept, sat_down
from tests.pages.test_playing import link_to
from tests.pages.test_replay import record_text
from tests.support.serving import served

HELD = "1"
"""Seconds: a service that stops waits for open connections, and the browser keeps one for as long as it may."""


HASTY = """(length) => {
  const realTimeout = setTimeout;
  window.setTimeout = (act, pause, ...given) => {
    if (pause === length) window.setTimeout = realTimeout;
    return realTimeout(act, pause === length ? 0 : pause, ...given);
  };
}"""
"""Once, a time of this length passes at once."""
HALF_A_MINUTE, A_MINUTE = 30_000, 60_000
"""Milliseconds after which a service counts as lost: while somebody types, and everywhere else."""


def type_in(robot: Robot, step: int) -> None:
    robot.tile(("brick 1 (1 window)", "brick 2 (1 window)", "brick 3 (2 windows)")[step])


@pytest.mark.long
@pytest.mark.longest
def test_the_page_survives_a_restart_of_the_service(visit: Opener) -> None:
    with served(CAPOMASTRO_KEEP_ALIVE=HELD) as (address, process):
        robot = visit("/score/palazzo", at=address)
        robot.sit_down("Ada", "Bruno", "Cleo")
        robot.may_lose_the_service = True
        robot.page.route("**/scores", lambda route: None)
        robot.page.evaluate(HASTY, HALF_A_MINUTE)
        type_in(robot, 0)
        robot.page.locator(".bar.quiet", has_text="nothing is lost").wait_for()  # it is silent
        robot.page.unroute_all()
        before = robot.points()
        process.terminate()
        process.wait(30)
        type_in(robot, 1)
        robot.page.locator(".bar.quiet", has_text="nothing is lost").wait_for()
        type_in(robot, 2)
        before_restart = robot.stored()
        assert robot.shown()[0] == before[0]
    with served(PORT=address.rpartition(":")[2], CAPOMASTRO_KEEP_ALIVE=HELD):
        robot.page.evaluate("() => dispatchEvent(new Event('online'))")
        after = robot.points()
        assert after != before
        assert "The connection is back" in robot.text(".bar.quiet")
        robot.page.reload()
        robot.settle()
        assert robot.stored() == before_restart
        assert robot.points() == after


def test_a_link_to_a_game_waits_until_the_service_is_back(visit: Opener) -> None:
    robot = visit("/play/palazzo")
    robot.may_lose_the_service = True
    robot.page.route("**/records", lambda route: None)
    robot.page.evaluate(HASTY, A_MINUTE)
    link = link_to(Record.from_text(record_text("palazzo", "two-plan")))
    robot.page.evaluate("(link) => { location.hash = `${link}.30`; }", link)
    robot.page.wait_for_selector(".bar.quiet")  # it is silent
    assert robot.page.locator(".finding").count() == 0, "nothing is wrong with the link"
    robot.page.unroute_all()
    robot.page.evaluate("() => dispatchEvent(new Event('online'))")
    robot.page.wait_for_function(READY)
    assert len(kept(robot)["record"]["moves"]) >= 30


def test_what_playing_at_a_distance_needs_is_fetched_when_the_service_is_back(visit: Opener) -> None:
    robot = visit("/play/palazzo")
    robot.may_lose_the_service = True
    robot.page.route("**/*", lambda route: route.abort())
    robot.page.locator(".intentions input").last.check()
    robot.page.wait_for_selector(".bar.quiet")
    robot.page.unroute_all()
    robot.page.evaluate("() => dispatchEvent(new Event('online'))")
    robot.page.locator("summary", has_text="Open what was sent to you").wait_for()
    assert robot.page.locator(".bar.quiet").count() == 0


ENDLESS = f"""() => {{
  const realTimeout = setTimeout;
  window.setTimeout = (act, pause, ...given) => (pause === {A_MINUTE} ? 0 : realTimeout(act, pause, ...given));
}}"""
"""No answer is given up, however long it takes."""


def begin_another(robot: Robot) -> None:
    """Begins a new game that leaves a choice: what can be done in one way only, the page does by itself."""
    robot.tap("Menu")
    robot.tap("New game")
    for folded in (".options > summary", ".repeat summary"):
        robot.page.locator(folded).click()
    robot.page.get_by_role("combobox", name="Its number").fill("7")
    robot.tap("Begin")


@pytest.mark.long
@pytest.mark.parametrize("way", ["New game", "Undo"])
def test_a_move_without_an_answer_holds_up_nothing_else(visit: Opener, way: str) -> None:
    robot = sat_down(visit("/play/palazzo"), "Ada", "Bruno", kinds={1: "random"})
    page = robot.page
    page.evaluate(ENDLESS)
    robot.tap("Draw 2 tiles")
    robot.button("Call an auction").wait_for()
    robot.held_back("**/transitions", only_first=True)
    robot.tap("Call an auction")
    page.wait_for_function(f"() => {TABLE}.slow")
    if way == "New game":
        begin_another(robot)
    else:
        robot.tap(way)
    page.wait_for_function(READY)
    robot.tap("Draw 2 tiles")
    robot.button("Call an auction").wait_for()


def test_a_tap_without_an_answer_holds_up_no_tap_in_another_game(visit: Opener) -> None:
    robot = sat_down(visit("/play/palazzo"), "Ada", "Bruno", kinds={1: "random"})
    page = robot.page
    page.evaluate(ENDLESS)
    cards = page.locator(".pieces button")
    robot.tap("Take money")
    page.wait_for_function(READY)
    asked = robot.held_back("**/verdicts", only_first=True)
    cards.nth(0).click()
    cards.nth(1).click()
    page.wait_for_function(f"() => {TABLE}.dock.picks.length === 2")
    cards.nth(1).click()
    begin_another(robot)
    robot.tap("Take money")
    cards.first.click()
    page.locator(".pieces [aria-pressed=true]").wait_for()
    asked[0].continue_()
