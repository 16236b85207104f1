"""Small faults that people met with the pages in a browser, each with its kind."""

import json
import re

import pytest

from capomastro import pages
from tests.pages.conftest import Opener
from tests.pages.parameters import first_of
from tests.pages.sheets import link_to, sheet_of
from tests.pages.test_play import sat_down
from tests.pages.test_ties import PALAZZO
from tests.support.pictures import drawn, kept_positions


def test_points_of_a_palace_that_has_grown_are_not_shown_as_those_of_the_new_one(visit: Opener) -> None:
    robot = visit("/score/palazzo")
    robot.sit_down("Ada", "Bruno")
    robot.tile("brick 1 (2 windows)")
    robot.tile("brick 2 (2 windows)")
    points = robot.page.locator(".palace:not(.new) .points")
    robot.scored()
    assert points.inner_text().split() == ["0", "2", "floors"]
    robot.page.route("**/scores", lambda route: None)
    robot.tile("brick 3 (2 windows)")
    assert points.inner_text().split() == ["0", "2", "floors"]
    assert points.get_attribute("class") == "points stale"
    robot.page.unroute("**/scores")


def test_points_beside_a_figure_are_those_of_the_figure(visit: Opener) -> None:
    robot = visit("/score/carrara")
    robot.sit_down("Ada", "Bruno")
    robot.tap("Ada, Objects")
    robot.tap("2", exact=True)
    field = robot.page.get_by_role("button", name="Ada, Objects").locator(".seen")
    robot.scored()
    assert field.inner_text().split() == ["2", "=", "6"]
    robot.page.route("**/scores", lambda route: None)
    robot.tap("Ada, Objects")
    robot.tap("3", exact=True)
    assert field.inner_text().split() == ["3"]
    robot.page.unroute("**/scores")


WITH_POINTS = """(points) => {
  const pad = document.querySelector("score-pad");
  const of = { district: pad.table.cursor.place, lot: "orange", buildings: 1, each: 1 };
  pad.last.players[0].lines = [{ rule: "", ...of, points }];
  pad.show();
}"""


def test_one_point_is_no_points(visit: Opener) -> None:
    words = json.loads((pages.FILES / "words" / "fifth-avenue.de.json").read_text("utf-8"))
    robot = visit("/score/fifth-avenue", language="de")
    robot.page.locator(".setup button[type=submit]").click()
    robot.page.locator(".matrix tbody button").first.click()
    robot.scored()
    for points in (0, 1, 2):
        robot.page.evaluate(WITH_POINTS, points)
        said = words["fifth-avenue.point-here" if points == 1 else "fifth-avenue.points-here"]
        assert robot.text(".ring .centre").split("\n") == [str(points), said]


def test_tiles_for_central_park_can_be_taken_back_and_need_not_be_three(visit: Opener) -> None:
    robot = visit("/score/fifth-avenue")
    robot.sit_down("Ada", "Bruno")
    robot.page.evaluate("() => document.querySelector('score-pad').enter({ type: 'go', place: 'park' })")
    assert not robot.button("Clear the tiles").count()
    robot.tap("boutique")
    robot.tap("Clear the tiles")
    assert robot.stored()["draft"]["tiles"] == []
    robot.tap("There were no tiles")
    assert robot.stored()["draft"]["drawn"]


def test_who_lost_a_tie_break_is_not_placed_by_it(visit: Opener) -> None:
    seats = [{**seat, "hand": hand} for seat, hand in zip(PALAZZO["seats"], (["red-7"], [], ["red-3"]), strict=True)]
    robot = visit(link_to({**PALAZZO, "seats": seats}))
    robot.page.locator(".places").wait_for()
    rows = robot.page.locator(".places li").all_inner_texts()
    assert [("Ada" in row, "best bid" in row) for row in rows] == [(True, True), (False, False), (False, False)]


def test_nothing_that_the_page_says_for_a_moment_is_printed(visit: Opener) -> None:
    robot = visit(link_to(sheet_of("palazzo", "four-plan")), permissions=["clipboard-read", "clipboard-write"])
    robot.tap("Copy as text")
    copied = robot.page.get_by_text("Copied.", exact=True)
    copied.wait_for()
    robot.page.emulate_media(media="print")
    assert not copied.is_visible()
    assert robot.page.locator(".places").is_visible()


def test_figures_so_far_are_one_for_each_palace(visit: Opener) -> None:
    robot = visit(link_to(PALAZZO), width=1280)
    robot.tap("Keep and change it here")
    robot.page.wait_for_selector(".pad-part")
    robot.scored()
    robot.tap("Cleo", role="tab")
    robot.tap("Floors & windows")
    robot.tap("1 floor", exact=True)
    robot.tap_in("Windows and doors", "2")
    robot.scored()
    assert robot.page.locator(".standing li .small").last.inner_text() == "20 · −5"


PLAYERS = {"it": "Giocatore 2", "es": "Jugador 2", "en": "Player 2", "de": "Person 2"}


