"""The start page."""

import pytest

from capomastro import pages
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
