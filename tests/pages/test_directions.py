"""Names in Hebrew and Arabic letters: figures, commas and other names beside them stay where they belong."""

from typing import Any

import pytest

from tests.pages.conftest import Opener
from tests.pages.parameters import first_of
from tests.pages.robot import Robot
from tests.pages.sheets import link_to, sheet_of
from tests.pages.test_distance import agreed, at_home
from tests.pages.test_play import READY, TABLE, sat_down
from tests.pages.test_share import content

NAMES = ("דוד 7", "سلمى", "משה (בן דוד)", "Cleo", "אבי")
RECORDS = {"palazzo": "four-plan", "campanile": "five-plan", "carrara": "tie-by-blocks", "fifth-avenue": "four-plan"}
NOT_ISOLATED = r"""() => {
  const letters = /[\u0590-\u06ff]/;
  const notIsolated = (text) => letters.test(text.replace(/\u2068[^\u2068]*?\u2069/g, ""));
  const found = [];
  const look = (root) => {
    for (const one of root.querySelectorAll("*")) {
      for (const name of ["aria-label", "title", "aria-valuetext", "placeholder"]) {
        const text = one.getAttribute(name) ?? "";
        if (notIsolated(text) && !NAMES.includes(text)) found.push(`${name}: ${text}`);
      }
      const own = [...one.childNodes].filter((child) => child.nodeType === Node.TEXT_NODE);
      if (!one.closest("bdi, textarea, script, style")) found.push(...own.map(({ data }) => data).filter(notIsolated));
      if (one.tagName === "BDI" && !NAMES.includes(one.textContent)) found.push(`no name: ${one.textContent}`);
      const flexes = getComputedStyle(one.parentElement ?? one).display.includes("flex");
      const alone = [...(one.parentElement?.childNodes ?? [])].every((beside) => beside.nodeType !== Node.TEXT_NODE);
      if (one.tagName === "BDI" && flexes && !alone) found.push(`torn apart: ${one.parentElement.textContent}`);
      if (one.matches("li input[type=text]") && one.dir !== "auto") found.push(`input: ${one.value}`);
      if (one.shadowRoot) look(one.shadowRoot);
    }
  };
  look(document);
  if (notIsolated(document.title)) found.push(document.title);
  return found;
}"""
"""The texts and labels in which letters from right to left stand beside others without being isolated."""

SIDES = """([selector, before, after]) => {
  const range = document.createRange();
  const walker = document.createTreeWalker(document.querySelector(selector), NodeFilter.SHOW_TEXT);
  const place = (wanted) => {
    walker.currentNode = walker.root;
    while (walker.nextNode()) {
      const at = walker.currentNode.data.indexOf(wanted);
      if (at < 0) continue;
      range.setStart(walker.currentNode, at);
      range.setEnd(walker.currentNode, at + wanted.length);
      return range.getBoundingClientRect();
    }
  };
  return place(before).right <= place(after).left + 1;
}"""
"""Whether one text stands left of another."""


def not_isolated(robot: Robot) -> list[str]:
    names = [*NAMES, *(f"{name} (2)" for name in NAMES)]
    found: list[str] = robot.page.evaluate(f"(names) => {{ const NAMES = names; return ({NOT_ISOLATED})(); }}", names)
    return found


def named(game: str) -> dict[str, Any]:
    """A scoresheet whose players have such names."""
    sheet = sheet_of(game, RECORDS[game])
    for seat, name in zip(sheet["seats"], NAMES, strict=False):
        seat["name"] = name
    return sheet


