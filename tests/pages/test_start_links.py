"""Where the start page leads, and what it shows to type."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from capomastro import pages
from capomastro.api.application import create_app
from capomastro.api.pages import POLICY
from capomastro.settings import Settings
from tests.pages.conftest import Opener
from tests.pages.sheets import link_to, sheet_of

JQ = Path(__file__).resolve().parents[1] / "support" / "jq_command.py"


def test_the_line_to_type_counts_what_the_page_saves(visit: Opener, tmp_path: Path) -> None:
    robot = visit(link_to(sheet_of("palazzo", "four-plan")))
    robot.page.locator(".places li").first.wait_for()
    robot.tap("Save …", exact=True)
    with robot.page.expect_download() as saved:
        robot.tap("Save as JSON")
    file = tmp_path / saved.value.suggested_filename
    file.write_bytes(Path(saved.value.path()).read_bytes())
    jq = tmp_path / "jq"
    jq.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{JQ}" "$@"\n')
    jq.chmod(0o755)
    robot.page.goto("/")
    line = robot.text(".code")
    ran = subprocess.run(
        ["bash", "-c", line],
        cwd=tmp_path,
        env={**os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"},
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout)["result"] == json.loads(file.read_bytes())["result"]


@pytest.mark.parametrize("language", pages.LANGUAGES)
def test_every_link_leads_to_a_page_in_the_language_of_the_reader(visit: Opener, language: str) -> None:
    robot = visit("/", language=language)
    to = "(all) => all.map((one) => one.getAttribute('href'))"
    links = [link for link in robot.page.locator("main a").evaluate_all(to) if not link.startswith("#")]
    assert {f"/rules/{game}?lang={language}" for game in pages.pads()} <= set(links)
    for link in dict.fromkeys(links):
        answer = robot.page.request.get(link, headers={"Accept": "text/html"})
        assert answer.status == 200, link
        assert answer.headers["content-type"].startswith("text/html"), link


@pytest.mark.parametrize("language", pages.LANGUAGES)
def test_the_links_of_a_game_stand_in_one_row(visit: Opener, language: str) -> None:
    robot = visit("/", language=language)
    tops = "(all) => all.map((row) => new Set([...row.children].map((one) => one.getBoundingClientRect().top)).size)"
    for width in (320, 390, 1280):
        robot.page.set_viewport_size({"width": width, "height": 844})
        assert set(robot.page.locator(".game .go").evaluate_all(tops)) == {1}, width
        assert robot.sideways() <= 0, width
        assert robot.too_small() == [], width


def test_the_line_to_type_stands_in_its_own_column(visit: Opener) -> None:
    robot = visit("/", width=1280)
    code, column = (robot.page.locator(part).bounding_box() for part in (".code", ".more > div > div:has(.code)"))
    assert code["width"] <= column["width"]
    assert "/docs/" in robot.page.locator(".more > div > div:has(.code) h3 a").get_attribute("href")


IN_SHADOW = re.compile(r"\[\[")
"""How axe begins the target of something in a shadow tree: of the API browser, only our header is in one."""


SPECIFICATION = {
    "openapi": "3.1.0",
    "info": {"title": "one operation", "version": "1"},
    "paths": {"/v1/games": {"get": {"tags": ["catalogue"], "responses": {"200": {"description": "all games"}}}}},
}
"""With the whole specification the browser computes for several seconds; its header does not depend on it."""


@pytest.mark.parametrize(("language", "dark"), [("en", False), ("it", True), ("es", False), ("de", True)])
def test_the_api_browser_leads_back_in_the_language_of_the_start_page(
    visit: Opener, axe: str, language: str, dark: bool
) -> None:
    robot = visit(f"/?lang={language}", dark=dark)
    robot.page.route("**/openapi.json", lambda route: route.fulfill(json=SPECIFICATION))
    robot.page.locator(".more > div > div:has(.code) h3 a").click()
    robot.page.locator(".opblock-tag").first.wait_for()
    back = robot.page.get_by_role("link", name=pages.words(language)["back"], exact=True)
    box = back.bounding_box()
    assert (box["width"] >= 44, box["height"] >= 44) == (True, True)
    assert [one for one in robot.complaints(axe) if IN_SHADOW.search(one)] == []
    back.click()
    robot.settle()
    assert robot.page.url.endswith(f"/?lang={language}")


def test_the_api_browser_is_as_it_comes_without_the_pages() -> None:
    without, with_pages = (create_app(Settings(pages=on)).test_client() for on in (0, 1))
    for path in ("/docs", "/docs/"):
        page, below_header = (client.get(path).get_data(as_text=True) for client in (without, with_pages))
        assert "shadowrootmode" not in page
        assert "shadowrootmode" in below_header
        assert page.partition('<div id="swagger-ui">')[2] == below_header.partition('<div id="swagger-ui">')[2]


def test_the_way_back_is_drawn_as_the_scripts_draw_it() -> None:
    drawn = re.search(r'\bback: "([^"]+)"', pages.files()["icons.js"].content.decode())
    assert drawn
    assert f'd="{drawn[1]}"' in pages.page("way-back.html", "en", files="").decode()


@pytest.mark.parametrize("path", ["/docs", "/docs/", "/docs/?lang=de"])
def test_the_api_browser_may_do_what_other_pages_may_and_no_more(path: str) -> None:
    for on in (0, 1):
        page = create_app(Settings(pages=on)).test_client().get(path)
        policy = dict(one.strip().split(" ", 1) for one in page.headers["Content-Security-Policy"].split(";"))
        other = dict(one.strip().split(" ", 1) for one in POLICY.split(";"))
        assert policy == {**other, "img-src": "'self' data:"}


DARK = "() => getComputedStyle(document.documentElement).backgroundColor === 'rgb(28, 32, 34)'"


def test_the_api_browser_tries_requests_in_the_colours_that_its_reader_prefers(visit: Opener, axe: str) -> None:
    """Whatever the policy refuses is an error in the console, and fails the test."""
    robot = visit("/", dark=True, width=1280)
    page = robot.page
    page.route("**/openapi.json", lambda route: route.fulfill(json=SPECIFICATION))
    page.goto("/docs/")
    page.locator(".opblock-tag", has_text="catalogue").click()
    page.locator(".opblock", has_text="/v1/games").first.click()
    page.get_by_role("button", name="Try it out").first.click()
    page.get_by_role("button", name="Execute").first.click()
    page.locator(".live-responses-table .response-col_status", has_text="200").wait_for()
    assert "fifth-avenue" in page.locator(".live-responses-table").inner_text()
    assert page.evaluate(DARK)
    page.emulate_media(color_scheme="light")
    page.wait_for_function(f"() => !({DARK})()")