@pytest.mark.parametrize("path", first_of(["/score/palazzo", "/play/palazzo"]))
def test_players_without_names_are_called_in_the_language_of_the_page(visit: Opener, path: str) -> None:
    """Wherever they are named: at the table, in what has happened, and on the start page."""
    robot = visit(path, language="de")
    if path.startswith("/play"):
        robot.page.locator("input[name=way]").nth(1).check()
    robot.page.locator(".setup input[type=text]").first.fill("Ada")
    robot.page.locator(".setup button[type=submit]").click()
    robot.page.locator(".players, #turn").wait_for()
    table = robot.page.url.partition("table=")[2]
    for language, player in list(PLAYERS.items())[:2]:
        robot.page.goto(f"{path}?lang={language}&table={table}")
        robot.page.locator(".players, #turn").wait_for()
        robot.settle()
        shown = robot.text("body")
        assert [other for other in PLAYERS.values() if (other in shown) != (other == player)] == []
        robot.page.goto(f"/?lang={language}")
        robot.page.locator(".unfinished").wait_for()
        assert f"Ada, {player}" in robot.text(".unfinished")


def test_a_link_calls_players_without_names_in_the_language_of_its_reader(visit: Opener) -> None:
    robot = visit("/score/palazzo", language="de", permissions=["clipboard-read", "clipboard-write"])
    robot.page.locator(".setup input").first.fill("Ada")
    robot.page.locator(".setup button[type=submit]").click()
    robot.page.locator(".tile").first.click()
    robot.page.locator("[role=tab]").nth(1).click()
    robot.page.locator(".tile").nth(1).click()
    robot.result()
    robot.tap("Als Text kopieren")
    robot.page.wait_for_function("async () => (await navigator.clipboard.readText()).includes('#d')")
    copied = robot.page.evaluate("() => navigator.clipboard.readText()")
    assert "Person 2" in copied
    link = copied.split("\n")[-1]
    other = visit(link[link.index("/score") :], language="it")
    other.page.locator(".places").wait_for()
    assert "Giocatore 2" in other.text(".places")


def test_a_heading_that_begins_a_view_has_no_frame(visit: Opener) -> None:
    robot = visit("/score/palazzo")
    robot.sit_down("Ada", "Bruno")
    robot.tile("marble 3 (1 window)")
    robot.tap("Bruno", role="tab")
    robot.tile("brick 3 (1 window)")
    robot.scored()
    robot.page.locator("header .button").press("Enter")
    heading = robot.page.locator("h1:focus")
    heading.wait_for()
    assert heading.evaluate("(one) => getComputedStyle(one).outlineStyle") == "none"


@pytest.mark.parametrize("path", ["/score/palazzo", "/play/palazzo"])
def test_the_page_stays_where_it_is_while_players_are_added(visit: Opener, path: str) -> None:
    robot = visit(path)
    if path.startswith("/play"):
        robot.page.locator("input[name=way]").nth(1).check()
    for player in (3, 4):
        robot.tap("Add a player")
        assert robot.page.evaluate("() => document.activeElement.getAttribute('aria-label')") == f"Player {player}"
        assert robot.page.evaluate("() => document.querySelector('header').getBoundingClientRect().top") == 0


A4_WITHOUT_MARGINS = {"width": 718, "height": 1047}
"""190 by 277 mm, in pixels."""


def test_printed_bills_show_the_palaces_and_four_fit_one_sheet(visit: Opener) -> None:
    sheet = sheet_of("palazzo", "four-plan")
    robot = visit(link_to(sheet))
    page = robot.page
    page.locator(".bills").wait_for()
    palaces = page.locator(".bill .built svg")
    assert palaces.count() == sum(len(seat["palaces"]) for seat in sheet["seats"]) > 4
    assert not palaces.first.is_visible()
    assert palaces.locator(".chosen").count() == 0
    page.set_viewport_size(A4_WITHOUT_MARGINS)
    page.emulate_media(media="print")
    assert all(palace.is_visible() for palace in palaces.all())
    box = page.locator(".bills").bounding_box()
    assert box["y"] + box["height"] <= A4_WITHOUT_MARGINS["height"]


SEEN_OF_THE_PICTURE = """() => {
  const { width, height } = document.querySelector("game-board").getBoundingClientRect();
  return (width * height) / (innerWidth * innerHeight);
}"""


@pytest.mark.parametrize("size", [(640, 400), (320, 568)])
def test_a_low_window_shows_picture_and_actions(visit: Opener, size: tuple[int, int]) -> None:
    robot = sat_down(visit("/play/palazzo"), "Ada", "Bruno", kinds={1: "planning"})
    robot.page.set_viewport_size({"width": size[0], "height": size[1]})
    assert robot.page.evaluate(SEEN_OF_THE_PICTURE) >= 0.4
    assert robot.page.locator(".actions button").last.is_visible()
    assert robot.sideways() <= 0


@pytest.mark.parametrize("language", pages.LANGUAGES)
def test_the_labels_of_the_objectives_are_not_cut(language: str) -> None:
    of_carrara = [position for position in kept_positions() if position.game.id == "carrara"]
    for position in of_carrara[:2]:
        picture = drawn(position, language=language)
        objectives = re.findall(r'data-place="/derived/objectives.*?</g>', picture, re.DOTALL)
        assert objectives
        assert not [one for one in objectives if "&#8230;" in one], position.layout


def test_no_dialog_stays_over_the_view_that_back_leads_to(visit: Opener) -> None:
    robot = visit("/score/palazzo")
    robot.sit_down("Ada", "Bruno")
    for player, tile in (("Ada", "brick 1 (1 window)"), ("Bruno", "marble 3 (1 window)")):
        robot.tap(player, role="tab")
        robot.tile(tile)
    robot.result()
    robot.tap("QR code")
    robot.page.locator("dialog[open]").wait_for()
    robot.page.go_back()
    robot.page.wait_for_selector(".pad-part")
    robot.page.locator("dialog").wait_for(state="detached")
