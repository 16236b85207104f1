"""Setting up a game: first how one wants to play, then only what that needs."""

from typing import Any

import pytest

from capomastro import pages
from tests.pages.conftest import Opener
from tests.pages.robot import Robot
from tests.pages.test_play import READY, TABLE, kept, sat_down
from tests.pages.test_playing import wording

WAY = ".intentions label"
SURROUNDINGS = {"en": (390, False), "de": (320, True), "it": (1280, True), "es": (360, False)}
"""Width and darkness by language."""

VALUES = "(all) => all.map((one) => one.value)"


def turn_to_german(robot: Robot) -> None:
    """Goes to the same page in German."""
    robot.tap("Menu")
    robot.tap("Deutsch", role="link")
    robot.page.locator("html[lang=de]").wait_for()
    robot.settle()


def test_three_taps_lead_from_the_start_page_to_a_game_against_the_computer(visit: Opener) -> None:
    robot = visit("/")
    robot.page.locator(".intents a").nth(1).click()
    robot.page.wait_for_url("**/play?*")
    robot.tap("Palazzo", role="link")
    robot.page.wait_for_url("**/play/palazzo?*")
    robot.settle()
    robot.tap("Begin")
    robot.page.wait_for_function(READY)
    game = kept(robot)
    assert (game["kinds"], game["record"]["names"]) == (["person", "planning"], ["Player 1", "Computer"])


def test_what_was_chosen_last_is_chosen_again_and_unfinished_games_come_first(visit: Opener) -> None:
    robot = visit("/play/campanile")
    page = robot.page
    page.get_by_role("textbox", name="Your name").fill("Ada")
    for group, value in (("computers", "2"), ("level", "random"), ("begins", "computer")):
        page.locator(f"input[name={group}][value='{value}']").check()
    robot.tap("Begin")
    page.wait_for_function(READY)
    game = kept(robot)
    assert game["kinds"] == ["random", "person", "random"]
    assert game["record"]["names"] == ["Computer", "Ada", "Computer 2"]
    page.goto("/play/campanile?lang=es")
    robot.settle()
    page.locator(".unfinished").wait_for()
    assert robot.text(".unfinished b") == "Ordenador, Ada y Ordenador 2", "also in another language"
    assert page.locator(".setup > *").first.get_attribute("class") == "unfinished"
    checked = page.locator(".setup :checked").evaluate_all("(all) => all.map((one) => one.value)")
    assert checked == ["computer", "2", "random", "computer"]
    page.locator("input[name=way][value=screen]").check()
    names = page.locator(".settings ol input")
    names.nth(0).fill("Bruno")
    names.nth(1).fill("Cleo")
    page.locator("input[name=extra][value='1']").check()
    robot.tap("Empezar")
    page.wait_for_function(READY)
    assert kept(robot)["record"]["names"] == ["Bruno", "Cleo", "Ordenador"]
    page.goto("/play/palazzo?lang=en")
    robot.settle()
    assert [page.locator(".settings ol input").nth(seat).input_value() for seat in (0, 1)] == ["Bruno", "Cleo"]


def before_the_saved_games(robot: Robot) -> list[Any]:
    """Opens the form of a new game; the request for what shows the saved games is held."""
    sat_down(robot, "Ada", "Bruno")
    asked = robot.held_back("**/saved.js", only_first=True)
    robot.page.goto("/play/palazzo")
    robot.settle()
    return asked


@pytest.mark.long
def test_saved_games_move_nothing_from_below_a_finger(visit: Opener) -> None:
    robot = visit("/play/palazzo")
    asked = before_the_saved_games(robot)
    robot.button("Begin").hover()
    robot.page.mouse.down()
    asked[0].continue_()
    robot.page.evaluate(f"async () => void (await import({TABLE}.files + '/play/saved.js'))")
    robot.page.mouse.up()
    robot.page.wait_for_function(READY)
    assert robot.page.evaluate(f"() => {TABLE}.style.minHeight") == ""


def test_saved_games_do_not_move_the_form_while_it_is_filled_in(visit: Opener) -> None:
    robot = visit("/play/palazzo")
    asked = before_the_saved_games(robot)
    name = robot.page.get_by_role("textbox", name="Your name")
    name.click()
    before = name.bounding_box()
    asked[0].continue_()
    robot.page.locator(".unfinished").wait_for()
    assert name.bounding_box() == before


@pytest.mark.long
@pytest.mark.parametrize("language", pages.LANGUAGES)
def test_every_way_is_accessible_and_has_its_own_rows_only(visit: Opener, axe: str, language: str) -> None:
    """No row has a word of programs, and everything but the options is in sight."""
    width, dark = SURROUNDINGS[language]
    robot = visit("/play/campanile", language=language, width=width, dark=dark)
    page = robot.page
    for way, rows in enumerate([["computers", "level", "begins"], ["extra"], ["draws"]]):
        page.locator(WAY).nth(way).click()
        groups = page.locator(".settings [role=radiogroup] input").evaluate_all("(all) => all.map((one) => one.name)")
        assert list(dict.fromkeys(groups)) == rows
        assert page.locator(".options > :not(summary)").first.is_hidden()
        begin = page.locator("form.setup [type=submit]").bounding_box()
        assert begin["y"] + begin["height"] <= page.viewport_size["height"]
        found = [*robot.too_small(), *robot.cut_off(), robot.sideways()]
        assert found == [0], way
        if language in ("en", "de"):  # light and dark
            assert robot.complaints(axe) == [], way
    page.evaluate("() => document.documentElement.style.fontSize = '200%'")
    assert robot.sideways() <= 0


