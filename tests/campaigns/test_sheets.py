"""A few games of `make campaign NAME=sheets` with every test; and what it looks for would be found."""

import json
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from capomastro.engine.refusals import refuse
from capomastro.engine.scoresheets import Judgement
from capomastro.games import all_games
from tests.campaigns import sheets
from tests.campaigns.resuming import finished_blocks
from tests.support.documents import leaves

SETUPS = list(enumerate(sheets.every_setup()))


@pytest.mark.parametrize("place", [place for place, _ in SETUPS], ids=[str(setup) for _, setup in SETUPS])
def test_a_game_of_every_setup(place: int) -> None:
    result = sheets.block(place, 0, games=1)
    assert not result["faults"]
    assert result["counted"]["games"] == 1


def test_every_game_has_sheets_to_fill_in() -> None:
    assert {setup.game.id for _, setup in SETUPS if sheets.maker(setup.game).sheets} == all_games().keys()


def faults_of(game: str, seeds: int) -> list[str]:
    setup = next(setup for _, setup in SETUPS if setup.game.id == game)
    found = (sheets.faults_of_game(setup, str(seed), Counter()) for seed in range(seeds))
    return [fault["fault"] for faults in found for fault in faults]


def test_a_table_that_cannot_be_and_is_accepted_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(all_games()["campanile"]), "judge_scoresheet", lambda *_: Judgement())
    assert set(faults_of("campanile", 3)) == {"accepted, but impossible"}


def test_a_table_that_was_played_and_is_refused_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    fault = refuse("palazzo.scoring.sheet-palaces", "/seats/0/palaces", seat=0)
    monkeypatch.setattr(type(all_games()["palazzo"]), "judge_scoresheet", lambda *_: Judgement((), (fault,)))
    assert faults_of("palazzo", 1) == ["a sheet of a played game is refused"] * 3


def test_another_result_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    game = type(all_games()["palazzo"])
    monkeypatch.setattr(game, "result", lambda self, state, real=game.result: replace(real(self, state), winners=()))
    assert faults_of("palazzo", 1) == ["another result than that of the game"] * 3


def test_one_number_is_changed_and_nothing_else() -> None:
    random = Random(0)
    sheet = {
        "game": "palazzo",
        "schema_version": 1,
        "seats": [{"name": "Ada 1", "palaces": [["brick-1-3"], {"floors": 2, "windows": 3, "material": "one"}]}],
    }
    seen = set()
    for _ in range(100):
        pointer, other = sheets.changed(sheet, random)
        seen.add(pointer)
        before, after = dict(leaves(sheet)), dict(leaves(other))
        assert {place for place in before if before[place] != after[place]} == {pointer}
    palaces = "/seats/0/palaces"
    assert seen == {f"{palaces}/0/0", f"{palaces}/1/floors", f"{palaces}/1/windows"}


def test_a_campaign_goes_on_where_it_was_broken_off(tmp_path: Path) -> None:
    progress = tmp_path / "progress"
    finished: list[dict[str, Any]] = [
        {"setup": str(setup), "block": 0, "changes": sheets.CHANGES} for _, setup in SETUPS[1:]
    ]
    progress.write_text("".join(json.dumps(one) + "\n" for one in finished) + '{"setup": "broken o', "utf-8")
    assert finished_blocks(progress) == finished
    assert sheets.to_play(finished, sheets.BLOCK) == [(0, 0)]
    assert len(sheets.to_play(finished, sheets.BLOCK + 1)) == 1 + len(SETUPS)
    assert sheets.to_play(finished, sheets.BLOCK, changes=0) == [(0, 0)]
    assert len(sheets.to_play(finished, sheets.BLOCK, changes=sheets.CHANGES + 1)) == len(SETUPS)


def test_sheets_need_not_be_changed() -> None:
    place = next(place for place, setup in SETUPS if setup.game.id == "palazzo")
    result = sheets.block(place, 0, games=1, changes=0)
    assert result["counted"] == {"games": 1, "played: accepted": 3}
