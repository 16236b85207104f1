"""Score pads and results as people see them: what is missing, what cannot be, what goes on paper."""

from typing import Any

import pytest

from capomastro import pages
from tests.pages.conftest import Opener
from tests.pages.parameters import first_of
from tests.pages.robot import Robot
from tests.pages.sheets import link_to, sheet_of
from tests.pages.test_ties import PALAZZO

TOP = "(one) => one.getBoundingClientRect().top"
SHOWN = "(all) => all.filter((one) => one.checkVisibility()).map((one) => one.innerText.trim())"


# --- pads ------------------------------------------------------------------------------------------------------------


def test_the_focus_goes_to_the_table_once_all_sit_down(visit: Opener) -> None:
    robot = visit("/score/campanile")
    robot.page.locator(".setup input").first.focus()
    robot.page.keyboard.press("Enter")
    robot.page.wait_for_selector(".pad-part")
    assert robot.page.evaluate("() => document.activeElement.matches('main button')")
    assert robot.page.evaluate("() => scrollY") == 0


def test_all_players_are_named_of_whom_nothing_is_typed_in_and_told_apart(visit: Opener) -> None:
    robot = visit("/score/palazzo")
    robot.sit_down("Anna", "Cleo", "anna")
    robot.page.locator("header .button").click()
    assert robot.text(".message p") == "Still missing: Anna (1), Cleo, and anna (3)."
    robot.page.locator(".tiles button").first.click()
    robot.scored()
    robot.page.locator("header .button").click()
    assert "anna (3)" in robot.text("dialog p")
    robot.page.locator("dialog .main").click()
    robot.page.wait_for_selector(".places")
    assert set(robot.page.locator("[data-name]").all_inner_texts()) == {"Anna (1)", "Cleo", "anna (3)"}
    assert robot.stored()["names"] == ["Anna", "Cleo", "anna"]


def test_of_much_that_is_missing_the_first_is_named_and_the_rest_counted(visit: Opener) -> None:
    robot = visit("/score/carrara")
    robot.sit_down("Ada", "Bruno", "Cleo")
    robot.tap("Result")
    message = robot.text(".message p")
    assert message.startswith("Still missing: Ada, ")
    assert message.endswith(", and 7 more.")


def test_back_leads_to_the_table_before_another_was_begun(visit: Opener) -> None:
    robot = visit("/score/palazzo")
    robot.page.goto(link_to(sheet_of("palazzo", "two-plan")))
    robot.settle()
    robot.page.locator("main.result .keep").click()
    robot.scored()
    robot.result()
    robot.tap("Score another table")
    robot.sit_down("Xavier", "Yvonne")
    robot.page.go_back()
    robot.page.get_by_role("tab", name="Ada").wait_for()
    robot.page.go_forward()
    robot.page.get_by_role("tab", name="Xavier").wait_for()


CHANGED_MEANWHILE = """async () => {
  const pad = document.querySelector("score-pad");
  const store = await import(`${pad.getAttribute("files")}/store.js`);
  store.keep({ ...pad.table, names: ["Xavier", "Yvonne"], changed: new Date().toISOString() });
  dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
}"""
"""The page comes back from the history; no event has told it what was saved meanwhile."""


def test_a_page_that_comes_back_from_the_history_has_the_latest_entries(visit: Opener) -> None:
    robot = visit("/score/palazzo")
    robot.sit_down("Ada", "Bruno")
    robot.page.evaluate(CHANGED_MEANWHILE)
    robot.page.get_by_role("tab", name="Xavier").wait_for()


@pytest.mark.parametrize("width", first_of([390, 1280]))
def test_nothing_moves_under_the_finger_when_points_and_findings_come(visit: Opener, width: int) -> None:
    robot = visit("/score/palazzo", width=width)
    robot.sit_down("Ada", "Bruno")
    robot.tap("Floors & windows")
    windows = robot.page.get_by_role("group", name="Windows and doors").get_by_role("button", name="15", exact=True)
    for _ in range(4):
        robot.tap("5 floors", exact=True)
        robot.press(windows)
        before = windows.evaluate(TOP)
        robot.scored()
        assert windows.evaluate(TOP) == pytest.approx(before, abs=1)
    assert robot.page.locator(".finding").count() == 1
    assert robot.text(".wrong-foot [role=status]") == "1 entry is impossible"