@pytest.mark.parametrize("game", first_of(RECORDS))
def test_names_on_score_pads_and_results_are_isolated(visit: Opener, game: str) -> None:
    robot = visit(link_to(named(game)))
    robot.page.wait_for_selector(".places li")
    assert not_isolated(robot) == []
    robot.page.locator("main.result .keep").click()
    robot.page.wait_for_selector(".pad-part")
    robot.scored()
    assert not_isolated(robot) == []
    if game != "palazzo":
        return  # what follows is the same for all games
    robot.tap("Menu")
    robot.tap("Players and names")
    assert not_isolated(robot) == []
    robot.tap("Menu")
    robot.tap("Evening book", role="link")
    robot.page.wait_for_selector(".evening-book .kept")
    assert not_isolated(robot) == []
    robot.page.goto("/")
    robot.settle()
    assert robot.page.locator("start-tables bdi").count() > 1
    assert not_isolated(robot) == []


def test_figures_stay_on_their_side_of_a_name(visit: Opener) -> None:
    robot = visit(link_to(named("palazzo")))
    robot.page.wait_for_selector(".places li")
    first, second = (robot.page.locator(".places li [data-name]").nth(at).inner_text() for at in range(2))
    points = robot.page.locator(".places li .points").first.inner_text()
    assert robot.page.evaluate(SIDES, [".why", first, points])
    assert robot.page.evaluate(SIDES, [".why", points, second])


def test_what_is_shared_has_isolated_names_and_data_have_not(visit: Opener) -> None:
    robot = visit(link_to(named("palazzo")), permissions=["clipboard-read", "clipboard-write"])
    robot.page.wait_for_selector(".places li")
    robot.tap("Copy as text")
    robot.page.get_by_text("Copied").wait_for()
    shared = robot.page.evaluate("() => navigator.clipboard.readText()")
    assert "\u2068דוד 7\u2069 " in shared
    robot.tap("Save …", exact=True)
    with robot.page.expect_download() as saved:
        robot.tap("Save as CSV")
    assert "\u2068" not in content(saved)
    link = robot.page.get_by_role("link", name="BG Stats").get_attribute("href")
    assert "%E2%81%A8" not in link
    robot.page.locator("main.result .keep").click()
    robot.page.wait_for_selector(".pad-part")
    assert robot.stored()["names"] == list(NAMES[:4])


FIRST = f"async () => {TABLE}.play((await {TABLE}.consult('legal-moves', {{ limit: 1 }})).moves[0])"
"""Plays the first legal move."""


@pytest.mark.parametrize("game", first_of(["palazzo", "fifth-avenue"]))
def test_names_at_a_table_are_isolated(visit: Opener, game: str) -> None:
    robot = sat_down(visit(f"/play/{game}"), *NAMES[:2])
    assert robot.page.locator("h2#turn bdi").count()
    robot.tap("In words")
    for _ in range(6):
        assert not_isolated(robot) == []
        if robot.page.evaluate(f"() => {TABLE}.acting") == "hand-over":
            robot.page.locator(".actions button").first.click()
            robot.page.wait_for_function(READY)
            continue
        robot.page.evaluate(FIRST)
        robot.page.wait_for_function(READY)
    robot.tap("Menu")
    robot.tap("New game")
    assert not_isolated(robot) == []


def test_names_at_a_game_that_is_over_and_in_the_viewer_are_isolated(visit: Opener) -> None:
    robot = sat_down(visit("/play/carrara"), *NAMES[:2], kinds={0: "random", 1: "random"})
    robot.page.locator(".playing .result").wait_for()
    assert not_isolated(robot) == []
    robot.page.locator(".parting, .repairs").get_by_role("button").first.click()
    robot.page.locator(".viewer").wait_for()
    robot.page.locator("move-list a:visible").first.wait_for()
    assert not_isolated(robot) == []
    robot.page.get_by_role("button", name="To the end").click()
    robot.page.get_by_role("button", name="Text").click()
    robot.page.locator(".in-words li").first.wait_for()
    assert not_isolated(robot) == []


def test_names_of_a_game_at_a_distance_are_isolated(visit: Opener) -> None:
    players = at_home(visit, "palazzo", *NAMES[:2])
    assert not_isolated(players[1].robot) == []
    agreed(players)
    assert not_isolated(players[0].robot) == []
    assert not_isolated(players[1].robot) == []
    assert players[0].kept()["invitation"]["names"] == list(NAMES[:2])
