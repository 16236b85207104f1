"""A game at a distance in two windows of one browser, or with slow answers: nothing that was done is lost."""

from typing import Any

import pytest

from tests.pages.conftest import Opener
from tests.pages.robot import Robot
from tests.pages.test_distance import TABLE, Player, at_an_agreed_table, at_home

GONE_ON = "Another window of this browser has gone on with this game."


def other_window(player: Player) -> Player:
    """Another window of a player's browser, at the page where the first one is."""
    robot = Robot(player.page.context.new_page())
    robot.page.goto(player.page.url)
    robot.settle()
    other = Player(player.name, robot)
    other.settled()
    return other


def catches_up(late: Player, first: Player) -> None:
    """Demands that a window says that another one has gone on, and offers the same; then closes it."""
    assert late.message().startswith(GONE_ON)
    assert late.offered_text() == first.offered_text()
    late.page.close()


FOLLOW = """() => {
  const link = Object.assign(document.createElement("a"), { href: location.href, target: "_blank", rel: "noopener" });
  document.body.append(link);
  link.click();
}"""
HIDDEN = "Object.defineProperty(document, 'hidden', { get: () => true })"


def test_a_link_goes_on_in_the_tab_that_has_the_table(visit: Opener) -> None:
    """In each that is seen; one that nobody sees, and that a link has opened, goes away."""
    ada, bruno = at_home(visit, "palazzo", "Ada", "Bruno")
    ada.receive(bruno.offered_text())
    ada.tap("I am Ada")
    other = other_window(bruno)
    other.receive(ada.offered_text())
    bruno.page.wait_for_function(f"(record) => {TABLE}.table?.saved.changed === record", arg=other.kept()["changed"])
    assert bruno.offered_text() == other.offered_text()
    ada.receive(bruno.offered_text())
    with ada.page.context.expect_page() as opened:
        ada.page.evaluate(FOLLOW)
    unseen = opened.value
    unseen.wait_for_function(f"() => {TABLE}?.table && !{TABLE}.working")
    unseen.evaluate(HIDDEN)
    with unseen.expect_event("close"):
        ada.move("take-money")


@pytest.mark.long
@pytest.mark.longest
def test_a_game_whose_service_has_lost_its_key_for_a_while_can_be_opened_again(visit: Opener) -> None:
    ada, _ = at_an_agreed_table(visit)
    refused = {"status": 409, "json": {"detail": "This table was not sealed here."}}
    ada.page.route("**/tables/views", lambda route: route.fulfill(**refused))
    ada.page.reload()
    ada.page.get_by_text("The game cannot go on from here").wait_for()
    ada.robot.tap("Menu")
    assert not ada.robot.button("Save the game").count()
    ada.robot.close_dialog()
    ada.robot.tap("Try again")
    ada.page.get_by_text("The game cannot go on from here").wait_for()
    ada.page.unroute("**/tables/views")
    ada.robot.tap("Try again")
    ada.page.locator("#turn").wait_for()
    assert ada.page.evaluate("() => document.activeElement.id") == "turn"
    assert not ada.can("Try again")


NO_PAUSE_ENDS = """{
  const real = setTimeout;
  window.setTimeout = (act, pause, ...given) => (pause >= 1000 ? 0 : real(act, pause, ...given));
}"""
"""The page does not ask again by itself, however long this takes."""


@pytest.mark.long
@pytest.mark.longest
def test_a_service_that_is_away_can_be_asked_at_once(visit: Opener) -> None:
    ada, _ = at_an_agreed_table(visit)
    asked = list[str]()
    ada.robot.may_lose_the_service = True

    def refuse(route: Any) -> None:
        asked.append(route.request.url)
        route.abort()

    ada.page.route("**/v1/**", refuse)
    ada.page.add_init_script(NO_PAUSE_ENDS)
    ada.page.reload()
    ada.page.get_by_text("No connection.").wait_for()
    before = len(asked)
    with ada.page.expect_request("**/v1/**"):
        ada.robot.tap("Try again")
    ada.page.wait_for_function(f"() => {TABLE}.unreachable")
    assert len(asked) == before + 1
    ada.page.unroute("**/v1/**")
    ada.robot.tap("Try again")
    ada.page.locator("#turn").wait_for()
    ada.page.close()


