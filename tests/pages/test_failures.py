"""What the page to play on says when a request has failed, and for how long."""

from typing import Any

from tests.pages.conftest import Opener
from tests.pages.test_play import sat_down

WRONG = "The game cannot go on from here"


def test_what_went_wrong_is_no_longer_said_once_the_game_goes_on(visit: Opener) -> None:
    robot = sat_down(visit("/play/palazzo"), "Ada", "Bruno", kinds={1: "planning"})
    robot.may_lose_the_service = True
    moves = robot.page.locator(".actions button")

    def broken(route: Any) -> None:
        route.fulfill(status=500, content_type="application/problem+json", body='{"detail": "A bug."}')

    robot.page.route("**/transitions", broken, times=1)
    says = robot.page.locator(".dock [role=alert]")
    before = robot.text("#turn")
    moves.first.click()
    says.wait_for()
    assert says.inner_text().startswith(WRONG)
    moves.first.click()
    robot.page.wait_for_function("(before) => document.querySelector('#turn')?.innerText !== before", arg=before)
    assert not says.count()
