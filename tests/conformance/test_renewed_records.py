"""After a change of rules, recorded games get the new version if they are judged as before, or are made again."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from tools.make_records import difference_in, renew

from capomastro.games.palazzo.game import GAME
from tests.support.recorded import records_folder

RECORD = records_folder("palazzo") / "two-plan.json"


def with_an_illegal_payment(text: str) -> tuple[str, str]:
    record = json.loads(text)
    index = next(index for index, move in enumerate(record["moves"]) if move["type"] == "buy")
    record["moves"][index]["payment"] = []
    return json.dumps(record), f"move {index} is illegal: "


def with_another_result(text: str) -> tuple[str, str]:
    record = json.loads(text)
    record["result"]["players"][0]["total"] += 1
    return json.dumps(record), "the replay ends with: wrong-result"


def with_a_move_that_is_none(text: str) -> tuple[str, str]:
    return text.replace('"type": "build"', '"type": "sell"', 1), "/record/moves/"


@pytest.mark.parametrize("change", [with_an_illegal_payment, with_another_result, with_a_move_that_is_none])
def test_what_is_judged_differently_is_told(change: Callable[[str], tuple[str, str]]) -> None:
    text, difference = change(RECORD.read_text("utf-8"))
    assert difference_in(GAME, text).startswith(difference)


def test_only_records_of_another_version_are_renewed_or_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("tools.make_records.records_folder", lambda game: tmp_path / game)
    (tmp_path / "palazzo").mkdir()
    as_before, different = tmp_path / "palazzo" / "as-before.json", tmp_path / "palazzo" / "different.json"
    text = RECORD.read_text("utf-8")
    as_before.write_text(text, "utf-8")
    different.write_text(text.replace('"total": ', '"total": 1', 1), "utf-8")
    assert list(renew(GAME)) == []
    monkeypatch.setattr(GAME, "rules_version", 12)
    assert list(renew(GAME)) == ["two-plan"]
    assert as_before.read_text("utf-8") == text.replace('"rules_version": 1,', '"rules_version": 12,', 1) != text
    assert '"rules_version": 1,' in different.read_text("utf-8")
    assert capsys.readouterr().out.startswith("different: ")
