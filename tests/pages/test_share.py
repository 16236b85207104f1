"""What a page exports: QR codes, links, text, CSV, BG Stats."""

import csv
import io
import json
from itertools import cycle, product
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import segno
from segno import consts

from tests.pages.conftest import Opener
from tests.pages.robot import Robot

FILES = "document.querySelector('score-pad').getAttribute('files')"


def call(robot: Robot, module: str, function: str, *arguments: object) -> Any:
    """The result of a function of a module of the pages."""
    return robot.page.evaluate(
        f"async (given) => (await import({FILES} + '/{module}.js')).{function}(...given)", list(arguments)
    )


def content(saved: Any) -> str:
    """The content of a file that the page offered, with its line ends as they are."""
    return Path(saved.value.path()).read_bytes().decode()


@pytest.mark.long
def test_a_qr_code_equals_that_of_another_program(visit: Opener) -> None:
    """Filled to the last byte, because segno pads with one more zero byte than ISO/IEC 18004; readers skip both."""
    robot = visit("/score/palazzo")
    capacities: Any = consts.SYMBOL_CAPACITY
    errors = {"L": consts.ERROR_LEVEL_L, "M": consts.ERROR_LEVEL_M}
    for version, level in zip((1, 2, 6, 7, 9, 10, 21, 27, 32, 40), cycle("LM")):
        capacity = capacities[version][errors[level]] // 8 - (2 if version < 10 else 3)
        text = ("https://example.org/score/palazzo#d" + "aB3-_" * 700)[:capacity]
        ours = call(robot, "qr", "qrCode", text, level, version % 8)
        theirs = segno.make_qr(text, error=level, boost_error=False, mask=version % 8, mode="byte")
        assert theirs.version == version
        assert ours == [[bool(module) for module in row] for row in theirs.matrix], (version, level)


def test_a_text_that_is_too_long_has_no_qr_code(visit: Opener) -> None:
    robot = visit("/score/palazzo")
    assert call(robot, "qr", "qrCode", "x" * 2953, "L") is not None
    assert call(robot, "qr", "qrCode", "x" * 2954, "L") is None


def test_links_are_unpacked_to_what_was_packed(visit: Opener) -> None:
    robot = visit("/score/palazzo")
    for value in ({}, {"game": "palazzo", "seats": [{"name": "Zoë 🏛"}]}, ["x" * 5000]):
        packed = call(robot, "link", "packed", value)
        assert packed[0] == "d"
        assert packed.replace("-", "").replace("_", "").isalnum()
        assert call(robot, "link", "unpacked", packed) == value


def test_csv_and_bg_stats_match_the_page(visit: Opener) -> None:
    robot = visit("/score/palazzo")
    robot.sit_down("=Ada", 'Bruno "B", junior')
    robot.tap("Floors & windows")
    robot.tap("5 floors", exact=True)
    robot.tap_in("Windows and doors", "11")
    robot.result(nothing_of='Bruno "B", junior')
    robot.tap("Save …", exact=True)
    with robot.page.expect_download() as saved:
        robot.tap("Save as CSV")
    rows = read_csv(content(saved))
    assert rows[0] == ["player", "place", "where", "why", "points", "rule"]
    assert rows[1][0] == "'=Ada"
    assert rows[1][4:] == ["17", "palazzo.scoring.windows"]
    assert rows[-1] == ['Bruno "B", junior', "2", "", "in all", "0", ""]
    link = robot.page.get_by_role("link", name="BG Stats").get_attribute("href")
    play = json.loads(parse_qs(urlsplit(link).query)["data"][0])
    assert play["game"]["name"] == "Palazzo"
    assert [(one["name"], one["score"], one["rank"], one["winner"]) for one in play["players"]] == [
        ("=Ada", "17", 1, True),
        ('Bruno "B", junior', "0", 2, False),
    ]
    robot.tap("Save …", exact=True)
    with robot.page.expect_download() as saved:
        robot.tap("Save as JSON")
    saved_result = json.loads(content(saved))
    assert [player["total"] for player in saved_result["result"]["players"]] == [17, 0]


def read_csv(text: str, delimiter: str = ",") -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))


CSV_OF = """async (names) => {
  const { asCsv } = await import(FILES + '/share.js');
  const lines = names.map((_, at) => ({ rule: "a.b", points: at - 2 }));
  const players = names.map((_, seat) => ({ seat, place: seat ? null : 1, total: -seat, lines }));
  return asCsv({ names, result: { players }, wrong: [] }, (line) => ({ group: names[0], reason: names[1] }));
}""".replace("FILES", FILES)
FORMULAS = "=+-@" + "".join(chr(ord(sign) + 0xFEE0) for sign in "=+-@")
"""What a spreadsheet may take for the beginning of a formula, full-width signs included."""
BLANKS = " \t\r\n\u00a0\u200b\ufeff\0"
BEFORE = (
    *("", *BLANKS, "\r\n", "\u00a0 "),
    *("Ada;", "Ada; ", "Ada\r", "Ada\n\t"),
)


def test_no_spreadsheet_runs_a_text_of_a_csv_file(visit: Opener) -> None:
    """Where a decimal comma is usual, Excel separates cells by semicolons, wherever quotes stand in the line."""
    robot = visit("/score/palazzo")
    for sign, before in product(FORMULAS, BEFORE):
        name = f"{before}{sign}1+1"
        text = robot.page.evaluate(CSV_OF, [name, f'"{name}', f'B"o;{name}'])
        assert text.endswith("\r\n")
        rows = read_csv(text)
        assert {len(row) for row in rows} == {6}
        assert rows[1][0] == rows[1][2] == f"{before}'{sign}1+1"
        assert rows[1][4] == "-2"
        for delimiter in ",;\t":
            cells = [cell for row in read_csv(text, delimiter) for cell in row if not cell.lstrip("-").isdigit()]
            assert not [cell for cell in cells if cell.strip(BLANKS)[:1] in {*FORMULAS}], text


def test_every_text_of_a_csv_file_is_quoted_and_no_number(visit: Opener) -> None:
    robot = visit("/score/palazzo")
    text = robot.page.evaluate(CSV_OF, ["Ada", 'Bruno "B"; C=D-E', "a-b"])
    assert text.split("\r\n")[:3] == [
        '"player","place","where","why","points","rule"',
        '"Ada",1,"Ada","Bruno ""B""; C=D-E",-2,"a.b"',
        '"Ada",1,"Ada","Bruno ""B""; C=D-E",-1,"a.b"',
    ]
    assert text.split("\r\n")[4] == '"Ada",1,"","in all",0,""'


def test_the_result_has_a_text_for_chats_and_a_qr_code(visit: Opener) -> None:
    robot = visit("/score/palazzo", permissions=["clipboard-read", "clipboard-write"])
    robot.sit_down("Ada", "Bruno")
    robot.tile("marble 1 (3 windows)")
    robot.result(nothing_of="Bruno")
    robot.tap("Copy as text")
    robot.page.wait_for_function(
        "() => [...document.querySelectorAll('[role=status]')].some((one) => one.textContent === 'Copied.')"
    )
    lines = robot.page.evaluate("() => navigator.clipboard.readText()").split("\n")
    assert lines[:3] == ["Palazzo", "1. Bruno 0", "2. Ada −5"]
    assert lines[3] == "Bruno has 0 points, 5 more than Ada."
    assert "/score/palazzo#d" in lines[4]
    robot.tap("QR code")
    robot.page.wait_for_selector("dialog svg.qr path")