@pytest.mark.long
def test_an_answer_that_comes_late_does_not_take_back_what_another_window_has_done(visit: Opener) -> None:
    ada, _ = at_an_agreed_table(visit)
    late = other_window(ada)
    moves = ada.page.evaluate(f"async () => (await {TABLE}.consult('legal-moves', {{ limit: 2 }})).moves")
    held = late.robot.held_back("**/tables/transitions")
    late.page.evaluate(f"(move) => void {TABLE}.play(move)", moves[0])
    late.page.wait_for_function(f"() => {TABLE}.working")
    ada.page.evaluate(f"(move) => {TABLE}.play(move)", moves[1])
    ada.settled()
    played = ada.kept()["table"]
    held[0].continue_()
    late.settled()
    assert late.kept()["table"] == played
    catches_up(late, ada)


@pytest.mark.long
def test_a_table_that_comes_while_another_window_goes_on_does_not_take_back_what_it_has_done(visit: Opener) -> None:
    ada, bruno = at_home(visit, "palazzo", "Ada", "Bruno")
    ada.receive(bruno.offered_text())
    ada.tap("I am Ada")
    bruno.receive(ada.offered_text())
    joined = bruno.offered_text()
    late = other_window(ada)
    held = late.robot.held_back("**/tables/views")
    late.page.evaluate(f"(text) => void {TABLE}.receive(text)", joined)
    late.page.wait_for_function(f"() => {TABLE}.working")
    ada.receive(joined)
    ada.move("take-money")
    moved = ada.kept()["table"]
    held[0].continue_()
    late.page.unroute("**/tables/views")
    late.settled()
    assert late.kept()["table"] == moved
    late.page.close()


@pytest.mark.long
def test_a_move_that_counts_cannot_be_taken_back(visit: Opener) -> None:
    """Not even while what it leads to is still on its way; a tap that comes too late shows that."""
    ada, _ = at_an_agreed_table(visit)
    before, take_back = ada.kept()["table"], ada.robot.button("Take my move back")
    played, shown = ada.robot.held_back("**/tables/transitions"), ada.robot.held_back("**/replays?*")
    ada.robot.tap("Draw 2 tiles")
    take_back.wait_for()
    with ada.page.expect_request("**/replays?*"):
        played[0].continue_()
    assert ada.kept()["table"] != before
    assert take_back.count() == 0
    ada.page.evaluate(f"() => void {TABLE}.takeBack()")
    ada.page.unroute("**/replays?*")
    for request in shown:
        request.continue_()
    ada.settled()
    assert ada.kept()["table"] != before
    assert ada.page.evaluate(f"() => {TABLE}.seen.steps.at(-1).ply === {TABLE}.table.record().moves.length")
    assert ada.robot.text("#turn") == "Pass the table on to Bruno"


@pytest.mark.long
def test_a_place_is_taken_once_however_often_it_is_tapped(visit: Opener) -> None:
    """No other window has gone on then, and none is said to."""
    ada, bruno = at_home(visit, "palazzo", "Ada", "Bruno")
    ada.receive(bruno.offered_text())
    held = ada.robot.held_back("**/v1/**/tables")
    ada.robot.button("I am Ada").dblclick()
    ada.page.wait_for_function(f"() => {TABLE}.slow")
    ada.page.unroute("**/v1/**/tables")  # what was held goes on
    assert held
    ada.settled()
    assert ada.robot.text("#turn") == "Pass the table on to Bruno"
    assert ada.page.locator("[role=alert]").count() == 0


def test_an_invitation_is_made_once_however_often_it_is_tapped(visit: Opener) -> None:
    """Also while what that needs is still on its way."""
    bruno = Player("Bruno", visit("/play/palazzo"))
    held = bruno.robot.held_back("**/distance-view.js")
    bruno.page.locator(".intentions input").last.check()
    bruno.page.locator(".settings ol input").fill("Ada")
    for _ in range(2):
        bruno.page.locator("form.setup [type=submit]").click()
    held[0].continue_()
    bruno.page.locator(".passing").wait_for()
    bruno.settled()
    assert bruno.kept()["invitation"]["names"][0] == "Ada"
