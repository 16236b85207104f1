"""CSV that the command line writes: quoted, and with no text that a spreadsheet would run as a formula."""

import csv
import json
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Ask

FORMULAS = "=+-@" + "".join(chr(ord(sign) + 0xFEE0) for sign in "=+-@")
"""What a spreadsheet may take for the beginning of a formula, full-width signs included."""
BLANKS = " \t\r\n\u00a0\u200b\ufeff\0"
BEFORE = (
    *("", *BLANKS, "\r\n", "\u00a0 "),
    *("Ada;", "Ada; ", "Ada\r", "Ada\n\t"),
)
RECORD = {"game": "palazzo", "schema_version": 1, "rules_version": 1, "players": 2, "options": {}}
WRONG = [{"type": "take-money", "seat": 0}]
"""An illegal beginning."""


@pytest.fixture
def report(ask: Ask, tmp_path: Path) -> str:
    """The report on faulty records with ids and names like formulas."""
    texts = [f"{before}{sign}1+1" for sign, before in product(FORMULAS, BEFORE)]
    lines = [{**RECORD, "id": text, "names": [text, "B"], "moves": WRONG} for text in texts]
    Path("a.ndjson").write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    ask("replay", "a.ndjson", "--jobs", "1", "--report", "r.csv")
    return Path("r.csv").read_bytes().decode()


def cells_of(text: str, delimiter: str) -> list[str]:
    return [cell for row in csv.reader(text.splitlines(keepends=True), delimiter=delimiter) for cell in row]


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_no_spreadsheet_runs_a_text_of_a_report(report: str, delimiter: str) -> None:
    """Where a decimal comma is usual, Excel separates cells by semicolons, wherever quotes stand in the line."""
    assert len(report.split("\r\n")) > len(FORMULAS) * len(BEFORE)
    assert not [cell for cell in cells_of(report, delimiter) if cell.strip(BLANKS)[:1] in {*FORMULAS}]


def test_every_text_of_csv_is_quoted_and_no_number(ask: Ask, report: str) -> None:
    heads, first, *_ = report.split("\r\n")
    assert heads.startswith('"file","line","column","id",')
    assert first.startswith('"a.ndjson",1,')
    ask("play", "palazzo", "--players", "2", "--seed", "1", "--games", "1", "--record", "one.ndjson")
    figures: Any = ask("stats", "one.ndjson", "--csv").stdout.splitlines()
    assert figures[0] == '"game","players","table","of","measure","value"'
    assert figures[1] == '"palazzo",2,"games","","games",1'