@pytest.mark.parametrize(("language", "width"), first_of([("de", 320), ("it", 320)]))
def test_tiles_stay_where_they_are_whatever_is_said_above_them(visit: Opener, language: str, width: int) -> None:
    robot = visit("/score/palazzo", language=language, width=width)
    robot.sit_down("Ada", "Bruno")
    tiles = robot.page.locator(".tiles")
    below_top = "(one) => one.getBoundingClientRect().top + scrollY"
    before = tiles.evaluate(below_top)
    for tile in (10, 4, 4, 4, 0, 14, 14):
        robot.press(robot.page.locator(".tile").nth(tile))
        assert tiles.evaluate(below_top) == pytest.approx(before, abs=1), robot.text(".message")


@pytest.mark.parametrize(
    ("game", "language"),
    first_of([*((game, "de") for game in pages.pads()), ("campanile", "it"), ("fifth-avenue", "es")]),
)
def test_the_header_is_no_higher_for_a_long_name(visit: Opener, game: str, language: str) -> None:
    robot = visit(f"/score/{game}", language=language, width=320)
    robot.sit_down("Ada", "Bruno")
    assert robot.page.locator("header").bounding_box()["height"] <= 54
    title = robot.page.locator("h1.where").bounding_box()
    assert title["y"] >= 0
    assert title["height"] <= 52


@pytest.mark.long
def test_the_dummy_has_its_whole_name_in_every_language(visit: Opener) -> None:
    robot = visit("/score/fifth-avenue")
    robot.sit_down("Ada", "Bruno")
    for language in pages.LANGUAGES:
        robot.page.goto(f"/score/fifth-avenue?lang={language}")
        robot.settle()
        dummy = robot.page.locator(".matrix .name").last
        assert dummy.evaluate("(one) => one.scrollWidth <= one.clientWidth"), dummy.inner_text()


# --- results ---------------------------------------------------------------------------------------------------------


def result(visit: Opener, sheet: dict[str, Any], **options: Any) -> Robot:
    robot = visit(link_to(sheet), **options)
    robot.page.locator(".places li").first.wait_for()
    return robot


def test_a_kept_result_begins_at_the_top_with_the_first_entry(visit: Opener) -> None:
    robot = result(visit, sheet_of("fifth-avenue", "four-plan"))
    robot.tap("Keep and change it here")
    robot.page.wait_for_selector(".pad-part")
    robot.scored()
    assert robot.page.evaluate("() => scrollY") == 0
    assert robot.page.evaluate("() => document.activeElement.matches('main :is(button, input)')")


def test_what_was_not_checked_is_counted_and_unfolds(visit: Opener, axe: str) -> None:
    robot = result(visit, sheet_of("carrara", "last-building-seat-0"))
    folded = robot.page.locator(".notes details")
    rules = folded.locator("li").count()
    assert rules > 0
    assert folded.locator("summary").inner_text().endswith(f"{rules} {'rule' if rules == 1 else 'rules'}")
    assert not folded.locator("li").first.is_visible()
    folded.locator("summary").click()
    assert folded.locator("li").first.is_visible()
    assert robot.complaints(axe) == []


def test_a_result_is_saved_in_three_ways_behind_one_button(visit: Opener, axe: str) -> None:
    robot = result(visit, PALAZZO, permissions=["clipboard-read", "clipboard-write"])
    names = [name.strip() for name in robot.page.locator(".shares > *").all_inner_texts()]
    assert names == ["Share the result", "Copy as text", "QR code", "Picture", "BG Stats", "Print", "Save …"]
    robot.tap("Save …", exact=True)
    ways = robot.page.locator("dialog .menu button").all_inner_texts()
    assert ways == ["Save as CSV", "Save as JSON", "Copy the link"]
    assert robot.complaints(axe) == []
    robot.tap("Copy the link")
    robot.page.locator("dialog").wait_for(state="detached")
    assert "/score/palazzo#d" in robot.page.evaluate("() => navigator.clipboard.readText()")


def test_no_tap_is_lost_to_an_answer_that_comes_between_press_and_release(visit: Opener) -> None:
    """The points move the button from below the finger."""
    robot = visit("/score/fifth-avenue")

    def answer_once_pressed(route: Any) -> None:
        robot.button("Keep and change it here").hover()
        robot.page.mouse.down()
        route.continue_()

    robot.page.route("**/scores", answer_once_pressed)
    robot.page.goto(link_to(sheet_of("fifth-avenue", "four-plan")))
    robot.scored()
    assert robot.text("h1") == "The result is being worked out."
    robot.page.unroute("**/scores")
    robot.page.mouse.up()
    robot.page.wait_for_selector(".pad-part")
    assert robot.points() == ["8", "7", "8", "4"]


