"""Where the start page leads, and what it shows to type."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from capomastro import pages
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
