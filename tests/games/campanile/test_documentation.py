"""The page on Campanile says what was decided by us."""

from pathlib import Path

from capomastro.documents.wordings import rules_of
from capomastro.games.campanile.game import GAME

PAGE = (Path(__file__).parents[3] / "docs" / "campanile.md").read_text("utf-8")


def test_every_ruling_and_assumption_stands_in_the_page_with_its_mark() -> None:
    ours = {rule: entry["mark"] for rule, entry in rules_of(GAME).items() if entry["mark"] != "text"}
    told = {
        cells[1].strip(" `"): cells[2].strip()
        for line in PAGE.splitlines()
        if line.startswith("| `campanile.") and len(cells := line.split("|")) > 3
    }
    assert told == ours
