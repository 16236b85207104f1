"""The result page asks for what breaks a tie, and nothing on it moves or vanishes under a finger.

The service may answer between any two taps, or only after the last; in these tests it answers before each next tap.
"""

from typing import Any

import pytest

from tests.pages.conftest import Opener
from tests.pages.parameters import first_of
from tests.pages.robot import Robot
from tests.pages.sheets import link_to, sheet_of

TWENTY = {"floors": 5, "windows": 14, "material": "mixed"}
TWENTY_TOO = {"floors": 5, "windows": 8, "material": "one"}
SIX = {"floors": 3, "windows": 6, "material": "mixed"}
PALAZZO: dict[str, Any] = {
    "game": "palazzo",
    "schema_version": 1,
    "seats": [
        {"name": "Ada", "palaces": [TWENTY]},
        {"name": "Bruno", "palaces": [SIX]},
        {"name": "Cleo", "palaces": [TWENTY_TOO]},
    ],
}


def tie(visit: Opener, sheet: dict[str, Any], **options: Any) -> Robot:
    """The result of a sheet with an open tie, saved on the device as if it had been entered there."""
    robot = visit(link_to(sheet), **options)
    robot.tap("Keep and change it here")
    robot.page.wait_for_selector(".pad-part")
    robot.result()
    assert robot.text("h1") == "A tie"
    return robot


def heading(robot: Robot) -> str:
    robot.scored()
    return robot.text("h1")


IN_SIGHT = """(one) => {
  const { top, bottom } = one.getBoundingClientRect();
  return top > -1 && bottom < innerHeight + 1;
}"""


def test_palazzo_asks_for_hands_until_the_tie_is_broken(visit: Opener, axe: str) -> None:
    """Limits are told at the card, all hands are needed, and the places say what has decided."""
    robot = tie(visit, PALAZZO)
    robot.page.set_viewport_size({"width": 390, "height": 620})
    assert robot.text(".aside p") == (
        "Ada and Cleo are level for first place. The hand that is worth more as one bid comes first. "
        "The table does not show that: type it in, or leave the place shared."
    )
    robot.tap("Type in the hands")
    for _ in range(4):
        robot.tap_in("Ada: cards in hand", "red 7", exact=False)
    limit = robot.page.get_by_text("Red 7: the box has 3.", exact=False)
    assert limit.evaluate(IN_SIGHT)
    assert robot.complaints(axe) == []
    for _ in range(2):
        robot.tap_in("Ada: cards in hand", "Take the last card back")
    robot.tap("Done")
    assert robot.page.get_by_text("Still missing: Cleo: cards in hand.").evaluate(IN_SIGHT)
    assert heading(robot) == "A tie"
    robot.tap_in("Cleo: cards in hand", "green 7")
    assert heading(robot) == "Ada and Cleo share the victory"
    robot.tap_in("Cleo: cards in hand", "certificate 2")
    assert heading(robot) == "Cleo wins"
    assert "The tie is broken by the value of the hand as one bid: Ada 7, Cleo 9." in robot.text(".why")
    robot.tap("Done")
    places = robot.page.locator(".places")
    assert places.evaluate(IN_SIGHT)
    assert ["best bid" in row for row in places.locator("li").all_inner_texts()] == [True, False, False]
    assert "best bid 9 : 7" in places.inner_text()
    assert robot.page.get_by_role("group", name="Cleo: cards in hand").count() == 0
    robot.tap("Change what decides the tie-break")
    robot.tap_in("Ada: cards in hand", "red 3")
    assert heading(robot) == "Ada wins"


