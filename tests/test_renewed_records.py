"""After a change of rules, recorded games get the new version only if they are judged as before."""

import json
from pathlib import Path

import pytest
from tools.renew_records import main, renewed

from capomastro.games.palazzo.game import GAME
from tests.support.recorded import records_folder

RECORD = records_folder("palazzo") / "two-plan.json"


@pytest.fixture(autouse=True)
def later_version(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(GAME, "rules_version", 12)


def test_a_game_that_is_judged_as_before_differs_in_its_version_only() -> None:
    text = RECORD.read_text("utf-8")
    after, difference = renewed(GAME, text)
    assert difference == ""
    assert after == text.replace('"rules_version": 1,', '"rules_version": 12,', 1) != text


def test_a_game_with_a_move_that_became_illegal_stays() -> None:
    record = json.loads(RECORD.read_text("utf-8"))
    index = next(index for index, move in enumerate(record["moves"]) if move["type"] == "buy")
    record["moves"][index]["payment"] = []
    text = json.dumps(record)
    after, difference = renewed(GAME, text)
    assert after == text
    assert difference.startswith(f"move {index} is illegal: ")
    assert difference.endswith("[palazzo.buy.price]")


def test_a_game_with_another_result_stays() -> None:
    record = json.loads(RECORD.read_text("utf-8"))
    record["result"]["players"][0]["total"] += 1
    text = json.dumps(record)
    assert renewed(GAME, text) == (text, "the replay ends with: wrong-result")


def test_a_document_that_is_no_record_stays() -> None:
    text = RECORD.read_text("utf-8").replace('"type": "build"', '"type": "sell"', 1)
    after, difference = renewed(GAME, text)
    assert after == text
    assert difference.startswith("/record/moves/")


def test_the_games_that_stay_are_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("tools.renew_records.records_folder", lambda game: tmp_path / game)
    (tmp_path / "palazzo").mkdir()
    as_before, different = tmp_path / "palazzo" / "as-before.json", tmp_path / "palazzo" / "different.json"
    as_before.write_text(RECORD.read_text("utf-8"), "utf-8")
    different.write_text(RECORD.read_text("utf-8").replace('"total": ', '"total": 1', 1), "utf-8")
    assert main("palazzo") == 1
    assert '"rules_version": 12,' in as_before.read_text("utf-8")
    assert '"rules_version": 1,' in different.read_text("utf-8")
    printed = capsys.readouterr().out.splitlines()
    assert [line.partition(":")[0] for line in printed] == ["different", "palazzo"]
