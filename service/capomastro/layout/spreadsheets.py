"""CSV (RFC 4180) for spreadsheets; none runs a text in it as a formula."""

import csv
import io
import re
from collections.abc import Iterable
from unicodedata import category

SIGNS = frozenset("=+-@＝＋－＠")
"""What a formula begins with, full-width signs included."""
END_OF_CELL = re.compile(r"([;\t\r\n])")
"""What a spreadsheet may take for the end of a cell, even within quotes: a semicolon where a decimal comma is usual."""


def csv_row(cells: Iterable[str | float]) -> str:
    """A row: texts are quoted and guarded, numbers are not."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n", quoting=csv.QUOTE_NONNUMERIC)
    writer.writerow([guarded(cell) if isinstance(cell, str) else cell for cell in cells])
    return text.getvalue()


def guarded(text: str) -> str:
    """A text with an apostrophe before everything in it that looks like a formula."""
    return "".join(map(guarded_cell, END_OF_CELL.split(text)))


def guarded_cell(text: str) -> str:
    """The same for what a spreadsheet may take for one cell."""
    before = next((at for at, character in enumerate(text) if not is_skipped(character)), len(text))
    return f"{text[:before]}'{text[before:]}" if text[before : before + 1] in SIGNS else text


def is_skipped(character: str) -> bool:
    """Whether a spreadsheet may pass over a character before a formula: a quote, a blank or one that is not seen."""
    return character in "\"'" or character.isspace() or category(character).startswith("C")
