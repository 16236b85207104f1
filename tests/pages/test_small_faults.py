"""Small faults that people met with the pages in a browser, each with its kind."""

import json
import re
from typing import Any

import pytest

from capomastro import pages
from capomastro.games.palazzo.moves import Buy
from tests.pages.conftest import Opener
from tests.pages.robot import Robot
from tests.pages.sheets import link_to, sheet_of
from tests.pages.test_play import READY, TABLE, sat_at, sat_down, set_up
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


@pytest.mark.parametrize("language", pages.LANGUAGES)
def test_one_point_is_no_points(visit: Opener, language: str) -> None:
    words = json.loads((pages.FILES / "words" / f"fifth-avenue.{language}.json").read_text("utf-8"))
    robot = visit("/score/fifth-avenue", language=language)
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


@pytest.mark.parametrize("path", ["/score/palazzo", "/play/palazzo"])
def test_players_without_names_are_called_in_the_language_of_the_page(visit: Opener, path: str) -> None:
    """Wherever they are named: at the table, in what has happened, and on the start page."""
    robot = visit(path, language="de")
    if path.startswith("/play"):
        robot.page.locator("input[name=way]").nth(1).check()
    robot.page.locator(".setup input[type=text]").first.fill("Ada")
    robot.page.locator(".setup button[type=submit]").click()
    robot.page.locator(".players").wait_for()
    table = robot.page.url.partition("table=")[2]
    for language, player in PLAYERS.items():
        robot.page.goto(f"{path}?lang={language}&table={table}")
        robot.page.locator(".players").wait_for()
        robot.settle()
        shown = robot.text("main")
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


def names_of(robot: Robot) -> list[dict[str, Any]]:
    named: list[dict[str, Any]] = robot.page.evaluate(
        f"""() => {{ const it = {TABLE};
        return it.board.spots.filter(({{ token }}) => token && token !== "unknown").map((spot) =>
          ({{ place: spot.place, token: spot.token, name: it.nameOf(spot) }})); }}"""
    )
    return named


@pytest.mark.parametrize("language", pages.LANGUAGES)
def test_a_card_is_called_the_same_in_a_hand_as_on_the_table(visit: Opener, language: str) -> None:
    robot = visit("/play/campanile", language=language)
    sat_down(robot, "Ada", "Bruno", kinds={1: "random"})
    called = {(one["place"].endswith("/hand"), one["token"]): one["name"] for one in names_of(robot)}
    both = [token for in_hand, token in called if in_hand and (False, token) in called]
    assert both
    assert [token for token in both if called[True, token] != called[False, token]] == []


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
    page.set_viewport_size(A4_WITHOUT_MARGINS)
    page.emulate_media(media="print")
    assert all(palace.is_visible() for palace in palaces.all())
    box = page.locator(".bills").bounding_box()
    assert box["y"] + box["height"] <= A4_WITHOUT_MARGINS["height"]


SEEN_OF_THE_PICTURE = """() => {
  const picture = document.querySelector("game-board").getBoundingClientRect();
  const sheet = document.querySelector(".turn").getBoundingClientRect();
  const isBeside = sheet.left >= picture.right;
  return (Math.min(picture.bottom, isBeside ? innerHeight : sheet.top) - picture.top) / innerHeight;
}"""


@pytest.mark.parametrize("size", [(640, 400), (320, 568)])
def test_at_least_half_of_a_low_window_shows_the_picture(visit: Opener, size: tuple[int, int]) -> None:
    robot = sat_down(visit("/play/palazzo"), "Ada", "Bruno")
    robot.page.set_viewport_size({"width": size[0], "height": size[1]})
    robot.tap("I am Ada")
    robot.page.wait_for_function(READY)
    assert robot.page.evaluate(SEEN_OF_THE_PICTURE) >= 0.5
    assert robot.page.locator(".ways button").first.is_visible()
    assert robot.sideways() <= 0


CROSSED = """() => {
  const root = document.querySelector("game-board").shadowRoot;
  const scale = root.querySelector("svg").getScreenCTM().a;
  const line = (one) => parseFloat(getComputedStyle(one).strokeWidth) * scale / 2;
  const edges = (one, more) => {
    const { left, top, right, bottom } = one.getBoundingClientRect();
    return { left: left - more, top: top - more, right: right + more, bottom: bottom + more };
  };
  const all = (selector, more) => [...root.querySelectorAll(selector)].map((one) => edges(one, more(one)));
  const isApart = (one, other) =>
    one.right < other.left || other.right < one.left || one.bottom < other.top || other.bottom < one.top;
  const isWithin = (one, other) =>
    one.left >= other.left && one.top >= other.top && one.right <= other.right && one.bottom <= other.bottom;
  const outlines = all(".choice.over", line);
  const rings = all(".ring", (one) => -line(one));
  const captions = all("text.caption", () => -3 * scale);
  return {
    outlines: outlines.length,
    rings: rings.length,
    crossed: outlines.filter((one) => rings.some((ring) => !isWithin(one, ring) && !isApart(one, ring))).length,
    cut: outlines.filter((one) => captions.some((text) => !isWithin(text, one) && !isApart(text, one))).length,
  };
}"""
"""Outlines of what can be tapped: how many cross the ring around what is new, or the capitals of a caption."""


def test_what_can_be_tapped_what_is_new_and_labels_are_drawn_apart(visit: Opener) -> None:
    tiles = set_up("palazzo").play({"type": "build", "seat": 0}, seed="7")
    tiles = tiles.play(next(move for move in tiles.legal_moves if isinstance(move, Buy)), seed="7")
    cards = set_up("palazzo").play({"type": "take-money", "seat": 0}, seed="7")
    robot = visit("/play/palazzo")
    for position in (tiles, cards):
        sat_at(robot, position)
        shown = robot.page.evaluate(CROSSED)
        assert shown["outlines"] >= 2
        assert shown["rings"]
        assert (shown["crossed"], shown["cut"]) == (0, 0), position.decision.kind


COLOURS = {"en": "blue|pink", "de": "blau|rosa", "es": "azul|rosa", "it": "blu|rosa"}


@pytest.mark.parametrize("language", pages.LANGUAGES)
def test_the_hint_names_no_colours(language: str) -> None:
    """With forced colours they are others."""
    words = json.loads((pages.FILES / "words" / f"play.{language}.json").read_text("utf-8"))
    assert not re.search(COLOURS[language], words["play.tap"], re.IGNORECASE)


@pytest.mark.parametrize("language", pages.LANGUAGES)
def test_the_labels_of_the_objectives_are_not_cut(language: str) -> None:
    of_carrara = [position for position in kept_positions() if position.game.id == "carrara"]
    for position in of_carrara[:2]:
        picture = drawn(position, language=language)
        objectives = re.findall(r'data-place="/derived/objectives.*?</g>', picture, re.DOTALL)
        assert objectives
        assert not [one for one in objectives if "&#8230;" in one], position.layout
