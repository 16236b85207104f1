"""The focus of the keyboard: it is never lost with the button that was pressed."""

from typing import Any

import pytest

from tests.pages.conftest import Opener
from tests.pages.robot import KeyboardRobot, Robot
from tests.pages.test_distance import IDLE, Player, at_home

LOST = "() => document.activeElement === document.body"
FOCUSED = "() => document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent"


def enter(robot: Robot, button: Any) -> str:
    """Presses Enter on a button; returns the name of what has the focus then."""
    button.focus()
    robot.page.keyboard.press("Enter")
    assert not robot.page.evaluate(LOST)
    name: str = robot.page.evaluate(FOCUSED)
    return name


@pytest.mark.parametrize("path", ["/score/palazzo", "/play/palazzo"])
def test_players_come_and_go_with_keys(visit: Opener, path: str) -> None:
    robot = visit(path, reader=KeyboardRobot)
    if path.startswith("/play"):
        robot.page.locator("input[name=way]").nth(1).check()
    assert enter(robot, robot.button("Add a player")) == "Player 3"
    assert enter(robot, robot.button("Add a player")) == "Player 4"
    assert enter(robot, robot.button("Without Player 4")) == "Without Player 3"
    assert enter(robot, robot.button("Without Player 3")) == "Add a player"


def test_names_that_are_known_are_picked_with_keys(visit: Opener) -> None:
    robot = visit("/score/palazzo", reader=KeyboardRobot)
    robot.sit_down("Ada", "Bruno")
    robot.page.evaluate(
        "() => { localStorage.clear(); localStorage.setItem('capomastro.names', '[\"Ada\", \"Bruno\"]'); }"
    )
    robot.page.goto("/score/palazzo")
    robot.settle()
    assert enter(robot, robot.button("Ada", exact=True)) == "Bruno"
    assert enter(robot, robot.button("Bruno", exact=True)) == "To the table"


def test_numbers_that_are_no_longer_offered_hand_the_focus_on(visit: Opener) -> None:
    robot = visit("/score/campanile", reader=KeyboardRobot)
    robot.sit_down("Ada", "Bruno")
    for _ in range(5):
        enter(robot, robot.page.locator(".pad .choice button").last)
    assert robot.page.locator(".pad .matrix :focus").count()


def test_a_game_at_a_distance_begins_with_keys(visit: Opener) -> None:
    ada, bruno = at_home(visit, "palazzo", "Ada", "Bruno")
    bruno.page.evaluate("() => document.querySelector('game-table').newGame()")
    assert done(bruno, "Invite Ada") == "Send the invitation to Ada"
    ada.receive(bruno.offered_text())
    assert done(ada, "I am Ada").startswith("Pass the table on to")


def done(player: Player, name: str) -> str:
    """What has the focus after Enter on the button with that name, once the page is idle."""
    player.page.wait_for_function(IDLE)
    player.robot.button(name, exact=True).focus()
    player.page.keyboard.press("Enter")
    player.page.wait_for_function(IDLE)
    assert not player.page.evaluate(LOST)
    focused: str = player.page.evaluate(FOCUSED)
    return focused


def test_kept_games_are_deleted_with_keys(visit: Opener) -> None:
    robot = visit("/play/palazzo", reader=KeyboardRobot)
    for _ in range(2):
        robot.tap("Begin")
        robot.page.locator("#turn").wait_for()
        robot.tap("Menu")
        robot.tap("New game")
    robot.page.locator("details.setup summary").click()
    delete = robot.page.get_by_role("button", name="Delete: ")
    kept = "() => Object.entries(localStorage).filter(([key]) => key.startsWith('capomastro.play.')).sort()"
    before = robot.page.evaluate(kept)
    assert enter(robot, delete.first).startswith("Undo: ")
    assert delete.count() == 1
    assert enter(robot, delete.first).startswith("Undo: ")
    assert delete.count() == 0
    undo = robot.page.get_by_role("button", name="Undo: ")
    assert enter(robot, undo.first).startswith("Delete: ")
    assert enter(robot, undo.first).startswith("Delete: ")
    assert robot.page.evaluate(kept) == before


def test_a_game_is_played_back_and_stopped_with_the_same_key(visit: Opener) -> None:
    robot = visit("/replay", reader=KeyboardRobot)
    robot.tap("Campanile")
    robot.page.locator(".steer").wait_for()
    robot.tap("To the start")
    assert enter(robot, robot.button("Play", exact=True)) == "Pause"
    robot.page.keyboard.press("Enter")
    assert robot.page.evaluate(FOCUSED) == "Play"


HEADING = "() => document.activeElement.matches('h1, h2') ? document.activeElement.innerText : ''"


def at_heading(robot: Robot) -> str:
    """The heading that has the focus, and so is read out; "" if something else has it."""
    return str(robot.page.evaluate(HEADING))


def test_a_new_view_of_a_score_pad_begins_at_its_heading(visit: Opener) -> None:
    robot = visit("/score/palazzo", reader=KeyboardRobot)
    robot.sit_down("Ada", "Bruno")
    robot.tap("Bruno", role="tab")
    for floor in (3, 4, 5):
        robot.tile(f"brick {floor} (2 windows)")
    robot.result(nothing_of="Ada")
    robot.page.wait_for_function("() => document.activeElement.innerText === 'Bruno wins'")
    robot.page.go_back()
    robot.page.wait_for_selector(".pad-part")
    assert at_heading(robot) == "Palazzo"
    robot.page.go_forward()
    robot.page.wait_for_selector(".places")
    assert at_heading(robot) == "Bruno wins"
    robot.page.get_by_role("link", name="Back to the table").press("Enter")
    robot.page.wait_for_selector(".pad-part")
    assert at_heading(robot) == "Palazzo"
    robot.page.go_back()
    robot.page.wait_for_selector(".places")
    enter(robot, robot.button("Score another table"))
    assert at_heading(robot) == "Who plays?"


def test_a_new_view_of_the_viewer_begins_at_its_heading(visit: Opener) -> None:
    robot = visit("/replay", reader=KeyboardRobot)
    enter(robot, robot.button("Campanile").first)
    robot.page.locator(".steer").wait_for()
    assert at_heading(robot).startswith("Campanile")
    robot.tap("Menu")
    robot.tap("Open another game")
    assert at_heading(robot) == "Check a recorded game"


def test_a_new_view_of_a_table_begins_at_its_heading(visit: Opener) -> None:
    robot = visit("/play/carrara", reader=KeyboardRobot)
    robot.button("Begin").focus()
    robot.page.keyboard.press("Enter")
    robot.page.wait_for_function("() => document.activeElement.id === 'turn'")
    robot.tap("Menu")
    robot.tap("New game")
    assert at_heading(robot) == "New game"
