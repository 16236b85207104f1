"""The documentation and the reference on the site: complete, without broken links, readable without a script."""

import gzip
import json
import re
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urldefrag, urljoin, urlsplit

import pytest
from flask.testing import FlaskClient

from capomastro.api.application import create_app
from capomastro.api.documentation import GROUPS
from capomastro.games import all_games
from capomastro.settings import Settings
from tests.pages.conftest import Opener

DOCUMENTS = sorted(file.stem for file in (Path(__file__).parents[2] / "docs").glob("*.md"))
PAGES = [
    "/docs/",
    "/docs/reference",
    *(f"/docs/{name}" for name in DOCUMENTS),
    *(f"/docs/reference/{game}" for game in all_games()),
]
MOST_BYTES = 150_000
"""Of the first view, compressed."""


class Page(HTMLParser):
    """The addresses on a page, and its places that a link can lead to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.places: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        named = dict(attributes)
        self.links += [address for name in ("href", "src") if (address := named.get(name))]
        self.places |= {place for place in (named.get("id"),) if place}


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    return create_app(Settings(log_level="ERROR")).test_client()


def test_every_document_stands_in_one_group() -> None:
    assert sorted(name for names in GROUPS.values() for name in names) == DOCUMENTS


def test_no_link_of_any_page_leads_nowhere(client: FlaskClient) -> None:
    """Neither to another page nor to a place on it."""
    read: dict[str, Page | None] = {}

    def page_at(path: str) -> Page | None:
        if path not in read:
            with client.get(path, headers={"Accept": "text/html, */*;q=0.5"}) as answer:
                assert answer.status_code == 200, path
                read[path] = Page(answer.get_data(as_text=True)) if answer.mimetype == "text/html" else None
        return read[path]

    for path in PAGES:
        shown = page_at(path)
        assert shown is not None
        for link in shown.links:
            address, place = urldefrag(urljoin(path, link))
            if urlsplit(address).netloc:
                continue
            found = page_at(urlsplit(address).path)
            assert not place or (found and unescape(place) in found.places), f"{path} leads to {link}"


@pytest.mark.parametrize("game", all_games())
def test_the_reference_has_every_operation_without_a_script(client: FlaskClient, game: str) -> None:
    answer = client.get(f"/docs/reference/{game}")
    text = answer.get_data(as_text=True)
    specification = client.get(f"/v1/games/{game}/openapi.json").get_json()
    headings = re.findall(r'<span class="method">([A-Z]+)</span> <code>([^<]+)</code>', text)
    operations = [(method.upper(), path) for path, methods in specification["paths"].items() for method in methods]
    assert sorted(headings) == sorted(operations)
    assert set(specification["components"]["schemas"]) <= Page(text).places
    assert len(gzip.compress(answer.data)) < MOST_BYTES


def test_without_pages_the_documentation_is_there_all_the_same() -> None:
    client = create_app(Settings(log_level="ERROR", pages=0)).test_client()
    for path in ("/docs", "/docs/tutorial", "/docs/reference/palazzo"):
        text = client.get(path).get_data(as_text=True)
        assert 'href="/?' not in text, path
        files = re.findall(r'(?:href|src)="(/pages/[^"]+)"', text)
        assert files, path
        for file in files:
            with client.get(file) as answer:
                assert answer.status_code == 200


# --- in a browser ----------------------------------------------------------------------------------------------------


SHORTENED = """() => {
  for (const around of document.querySelectorAll("main, main *")) {
    const seen = new Map();
    for (const one of [...around.children]) {
      const kind = `${one.tagName} ${one.className}`;
      seen.set(kind, (seen.get(kind) ?? 0) + 1);
      if (seen.get(kind) > 4) one.remove();
    }
  }
}"""
"""Leaves four of a kind beside each other: a reference has hundreds, and axe takes as long for each."""


@pytest.mark.long
@pytest.mark.parametrize(("language", "dark", "width"), [("en", False, 1280), ("de", True, 320)])
def test_pages_are_accessible_and_no_wider_than_the_screen(
    visit: Opener, axe: str, language: str, dark: bool, width: int
) -> None:
    robot = visit("/docs/", language=language, dark=dark, width=width)
    for path in ("/docs/", "/docs/http", "/docs/reference", "/docs/reference/campanile"):
        robot.page.goto(f"{path}?lang={language}")
        assert robot.sideways() <= 0, path
        robot.page.evaluate(SHORTENED)
        assert robot.complaints(axe) == [], path


def test_an_operation_is_tried_with_its_example(visit: Opener) -> None:
    robot = visit("/docs/reference/palazzo")
    trial = robot.page.locator("#palazzo-create-setup try-operation")
    trial.get_by_role("button", name="Try it").click()
    body = trial.locator("textarea")
    body.fill(json.dumps({**json.loads(body.input_value()), "players": 2, "seed": "tried"}))
    trial.get_by_role("button", name="Send").click()
    answer = trial.get_by_role("status")
    answer.locator("pre").wait_for()
    assert answer.locator("p").inner_text().startswith("200 ")
    assert '"seats"' in answer.locator("pre").inner_text()
    rule = robot.page.locator("#palazzo-show-rule try-operation")
    rule.get_by_role("button", name="Try it").click()
    rule.get_by_role("button", name="Send").click()
    rule.get_by_role("status").locator("p", has_text="200 ").wait_for()
