"""The service stops while somebody types: nothing is lost, the page says so, and continues when it is back."""

from collections.abc import Callable

import pytest

from capomastro import Record
from tests.pages.conftest import Opener
from tests.pages.robot import Robot
from tests.pages.test_play import READY, kept
from tests.pages.test_playing import link_to
from tests.pages.test_replay import record_text
from tests.pages.test_tables import digits
from tests.support.serving import served


def type_palazzo(robot: Robot, step: int) -> None:
    robot.tile(("brick 1 (1 window)", "brick 2 (1 window)", "brick 3 (2 windows)")[step])


def type_campanile(robot: Robot, step: int) -> None:
    if step == 0:
        for style, height in zip("abcde", (5, 4, 3, 2, 1), strict=True):
            robot.tap_in(f"Tower {style.upper()}, height", str(height))
    robot.tap(f"{('Ada', 'Bruno', 'Cleo')[step]}, small marker under tower a")


def type_carrara(robot: Robot, step: int) -> None:
    digits(robot, (1, 2, 3)[step])


def type_fifth_avenue(robot: Robot, step: int) -> None:
    if step == 0:
        robot.tap("Ada: 2 building")
    else:
        robot.tap_in("What lies on the lot", ("", "gallery", "jeweller")[step])


GAMES: dict[str, Callable[[Robot, int], None]] = {
    "palazzo": type_palazzo,
    "campanile": type_campanile,
    "carrara": type_carrara,
    "fifth-avenue": type_fifth_avenue,
}
HELD = "1"
"""Seconds: a service that stops waits for open connections, and the browser keeps one for as long as it may."""


@pytest.mark.parametrize("game", GAMES)
def test_the_page_survives_a_restart_of_the_service(visit: Opener, game: str) -> None:
    type_in = GAMES[game]
    with served(CAPOMASTRO_KEEP_ALIVE=HELD) as (address, process):
        robot = visit(f"/score/{game}", at=address)
        robot.sit_down("Ada", "Bruno", "Cleo")
        type_in(robot, 0)
        before = robot.points()
        robot.may_lose_the_service = True
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
    robot.page.route("**/records", lambda route: route.abort())
    link = link_to(Record.from_text(record_text("palazzo", "two-plan")))
    robot.page.evaluate("(link) => { location.hash = `${link}.30`; }", link)
    robot.page.wait_for_selector(".bar.quiet")
    assert robot.page.locator(".finding").count() == 0, "nothing is wrong with the link"
    robot.page.unroute_all()
    robot.page.evaluate("() => dispatchEvent(new Event('online'))")
    robot.page.wait_for_function(READY)
    assert len(kept(robot)["record"]["moves"]) >= 30


def test_what_playing_at_a_distance_needs_is_fetched_when_the_service_is_back(visit: Opener) -> None:
    with served(CAPOMASTRO_KEEP_ALIVE=HELD) as (address, process):
        robot = visit("/play/palazzo", at=address)
        robot.may_lose_the_service = True
        process.terminate()
        process.wait(30)
        robot.tap("Play at a distance")
        robot.page.wait_for_selector(".bar.quiet")
    with served(PORT=address.rpartition(":")[2], CAPOMASTRO_KEEP_ALIVE=HELD):
        robot.page.evaluate("() => dispatchEvent(new Event('online'))")
        robot.page.get_by_role("button", name="Invite the others").wait_for()
        assert robot.page.locator(".bar.quiet").count() == 0
