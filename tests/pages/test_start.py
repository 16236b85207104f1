"""The start page: what one can do here, what the games are, and what is unfinished."""

import pytest

from capomastro import pages
from tests.pages.conftest import Opener
from tests.pages.parameters import first_of

TITLES = {
    "en": "A referee for four building games",
    "it": "Un arbitro per quattro giochi di costruzione",
    "es": "Un árbitro para cuatro juegos de construcción",
    "de": "Ein Schiedsrichter für vier Bauspiele",
}
INTENTS = ("/score", "/play", "/replay")
MOST_BYTES = 35_000
"""Of the first load on a phone."""
TRANSFERRED = """() => [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
  .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)"""
ROWS = "(all) => all.map((row) => new Set([...row.children].map((one) => one.getBoundingClientRect().top)).size)"
PICTURES = "(all) => all.map((one) => one.complete && one.naturalWidth > 0)"


@pytest.mark.parametrize("language", first_of(reversed(pages.LANGUAGES)))
def test_the_start_page_leads_everywhere_in_the_language_of_the_browser(visit: Opener, language: str) -> None:
    robot = visit("/", language=language)
    assert " ".join(robot.text("h1").split()) == TITLES[language]
    assert robot.page.evaluate(TRANSFERRED) <= MOST_BYTES
    titles = robot.page.locator(".game h3").all_inner_texts()
    assert titles == sorted(titles, key=str.lower)
    links = robot.page.locator("a:not(.skip)").evaluate_all("(all) => all.map((one) => one.getAttribute('href'))")
    games = [f"/{page}/{game}" for game in pages.pads() for page in ("score", "play", "rules")]
    assert {f"{path}?lang={language}" for path in (*INTENTS, *games)} <= set(links)
    for link in dict.fromkeys(links) if language == "de" else ():  # the same in all languages
        answer = robot.page.request.get(link, headers={"Accept": "text/html"})
        assert answer.status == 200, link
        assert answer.headers["content-type"].startswith("text/html"), link
    for width in (320, 390, 1280):
        robot.page.set_viewport_size({"width": width, "height": 800})
        assert set(robot.page.locator(".game .go").evaluate_all(ROWS)) == {1}, width
        assert robot.page.locator(".intents").evaluate_all(ROWS) == [1 if width == 1280 else 3], width
        assert robot.sideways() <= 0, width
        assert robot.too_small() == [], width
    robot.page.wait_for_load_state("networkidle")
    assert robot.page.locator(".game img").evaluate_all(PICTURES) == [True] * len(pages.pads())


def test_the_chosen_language_is_remembered(visit: Opener) -> None:
    """A language with its region is remembered as that language, instead of the one that was remembered before."""
    robot = visit("/", language="en")
    robot.page.get_by_role("link", name="de", exact=True).click()
    robot.page.locator("html[lang=de]").wait_for()
    for address, remembered in (("/", "de"), ("/?lang=it-IT", "it"), ("/", "it")):
        robot.settle()
        robot.page.evaluate("(to) => { window.before = true; location.assign(to); }", address)
        robot.page.wait_for_function(
            "(tag) => !window.before && document.documentElement.lang === tag && location.search.includes(tag)",
            arg=remembered,
        )


def test_a_game_is_chosen_from_four_pictures_and_marked_the_next_time(visit: Opener, axe: str) -> None:
    robot = visit("/", language="en")
    robot.page.locator(".intents a").first.click()
    robot.page.locator("game-choice").wait_for()
    assert robot.page.locator("[aria-current]").count() == 0
    robot.page.locator("game-choice img").first.wait_for()
    robot.tap("Palazzo", role="link")
    robot.page.wait_for_url("**/score/palazzo?*")
    robot.settle()
    robot.page.goto("/score")
    assert robot.text("game-choice [aria-current]").split() == ["Palazzo", "last", "time"]
    assert [*robot.complaints(axe), *robot.too_small(), *robot.cut_off(), robot.sideways()] == [0]


def test_an_unfinished_table_can_be_continued_from_the_start_page(visit: Opener) -> None:
    robot = visit("/score/palazzo")
    robot.sit_down("Ada", "Bruno")
    robot.tile("brick 1 (1 window)")
    robot.page.goto("/")
    robot.page.wait_for_selector(".unfinished")
    assert "Ada, Bruno" in robot.text(".unfinished")
    robot.tap("Go on", role="link")
    robot.page.wait_for_selector(".palace:not(.new)")
