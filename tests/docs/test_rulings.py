"""Every game's page shows all rulings and assumptions of its catalogue, each with its mark, and nothing else."""

import re
from pathlib import Path

import pytest

from capomastro.documents.wordings import rules_of
from capomastro.engine.game import AnyGame
from capomastro.games import all_games

DOCS = Path(__file__).resolve().parents[2] / "docs"
HEADING = "## Our rulings"
ROW = re.compile(r"\| `([a-z.-]+)` \| (\w+) \| \S.* \|")


@pytest.mark.parametrize("game", all_games().values(), ids=all_games())
def test_a_page_shows_every_ruling_with_its_mark(game: AnyGame) -> None:
    page = (DOCS / f"{game.id}.md").read_text("utf-8")
    section = page.partition(HEADING)[2].partition("\n## ")[0]
    shown = ROW.findall(section)
    assert shown == [(id, rule["mark"]) for id, rule in rules_of(game).items() if rule["mark"] != "text"]