def test_options_are_told_when_they_differ_and_a_game_can_be_repeated(visit: Opener, axe: str) -> None:
    robot = visit("/play/campanile")
    page = robot.page
    label = wording("campanile", "en", "campanile.option.move_medium_marker")
    assert robot.text(".options summary span") == wording("play", "en", "play.options.none")
    page.locator(".options > summary").click()
    robot.button("B: one place earlier").click()
    page.get_by_role("checkbox", name=label).click()
    assert robot.text(".options summary span") == f"Order of the towers, {label}"
    page.locator(".repeat summary").click()
    page.get_by_role("combobox", name="Its number").fill("7")
    assert robot.complaints(axe) == []
    robot.tap("Begin")
    page.wait_for_function(READY)
    game = kept(robot)
    assert game["seed"] == "7"
    assert game["record"]["options"]["tower_order"] == ["b", "a", "c", "d", "e"]
    assert game["record"]["options"]["move_medium_marker"] is True
    score = visit("/score/campanile")
    assert label in [one.inner_text() for one in score.page.get_by_role("checkbox").all()], "as on the pad"


def test_two_players_cannot_have_the_same_name(visit: Opener, axe: str) -> None:
    """Nor one that another has by default; it is said only once the names are typed in."""
    robot = visit("/play/palazzo", language="de")
    page = robot.page
    page.get_by_role("textbox").first.fill("computer")
    refused(robot, "computer")
    page.locator(WAY).nth(1).click()
    fields = page.locator(".settings ol input")
    fields.nth(0).fill("Person 2")
    assert page.locator(".setup .finding").count() == 0, "the name may still be being typed"
    refused(robot, "Person 2")
    fields.nth(0).fill("Ada")
    fields.nth(1).fill(" ada ")
    refused(robot, "ada")
    assert fields.nth(1).evaluate("(it) => it === document.activeElement && it.ariaInvalid === 'true'")
    assert robot.complaints(axe) == []
    fields.nth(1).fill("Bruno")
    fields.nth(1).press("Enter")
    page.wait_for_function(READY)
    page.wait_for_function("() => document.activeElement.id === 'turn'")
    assert page.evaluate(f"() => {TABLE}.table.names") == ["Ada", "Bruno"]


def refused(robot: Robot, name: str) -> None:
    robot.page.locator("form.setup [type=submit]").click()
    assert robot.text(".setup .finding") == wording("play", "de", "play.same-name").replace("{name}", name)


@pytest.mark.parametrize("way", ["computer", "screen"])
def test_what_is_typed_is_there_in_another_language_but_not_in_a_later_game(visit: Opener, way: str) -> None:
    robot = visit("/play/campanile")
    page = robot.page
    page.locator(f"input[name=way][value={way}]").check()
    page.locator(".settings input[type=text]").last.fill("Ada")
    page.locator(".options > summary").click()
    page.locator(".options .check").first.click()
    option = page.locator(".options .check").first.get_attribute("aria-checked")
    turn_to_german(robot)
    assert page.locator(".settings input[type=text]").last.input_value() == "Ada"
    assert page.locator("input[name=way]:checked").input_value() == way
    assert page.locator(".options .check").first.get_attribute("aria-checked") == option
    page.goto("/play/campanile?lang=en")
    robot.settle()
    assert page.locator(".settings input[type=text]").last.input_value() == ""


def test_who_is_to_sit_down_is_there_in_another_language(visit: Opener) -> None:
    """At a new table, also while another is unfinished, and at one whose players are changed."""
    robot = visit("/score/campanile")
    page, names = robot.page, robot.page.locator(".setup input")
    names.first.fill("Ada")
    robot.tap("Add a player")
    turn_to_german(robot)
    assert names.evaluate_all(VALUES) == ["Ada", "", ""]
    page.goto("/score/campanile?lang=en")
    robot.settle()
    assert names.evaluate_all(VALUES) == ["", ""]
    robot.sit_down("Ada", "Bruno")
    begun = robot.stored()["id"]
    robot.tap("Menu")
    robot.tap("Players and names")
    names.last.fill("Cleo")
    turn_to_german(robot)
    assert names.evaluate_all(VALUES) == ["Ada", "Cleo"]
    robot.to_table()
    assert (robot.stored()["id"], robot.stored()["names"]) == (begun, ["Ada", "Cleo"])
    page.goto("/score/campanile?lang=en")
    robot.settle()
    robot.tap("Menu")
    robot.tap("New table")
    names.last.fill("Dino")
    turn_to_german(robot)
    assert names.evaluate_all(VALUES) == ["Ada", "Dino"]
    robot.to_table()
    assert robot.stored()["id"] != begun