def test_a_second_press_soon_after_the_first_keeps_waiting_what_would_move_its_button(visit: Opener) -> None:
    """The first ends in no click, as after a drag; the second ends in one, and nothing waits longer."""
    robot = visit("/score/palazzo")
    done: list[bool] = robot.page.evaluate(
        """async () => {
            const { betweenTaps } = await import(document.querySelector("score-pad").getAttribute("files") + "/dom.js");
            const says = (type) => document.body.dispatchEvent(new PointerEvent(type, { bubbles: true }));
            const passed = (time) => new Promise((done) => setTimeout(done, time));
            let moved = false;
            says("pointerdown");
            says("pointerup");
            says("pointerdown");
            betweenTaps(() => (moved = true));
            await passed(100);
            const pressed = moved;
            says("pointerup");
            says("click");
            await passed(0);
            return [pressed, moved];
        }"""
    )
    assert done == [False, True]


def test_a_damaged_link_is_reported_in_the_tab_of_another_one(visit: Opener) -> None:
    robot = result(visit, PALAZZO)
    robot.page.evaluate("() => { location.hash = 'dBROKEN'; }")
    robot.page.locator(".setup .finding", has_text="damaged").wait_for()
    assert not robot.page.locator("main.result").count()


@pytest.mark.long
def test_a_message_stays_while_its_button_is_under_a_finger(visit: Opener) -> None:
    robot = visit("/score/palazzo")
    robot.sit_down("Ada", "Bruno")
    for tile in ("brick 3 (2 windows)", "sandstone 1 (1 window)"):
        robot.tile(tile)
    assert len(robot.stored()["draft"]["seats"][0]["palaces"]) == 2
    undo = robot.page.locator(".message.news button")
    box = undo.bounding_box()
    finger = robot.page.context.new_cdp_session(robot.page)
    place = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [place]})
    robot.page.evaluate("() => document.querySelector('score-pad').endNews()")
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    undo.wait_for(state="detached")
    assert len(robot.stored()["draft"]["seats"][0]["palaces"]) == 1


@pytest.mark.long
def test_nothing_is_undone_while_the_players_are_changed(visit: Opener) -> None:
    robot = visit("/score/palazzo")
    robot.sit_down("Ada", "Bruno")
    robot.tile("brick 1 (1 window)")
    before = robot.stored()
    robot.tap("Menu")
    robot.tap("Players and names")
    robot.button("Add a player").focus()
    robot.page.keyboard.press("Control+z")
    assert robot.stored() == before


def test_nothing_is_undone_at_the_result(visit: Opener) -> None:
    """What would be is not in sight there, nor is the button."""
    robot = visit("/score/palazzo")
    robot.sit_down("Ada", "Bruno")
    robot.tile("brick 1 (1 window)")
    robot.result(nothing_of="Bruno")
    before = robot.stored()
    robot.page.keyboard.press("Control+z")
    assert robot.stored() == before


def test_no_letter_of_a_long_name_is_cut_in_half(visit: Opener) -> None:
    name = "Ada" + "\N{PERSON CLIMBING}" * 70
    seats = [{**seat, "name": f"{name}{at}"} for at, seat in enumerate(PALAZZO["seats"])]
    robot = result(visit, {**PALAZZO, "seats": seats})
    shown = robot.page.locator(".places [data-name]").first.inner_text()
    assert shown.startswith(name[:60])


def test_paper_names_the_game_and_asks_nothing(visit: Opener) -> None:
    robot = result(visit, PALAZZO)
    assert robot.page.locator(".aside").is_visible()
    assert robot.page.locator("p.on-paper").is_hidden()
    robot.page.emulate_media(media="print")
    assert robot.text("p.on-paper") == "Palazzo"
    assert robot.text(".why") == "Ada and Cleo have 20 points each."
    assert robot.page.locator(".aside").is_hidden()
    robot.page.emulate_media(media="screen")
    robot.tap("Keep and change it here")
    robot.page.wait_for_selector(".pad-part")
    robot.result()
    robot.page.emulate_media(media="print")
    year = robot.page.evaluate("() => String(new Date().getFullYear())")
    assert robot.text("p.on-paper").startswith("Palazzo, ")
    assert robot.text("p.on-paper").endswith(year)


def test_nothing_on_paper_looks_like_a_link(visit: Opener) -> None:
    robot = result(visit, sheet_of("carrara", "last-building-seat-0"))
    robot.page.locator(".notes summary").click()
    robot.page.emulate_media(media="print")
    looks = "(all) => [...new Set(all.map((one) => [getComputedStyle(one).textDecorationLine]).flat())]"
    assert robot.page.locator("main a").evaluate_all(looks) == ["none"]
    assert robot.page.locator("button").evaluate_all(SHOWN) == []
