"""The rules of a game as a page: rendered by the service, folded, searchable, with illustrations."""

from html import unescape

import pytest
from flask.testing import FlaskClient

from capomastro.api.application import create_app
from capomastro.catalogue import rules
from capomastro.documents.languages import languages, using_language
from capomastro.documents.rule_examples import rule_examples
from capomastro.documents.wordings import SHARED, rules_of, words_of
from capomastro.games import all_games
from capomastro.settings import Settings
from tests.pages.conftest import Opener


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    return create_app(Settings(log_level="ERROR")).test_client()


@pytest.mark.parametrize("game", all_games())
def test_every_rule_stands_on_the_page_once_without_a_script(client: FlaskClient, game: str) -> None:
    for language in languages(SHARED):
        text = unescape(client.get(f"/rules/{game}?lang={language}").get_data(as_text=True))
        for id, rule in rules_of(all_games()[game], language).items():
            assert text.count(f'<article id="{id}">\n<p>{rule["wording"]}</p>') == 1
        for part in words_of(all_games()[game], language).catalogue["summary"]:
            assert part["text"] in text
        for id in rule_examples(all_games()[game]):
            assert f"/rules/{game}/{id}.{language}.svg" in text


def test_chapters_come_in_the_order_of_the_rulebook_and_documents_last(client: FlaskClient) -> None:
    text = client.get("/rules/palazzo").get_data(as_text=True)
    every = rules(all_games()["palazzo"]).rules
    play = [rule.id for rule in every if rule.concerns == "play" and ".components." not in rule.id]
    box = [rule.id for rule in every if rule.concerns == "play" and ".components." in rule.id]
    documents = [rule.id for rule in every if rule.concerns == "documents"]
    chapters = list(dict.fromkeys(id.split(".")[1] for id in play))
    expected = [*sorted(play, key=lambda id: chapters.index(id.split(".")[1])), *box, *documents]
    assert sorted(expected, key=lambda id: text.index(f'id="{id}"')) == expected


def test_a_picture_is_in_the_language_of_its_page(client: FlaskClient) -> None:
    for language in ("en", "de"):
        answer = client.get(f"/rules/palazzo/palazzo.scoring.windows.{language}.svg")
        assert answer.mimetype == "image/svg+xml"
        with using_language(language):
            caption = rules_of(all_games()["palazzo"])["palazzo.scoring.windows"]["example"]
        assert caption in answer.get_data(as_text=True)
    for name in ("palazzo.turn.seat.en", "palazzo.no.such.en", "palazzo.scoring.windows.fr"):
        assert client.get(f"/rules/palazzo/{name}.svg").status_code == 404


# --- in a browser ----------------------------------------------------------------------------------------------------

NOT_DRAWN = "() => [...document.images].filter((one) => !one.complete || !one.naturalWidth).length"
HEIGHT = "() => document.documentElement.scrollHeight"
GROWN = """() => {
  const place = document.querySelector("search-rules"), shown = place.offsetHeight;
  place.replaceChildren();
  return shown - place.offsetHeight;
}"""
IN_SIGHT = """(id) => {
  const place = document.getElementById(id).getBoundingClientRect();
  return document.elementFromPoint(place.x + 20, place.y + 14)?.closest("article")?.id === id;
}"""


@pytest.mark.long
@pytest.mark.parametrize(
    ("game", "language", "width", "dark"),
    [("palazzo", "en", 1200, False), ("campanile", "it", 320, True), ("fifth-avenue", "de", 390, False)],
)
def test_rules_are_accessible_and_their_pictures_have_their_room(
    visit: Opener, axe: str, game: str, language: str, width: int, dark: bool
) -> None:
    robot = visit(f"/rules/{game}", language=language, width=width, dark=dark)
    page = robot.page
    page.evaluate("() => document.querySelectorAll('details').forEach((folded) => (folded.open = true))")
    before = page.evaluate(HEIGHT)
    page.evaluate("() => [...document.images].forEach((one) => (one.loading = 'eager'))")
    page.wait_for_function(f"() => ({NOT_DRAWN})() === 0")
    assert page.evaluate(HEIGHT) == before
    assert robot.sideways() <= 0
    assert [*robot.too_small(), *robot.cut_off()] == []
    if width != 390:  # between the narrowest and the widest there is nothing new
        assert robot.complaints(axe) == []


@pytest.mark.parametrize("rule", ["palazzo.scoring.tie", "palazzo.setup.ply"])
def test_a_link_to_a_rule_leads_to_it_even_if_it_is_folded(visit: Opener, rule: str) -> None:
    robot = visit(f"/rules/palazzo#{rule}", width=390)
    robot.page.wait_for_function(f"() => ({IN_SIGHT})('{rule}')")


def test_what_is_typed_is_found(visit: Opener) -> None:
    robot = visit("/rules/palazzo")
    page = robot.page
    everything = page.locator("article:visible").count()
    page.get_by_role("searchbox").fill("FIFTH rider")
    page.get_by_role("status").filter(has_text="Found").wait_for()
    found = page.locator("article:visible")
    assert 0 < found.count() < everything
    assert all("fifth rider" in text.lower() for text in found.all_inner_texts())
    page.get_by_role("searchbox").fill("")
    page.wait_for_function(
        "() => [...document.querySelectorAll('section.chapter article')].every((one) => !one.hidden)"
    )
    assert page.locator("article:visible").count() == everything
    assert page.evaluate(GROWN) == 0, "what the script writes has its room before"


def test_the_contents_lead_to_what_a_search_has_hidden(visit: Opener) -> None:
    robot = visit("/rules/palazzo", width=1200)
    robot.page.get_by_role("searchbox").fill("fifth rider")
    robot.page.get_by_role("status").filter(has_text="Found").wait_for()
    for link in robot.page.locator(".contents a").all():
        if robot.page.locator(link.get_attribute("href")).is_hidden():
            link.click()
            break
    robot.page.wait_for_function("() => document.querySelector(location.hash).getBoundingClientRect().top < 200")
    assert robot.page.locator(":target").is_visible()
    assert robot.page.get_by_role("searchbox").input_value() == ""


def test_back_and_the_address_lead_to_what_a_search_has_hidden(visit: Opener) -> None:
    """Also into a chapter that is folded."""
    robot = visit("/rules/palazzo#palazzo.setup.ply", width=1200)
    page, search = robot.page, robot.page.get_by_role("searchbox")

    def find(words: str) -> None:
        search.fill(words)
        page.get_by_role("status").filter(has_text="Found").wait_for()

    def is_led_to(rule: str) -> None:
        page.wait_for_function(f"() => !document.querySelector('search-rules input').value && ({IN_SIGHT})('{rule}')")

    find("fifth rider")
    page.evaluate("() => { location.hash = 'palazzo.scoring.tie'; }")
    is_led_to("palazzo.scoring.tie")
    find("fifth rider")
    page.go_back()
    is_led_to("palazzo.setup.ply")
