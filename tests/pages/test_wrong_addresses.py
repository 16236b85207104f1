"""Wrong addresses, and faults of the service: a page for people in browsers, the problem for programs."""

import html
import json
from collections.abc import Iterator
from typing import Any

import pytest
from flask.testing import FlaskClient

from capomastro import pages
from capomastro.api.application import create_app
from capomastro.engine.game import AnyGame
from capomastro.settings import Settings
from tests.pages.conftest import Opener
from tests.pages.parameters import first_of

BROWSER = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}
WRONG = ["/nothing-here", "/score/chess", "/play/chess", "/rules/chess", "/rules", "/pages/x/y.css"]


@pytest.fixture(scope="module")
def client() -> Iterator[FlaskClient]:
    with create_app().test_client() as client:
        yield client


def problem(client: FlaskClient, path: str, language: str, accept: str = "application/json") -> dict[str, Any]:
    answer = client.get(path, headers={"Accept": accept, "Accept-Language": language})
    assert answer.status_code == 404
    assert answer.mimetype == "application/problem+json"
    assert "Accept" in answer.vary
    found: dict[str, Any] = json.loads(answer.get_data())
    return found


@pytest.mark.parametrize("language", pages.LANGUAGES)
@pytest.mark.parametrize("path", WRONG)
def test_a_browser_gets_a_page_with_the_words_of_the_problem(client: FlaskClient, path: str, language: str) -> None:
    answer = client.get(path, headers={**BROWSER, "Accept-Language": language})
    assert answer.status_code == 404
    assert answer.mimetype == "text/html"
    assert answer.headers["Content-Language"] == language
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.headers["Content-Security-Policy"].startswith("default-src 'none'")
    assert {"Accept", "Accept-Language"} <= set(answer.vary)
    text = html.unescape(answer.get_data(as_text=True))
    assert f'<html lang="{language}">' in text
    expected = problem(client, path, language)
    assert f"<h1>{expected['title']}</h1>" in text
    assert expected["detail"] in text
    assert f'href="/?lang={language}"' in text


@pytest.mark.parametrize("accept", ["application/json", "*/*", "application/problem+json", "text/plain"])
def test_a_program_gets_the_problem_as_without_pages(client: FlaskClient, accept: str) -> None:
    without = create_app(Settings(pages=0)).test_client()
    for path in ("/nothing-here", "/games/palazzo"):
        before = json.loads(without.get(path, headers={"Accept": accept}).get_data())
        assert problem(client, path, "en", accept) == before
    assert problem(client, "/score/chess", "en", accept)["type"] == "/v1/problems/not-found"


@pytest.mark.parametrize("path", WRONG)
def test_the_page_is_in_the_language_of_the_address(client: FlaskClient, path: str) -> None:
    answer = client.get(f"{path}?lang=it", headers={**BROWSER, "Accept-Language": "de"})
    text = html.unescape(answer.get_data(as_text=True))
    assert answer.headers["Content-Language"] == "it"
    assert '<html lang="it">' in text
    assert 'href="/?lang=it"' in text
    assert problem(client, path, "it")["detail"] in text
    unknown = client.get(f"{path}?lang=tlh", headers={**BROWSER, "Accept-Language": "de"})
    assert unknown.headers["Content-Language"] == "de"


def test_a_program_that_names_a_language_in_the_address_gets_the_problem_as_without_pages(client: FlaskClient) -> None:
    without = create_app(Settings(pages=0)).test_client()
    for path in ("/nothing-here?lang=it", "/v1/nothing-here?lang=it"):
        asked = {"Accept": "application/json", "Accept-Language": "de"}
        assert client.get(path, headers=asked).get_json() == without.get(path, headers=asked).get_json()


def test_what_a_program_asks_of_the_service_stays_a_problem(client: FlaskClient) -> None:
    for path in ("/v1/games/chess", "/v1/games/palazzo/rules/none", "/v1/game/palazzo"):
        answer = client.get(path, headers=BROWSER)
        assert answer.status_code == 404
        assert answer.mimetype == "application/problem+json"
    sent = client.post("/nothing-here", headers=BROWSER, json={})
    assert sent.mimetype == "application/problem+json"


def test_a_browser_gets_a_page_if_the_service_is_at_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(game: AnyGame, language: str) -> dict[str, str]:
        raise RuntimeError("broken")

    monkeypatch.setattr("capomastro.api.pages.names_of_things", broken)
    client = create_app().test_client()
    answer = client.get("/score/palazzo", headers={**BROWSER, "Accept-Language": "de"})
    assert (answer.status_code, answer.mimetype) == (500, "text/html")
    assert {"Accept", "Accept-Language"} <= set(answer.vary)
    for_programs = client.get("/score/palazzo", headers={"Accept": "application/json", "Accept-Language": "de"})
    assert (for_programs.status_code, for_programs.mimetype) == (500, "application/problem+json")
    expected = json.loads(for_programs.get_data())
    assert f"<h1>{expected['title']}</h1>" in html.unescape(answer.get_data(as_text=True))


def test_without_pages_everybody_gets_the_problem() -> None:
    without = create_app(Settings(pages=0)).test_client()
    assert without.get("/nothing-here", headers=BROWSER).mimetype == "application/problem+json"


@pytest.mark.parametrize(
    ("language", "dark", "width"), first_of([("de", True, 320), ("en", False, 390), ("it", False, 1280)])
)
def test_the_page_is_accessible(visit: Opener, axe: str, language: str, dark: bool, width: int) -> None:
    robot = visit("/nothing-here", language=language, dark=dark, width=width)
    assert language == "it" or robot.complaints(axe) == []
    assert robot.too_small() == []
    assert robot.cut_off() == []
    assert robot.sideways() <= 0
    assert robot.page.locator(".games .game").count() == len(pages.pads())
    robot.page.locator("main .button").click()
    robot.page.locator(".games").wait_for()
