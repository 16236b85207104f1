"""The pages over plain http, as a phone reaches a laptop in the same network: browsers withhold what needs https."""

from capomastro import Record
from tests.pages.conftest import Opener
from tests.pages.robot import Robot
from tests.pages.test_play import READY, kept, sat_down
from tests.pages.test_playing import link_to
from tests.pages.test_replay import record_text

WITHHELD = """() => {
  delete Crypto.prototype.randomUUID;
  delete Navigator.prototype.share;
  delete Navigator.prototype.clipboard;
}"""
"""What browsers have only for pages that came over https, or from the same device."""


def over_http(robot: Robot) -> Robot:
    robot.page.evaluate(WITHHELD)
    return robot


def test_a_game_can_be_begun(visit: Opener) -> None:
    first, other = (kept(sat_down(over_http(visit("/play/palazzo")), "Ada", "Bruno", seed="")) for _ in range(2))
    assert first["id"] != other["id"]
    assert first["seed"] != other["seed"]


def test_a_game_goes_on_from_a_link(visit: Opener) -> None:
    robot = over_http(visit("/play/palazzo"))
    link = link_to(Record.from_text(record_text("palazzo", "two-plan")))
    robot.page.evaluate("(link) => { location.hash = `${link}.30`; }", link)
    robot.page.wait_for_function(READY)
    assert len(kept(robot)["record"]["moves"]) >= 30


def test_a_link_to_a_game_is_shown_where_it_cannot_be_copied(visit: Opener, axe: str) -> None:
    robot = sat_down(over_http(visit("/play/palazzo")), "Ada", "Bruno")
    robot.tap("Menu")
    robot.tap("Copy a link to this game")
    shown = robot.page.get_by_role("textbox", name="Copy a link to this game")
    shown.wait_for()
    assert "/play/palazzo?lang=en#n" in shown.input_value()
    assert robot.complaints(axe) == []
