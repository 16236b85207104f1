"""Scoresheets that lack members, with too much of the rest: whatever is wrong is said in sentences with all values."""

from collections.abc import Iterator
from copy import deepcopy
from random import Random
from typing import Any

import pytest

from capomastro.adjudicator import score_scoresheet
from capomastro.documents.languages import languages, using_language
from capomastro.documents.problems import Problem
from capomastro.documents.wordings import package_of
from capomastro.engine.game import AnyGame
from capomastro.games import all_games
from tests.campaigns.sheets import changed, maker
from tests.support.playouts import play_out

SHEETS = 120
"""For each game."""

every_game = pytest.mark.parametrize("game", all_games().values(), ids=all_games())


def parts(document: Any) -> Iterator[Any]:
    """All objects and arrays in a document."""
    if isinstance(document, dict | list):
        yield document
        for part in document.values() if isinstance(document, dict) else document:
            yield from parts(part)


def damaged(sheet: dict[str, Any], random: Random) -> dict[str, Any]:
    """A copy with members left out, arrays full of one of their items, and a number changed."""
    other = deepcopy(sheet)
    for _ in range(random.randint(1, 5)):
        part = random.choice([part for part in parts(other["seats"]) if part] or [other])
        if isinstance(part, dict):
            del part[random.choice(list(part))]
        elif part is not other["seats"]:
            part[:] = [random.choice(part)] * random.randint(7, 20)
    if random.random() < 0.5:
        other["unfinished"] = True
    return changed(other, random)[1]


@every_game
def test_sheets_with_absent_members_are_answered(game: AnyGame) -> None:
    random = Random(game.id)
    plies = list(play_out(game, game.players[0], seed="absent members"))
    sheets = [sheet for _, sheet in maker(game).sheets(plies, random)]
    found = set()
    for _ in range(SHEETS):
        sheet = damaged(random.choice(sheets), random)
        with using_language(random.choice(languages(package_of(game)))):
            try:
                score_scoresheet(game, sheet)
            except Problem as problem:
                found.add(problem.id)
    assert "impossible-scoresheet" in found
