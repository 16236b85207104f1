"""The start page."""

import pytest

from capomastro import pages
from capomastro.documents.rule_examples import rule_examples
from capomastro.documents.wordings import rules_of
from capomastro.games import all_games
from tests.pages.conftest import Opener

TITLES = {
    "en": "Every stone where the rules allow",
    "it": "Ogni pietra dove le regole lo permettono",
    "es": "Cada piedra donde las reglas lo permiten",
    "de": "Jeder Stein, wo die Regeln es erlauben",
}


@pytest.mark.parametrize("language", pages.LANGUAGES)
def test_the_start_page_is_in_the_language_of_the_browser(visit: Opener, language: str) -> None:
    robot = visit("/", language=language)
    assert " ".join(robot.text("h1").split()) == TITLES[language]
    assert robot.page.locator(".game").count() == len(pages.pads())
    for game in pages.pads():
        assert robot.page.locator(f'.game a[href^="/score/{game}"]').count() == 1
        assert robot.page.locator(f'.game a[href^="/rules/{game}"]').count() == 1


def test_the_chosen_language_is_remembered(visit: Opener) -> None:
    robot = visit("/", language="en")
    robot.page.get_by_role("link", name="de", exact=True).click()
    robot.page.locator("html[lang=de]").wait_for()
    robot.settle()
    robot.page.evaluate("() => { window.before = true; location.assign('/'); }")
    robot.page.wait_for_function("() => !window.before && location.search === '?lang=de'")


def test_a_language_with_its_region_is_remembered_as_that_language(visit: Opener) -> None:
    """It takes precedence over the language that was remembered before."""
    robot = visit("/?lang=de", language="en")
    robot.page.evaluate("() => { window.before = true; location.assign('/?lang=it-IT'); }")
    robot.page.wait_for_function("() => !window.before && document.documentElement.lang === 'it'")
    robot.settle()
    robot.page.evaluate("() => { window.before = true; location.assign('/'); }")
    robot.page.wait_for_function("() => !window.before && location.search === '?lang=it'")


def test_an_unfinished_table_can_be_continued_from_the_start_page(visit: Opener) -> None:
    robot = visit("/score/palazzo")
    robot.sit_down("Ada", "Bruno")
    robot.tile("brick 1 (1 window)")
    robot.page.goto("/")
    robot.page.wait_for_selector(".unfinished")
    assert "Ada, Bruno" in robot.text(".unfinished")
    robot.tap("Go on", role="link")
    robot.page.wait_for_selector(".palace:not(.new)")


def test_the_rules_are_in_sections(visit: Opener, axe: str) -> None:
    robot = visit("/rules/palazzo#palazzo.scoring.tie")
    robot.page.wait_for_selector("article")
    assert robot.page.locator("article:target").get_attribute("id") == "palazzo.scoring.tie"
    assert robot.complaints(axe) == []


NOT_DRAWN = (
    """() => [...document.querySelectorAll("game-picture")].filter((one) => !one.shadowRoot.querySelector("svg"))"""
)
MOVED = """() => [...document.querySelectorAll("game-picture")].filter((one) => {
  const room = one.getBoundingClientRect(), drawn = one.shadowRoot.querySelector("svg").getBoundingClientRect();
  return Math.abs(room.height - drawn.height) > 1 || Math.abs(room.width - drawn.width) > 1;
}).map((one) => one.dataset.rule)"""


@pytest.mark.parametrize(
    ("game", "language", "width"),
    [("palazzo", "en", 1200), ("campanile", "it", 320), ("carrara", "es", 390), ("fifth-avenue", "de", 320)],
)
def test_rules_have_pictures_of_examples(visit: Opener, axe: str, game: str, language: str, width: int) -> None:
    """All are fetched after the rules can be read, each into the space reserved for it."""
    robot = visit(f"/rules/{game}", language=language, width=width)
    robot.page.wait_for_selector("article")
    examples = rule_examples(all_games()[game])
    robot.page.wait_for_function(f"() => ({NOT_DRAWN})().length === 0")
    shown = robot.page.locator("article:has(game-picture)")
    assert [one.get_attribute("id") for one in shown.all()] == list(examples)
    captions = robot.page.locator("article figcaption").all_inner_texts()
    assert captions == [rules_of(all_games()[game], language)[rule]["example"] for rule in examples]
    assert robot.page.evaluate(MOVED) == []
    assert robot.sideways() <= 0
    assert [*robot.complaints(axe), *robot.too_small(), *robot.cut_off()] == []


def test_rules_can_be_read_without_their_pictures(visit: Opener) -> None:
    robot = visit("/")
    robot.may_lose_the_service = True
    robot.page.route("**/rules/palazzo.*", lambda route: route.abort())
    robot.page.goto("/rules/palazzo")
    robot.page.wait_for_selector("figcaption")
    assert robot.page.locator("article").count() == len(rules_of(all_games()["palazzo"], "en"))
    assert robot.page.locator("figcaption").count() == len(rule_examples(all_games()["palazzo"]))
