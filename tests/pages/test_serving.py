"""What the service sends to browsers, which want pages, and to programs, which do not."""

import gzip
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from capomastro import pages
from capomastro.api.application import create_app
from capomastro.games import all_games
from capomastro.settings import VARIABLES, Settings

BROWSER = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}
MAXIMUM_BYTES = 60 * 1024
"""Compressed size of everything needed for the first paint."""
MAXIMUM_TO_PLAY = 90_000
"""The same of the page to play on, with all that a first move needs."""

PAGES = ["/", "/replay", "/book", *(f"/{part}/{game}" for part in ("score", "play", "rules") for game in pages.pads())]


@pytest.fixture(scope="module")
def client() -> Iterator[FlaskClient]:
    with create_app().test_client() as client:
        yield client


def addresses_in(text: str) -> list[str]:
    return re.findall(r'(?:src|href)="(/pages/[^"]+)"', text)


@cache
def imported(path: str) -> frozenset[str]:
    """A module and everything that it imports statically, by their paths among the files."""
    text = pages.files()[path].content.decode()
    found = {path}
    for name in re.findall(r'^(?:import|export) (?:.*from )?"([^"]+)";$', text, re.MULTILINE):
        target = (Path("/") / Path(path).parent / name).resolve().relative_to("/").as_posix()
        found |= imported(target)
    return frozenset(found)


@pytest.mark.parametrize("path", PAGES)
def test_a_page_allows_nothing_but_its_own_files(client: FlaskClient, path: str) -> None:
    answer = client.get(path, headers=BROWSER)
    assert answer.status_code == 200
    assert answer.mimetype == "text/html"
    policy = dict(part.split(" ", 1) for part in answer.headers["Content-Security-Policy"].split("; "))
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
    text = answer.get_data(as_text=True)
    assert not re.search(r"<script(?![^>]* src=)|<style|\sstyle=|\son\w+=", text)
    assert not re.search(r"(?:src|href)=\"(?:https?:)?//", text)


@pytest.mark.parametrize("path", PAGES)
def test_every_file_of_a_page_can_be_cached_forever_and_is_compressed(client: FlaskClient, path: str) -> None:
    named = addresses_in(client.get(path, headers=BROWSER).get_data(as_text=True))
    assert named
    for address in named:
        answer = client.get(address, headers={"Accept-Encoding": "gzip"})
        assert answer.status_code == 200, address
        assert answer.headers["Content-Encoding"] == "gzip"
        assert "immutable" in answer.headers["Cache-Control"]
        assert gzip.decompress(answer.get_data()) == client.get(address).get_data()
        again = client.get(address, headers={"Accept-Encoding": "gzip", "If-None-Match": answer.headers["ETag"]})
        assert again.status_code == 304


def test_a_file_of_another_edition_is_answered_but_not_cached(client: FlaskClient) -> None:
    answer = client.get("/pages/000000000000/style.css")
    assert answer.status_code == 200
    assert "immutable" not in answer.headers["Cache-Control"]
    assert client.get(f"/pages/{pages.edition()}/none.css").status_code == 404
    assert client.get(f"/pages/{pages.edition()}/../__init__.py").status_code == 404


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("language", pages.LANGUAGES)
def test_the_first_paint_is_small(client: FlaskClient, path: str, language: str) -> None:
    """The page, the files that it names with everything that they import, the words of all pages and those of a pad."""
    page = client.get(f"{path}?lang={language}", headers={**BROWSER, "Accept-Encoding": "gzip"})
    text = client.get(f"{path}?lang={language}", headers=BROWSER).get_data(as_text=True)
    needed = {f"words/{language}.json"}
    for name in named_files(text):
        needed |= imported(name) if name.endswith(".js") else {name}
    _, part, game = (path + "//").split("/")[:3]
    if part == "score":
        needed |= imported(f"games/{game}.js") | {f"words/{game}.{language}.json"}
    if part == "play":
        needed |= {f"words/{game}.{language}.json", f"words/play.{language}.json"}
    most = MAXIMUM_TO_PLAY if part == "play" else MAXIMUM_BYTES
    assert any(name.endswith(".js") for name in needed)
    assert "style.css" in needed
    assert len(page.get_data()) + sum(len(pages.files()[name].compressed) for name in needed) < most


def named_files(text: str) -> set[str]:
    """The styles and modules that a page names, by their paths among the files."""
    named = {address.split("/", 3)[3] for address in addresses_in(text)}
    return {name for name in named if name.endswith((".js", ".css"))}


@pytest.mark.parametrize(
    ("accepted", "answered"),
    [
        ("it", "it"),
        ("de-AT, en;q=0.5", "de"),
        ("fr, es-MX;q=0.8, en;q=0.1", "es"),
        ("fr", "en"),
        ("it;q=0, de;q=0.1", "de"),
        ("*", "en"),
        ("", "en"),
    ],
)
def test_the_language_is_negotiated_range_by_range(client: FlaskClient, accepted: str, answered: str) -> None:
    answer = client.get("/", headers={**BROWSER, "Accept-Language": accepted})
    assert answer.headers["Content-Language"] == answered
    assert f'<html lang="{answered}">' in answer.get_data(as_text=True)
    assert {"Accept", "Accept-Language"} <= set(answer.vary)


LANGUAGES_IN_QUERIES = [
    ("es", "es"),
    ("it-IT", "it"),
    ("IT", "it"),
    ("es-419", "es"),
    ("it-x-private", "it"),
    ("xx", "de"),
    ("xx-IT", "de"),
    ("", "de"),
    ("-", "de"),
    ("it" * 5000, "de"),
]


@pytest.mark.parametrize(("named", "answered"), LANGUAGES_IN_QUERIES, ids=lambda text: text[:12])
@pytest.mark.parametrize("path", ["/", "/score/palazzo", "/docs/", "/no-such-page", "/score/chess"])
def test_the_query_takes_precedence_over_the_header(client: FlaskClient, path: str, named: str, answered: str) -> None:
    """It is read as the header is."""
    answer = client.get(f"{path}?lang={named}", headers={**BROWSER, "Accept-Language": "de"})
    assert f'<html lang="{answered}"' in answer.get_data(as_text=True)


def test_programs_get_the_same_answer_from_the_root_as_without_pages(client: FlaskClient) -> None:
    without = create_app(Settings(pages=0)).test_client()
    for accept in ("application/json", "*/*", "application/json, text/html;q=0.5"):
        given, before = (one.get("/", headers={"Accept": accept}) for one in (client, without))
        assert (given.status_code, given.get_data()) == (before.status_code, before.get_data())


def test_without_the_setting_there_are_no_pages() -> None:
    without = create_app(Settings(pages=0)).test_client()
    for path in ("/score/palazzo", "/rules/palazzo", "/favicon.ico"):
        assert without.get(path, headers=BROWSER).status_code == 404


def test_the_setting_names_every_page() -> None:
    (setting,) = (line for line in VARIABLES if line.name == "CAPOMASTRO_PAGES")
    assert {f"/{path.split('/')[1]}" for path in PAGES} == set(re.findall(r"/[a-z]*", setting.meaning))


def test_an_unknown_game_has_no_page(client: FlaskClient) -> None:
    assert client.get("/score/chess", headers=BROWSER).status_code == 404


def test_every_game_has_a_score_pad() -> None:
    assert pages.pads() == sorted(all_games())
