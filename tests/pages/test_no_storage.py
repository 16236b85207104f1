"""Browsers that store nothing, as storage is full or forbidden: everything works, and the page says what it means."""

import pytest

from tests.pages.conftest import Opener
from tests.pages.robot import Robot
from tests.pages.test_play import sat_down
from tests.pages.test_playing import wording

FULL = "() => { Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); }; }"
FORBIDDEN = """() => Object.defineProperty(window, "localStorage", {
  get() { throw new DOMException("not allowed", "SecurityError"); },
})"""


def says_so(robot: Robot, language: str) -> bool:
    return robot.text(".bar.quiet") == wording("", language, "kept.not")


@pytest.mark.parametrize("fault", [FULL, FORBIDDEN], ids=["full", "forbidden"])
def test_a_pad_says_that_nothing_is_kept(visit: Opener, axe: str, fault: str) -> None:
    robot = visit("/score/palazzo", width=360)
    robot.page.evaluate(fault)
    robot.sit_down("Ada", "Bruno")
    robot.tile("brick 1 (1 window)")
    assert robot.points()[0] == "−5"
    assert says_so(robot, "en")
    assert fault == FORBIDDEN or robot.complaints(axe) == []
    assert robot.result(nothing_of="Bruno") == {"Bruno": 0, "Ada": -5}
    assert says_so(robot, "en")


def test_a_game_says_that_it_is_not_kept(visit: Opener) -> None:
    robot = visit("/play/carrara", language="it")
    robot.page.evaluate(FULL)
    robot.page.locator("form.setup [type=submit]").click()
    robot.page.locator("#turn").wait_for()
    assert says_so(robot, "it")


def test_where_all_is_kept_nothing_is_said(visit: Opener) -> None:
    robot = sat_down(visit("/play/carrara"), "Ada", "Bruno")
    assert robot.page.locator(".bar").count() == 0