def test_a_tie_can_be_left_and_the_place_is_shared(visit: Opener) -> None:
    """For second place; also after a reload, and as text. A reader of the link is told of the tie, not asked."""
    seats = [{"name": "Ada", "palaces": [TWENTY]}, *({"name": name, "palaces": [SIX]} for name in ("Bruno", "Cleo"))]
    robot = visit(link_to({**PALAZZO, "seats": seats}), permissions=["clipboard-read", "clipboard-write"])
    assert robot.text(".aside p").startswith("Bruno and Cleo are level for second place.")
    assert robot.page.locator(".aside button").count() == 0
    robot.tap("Keep and change it here")
    robot.page.wait_for_selector(".pad-part")
    robot.result()
    numbers = robot.page.locator(".place-number")
    assert numbers.all_inner_texts() == ["1", "–", "–"]
    robot.tap("Leave it shared")
    for _ in range(2):
        assert numbers.all_inner_texts() == ["1", "2", "2"]
        assert robot.page.locator(".aside").count() == 0
        robot.page.reload()
        robot.settle()
        robot.page.locator(".places").wait_for()
    robot.tap("Copy as text")
    robot.page.get_by_text("Copied.", exact=True).wait_for()
    assert "2. Bruno 6\n2. Cleo 6" in robot.page.evaluate("() => navigator.clipboard.readText()")


@pytest.mark.parametrize(
    ("game", "record", "button", "label", "short"),
    [
        ("carrara", "tie-by-blocks", "Type in the blocks", "Blocks left", "blocks left 12 : 1"),
        ("fifth-avenue", "win-by-cards", "Type in the cards", "cards in hand", "cards in hand 12 : 1"),
    ],
)
def test_numbers_that_break_a_tie_are_typed(
    visit: Opener, game: str, record: str, button: str, label: str, short: str
) -> None:
    robot = tie(visit, sheet_of(game, record))
    robot.tap(button)
    for name, digits, then in (("Ada", "1", "A tie"), ("Bruno", "12", "Bruno wins")):
        field = robot.page.get_by_label(f"{name}, {label}")
        field.focus()
        for digit in digits:
            robot.page.keyboard.press(digit)
            robot.scored()
        assert field.input_value() == digits
        assert heading(robot) == then
    robot.tap("Done")
    assert robot.page.get_by_label(f"Ada, {label}").count() == 0
    assert short in robot.text(".places")


def test_a_tie_of_campanile_asks_for_nothing_since_the_tokens_are_known(visit: Opener) -> None:
    robot = visit(link_to(sheet_of("campanile", "token-of-the-intermezzo")))
    robot.page.wait_for_selector(".places li")
    assert "The tie is broken by the most valuable single token" in robot.text(".why")
    assert robot.page.get_by_role("button", name="Done").count() == 0


@pytest.mark.parametrize("width", first_of([320, 1280]))
def test_nothing_moves_under_the_finger_while_a_tie_is_broken(visit: Opener, width: int) -> None:
    """The heading, its reason, the places and the compared values change above the tapped element."""
    robot = tie(visit, PALAZZO, width=width, touch=False)
    robot.tap("Type in the hands")
    group = robot.page.get_by_role("group", name="Cleo: cards in hand")
    group.scroll_into_view_if_needed()
    for tapped, card in (("Ada", "red 7"), ("Cleo", "green 7"), ("Cleo", "certificate 2"), ("Cleo", "blue 7")):
        button = robot.page.get_by_role("group", name=f"{tapped}: cards in hand").get_by_role("button", name=card)
        button.focus()
        before = button.bounding_box()
        robot.page.keyboard.press("Enter")
        robot.scored()
        after = button.bounding_box()
        assert before is not None
        assert after is not None
        assert max(abs(after[side] - before[side]) for side in before) < 1, card


def test_an_impossible_hand_is_reported_where_it_was_typed_and_can_be_corrected(visit: Opener) -> None:
    """Blocks are typed as numbers: too many must not lose the form or the table."""
    robot = tie(visit, sheet_of("carrara", "tie-by-blocks"))
    robot.tap("Type in the blocks")
    robot.page.get_by_label("Ada, Blocks left").fill("99")
    robot.page.wait_for_selector("main.result .finding")
    assert "Ada" in robot.text("main.result .finding")
    robot.page.get_by_label("Ada, Blocks left").fill("2")
    robot.page.get_by_label("Bruno, Blocks left").fill("0")
    robot.page.get_by_role("heading", name="Ada wins").wait_for()
    assert robot.page.locator("main.result .finding").count() == 0
