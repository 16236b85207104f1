"""A game at a distance in two windows of one browser: neither loses what was done in the other one."""

from tests.pages.conftest import Opener
from tests.pages.robot import Robot
from tests.pages.test_distance import Player, at_home

GONE_ON = "Another window of this browser has gone on with this game."


def other_window(player: Player) -> Player:
    """Another window of a player's browser, at the page where the first one is."""
    robot = Robot(player.page.context.new_page())
    robot.page.goto(player.page.url)
    robot.settle()
    other = Player(player.name, robot)
    other.settled()
    return other


def test_a_place_that_another_window_has_taken_keeps_its_secret(visit: Opener) -> None:
    """The lock may be with the others already: with another secret the player could never join."""
    ada, bruno = at_home(visit, "palazzo", "Ada", "Bruno")
    late = other_window(bruno)
    ada.tap("Ada")
    invitation = ada.offered_text()
    for window in (bruno, late):
        window.receive(invitation)
    bruno.tap("Bruno")
    taken = bruno.kept()
    late.tap("Bruno")
    assert late.kept() == taken
    assert late.message().startswith(GONE_ON)
    assert late.offered_text() == bruno.offered_text()
    late.page.close()


def test_a_window_that_still_offers_to_create_the_table_does_not_take_back_what_was_done_at_it(visit: Opener) -> None:
    ada, bruno = at_home(visit, "palazzo", "Ada", "Bruno")
    ada.tap("Ada")
    bruno.receive(ada.offered_text())
    bruno.tap("Bruno")
    ada.receive(bruno.offered_text())
    late = other_window(ada)
    ada.tap("Create the table")
    ada.tap("Join")
    joined = ada.kept()["table"]
    late.tap("Create the table")
    assert late.kept()["table"] == joined
    assert late.message().startswith(GONE_ON)
    assert late.offered_text() == ada.offered_text()
    late.page.close()
