"""The examples do what they say, and stay short."""

import json
from pathlib import Path

import pytest

from clients.tests.conftest import CHECKOUT, EXAMPLES, Run

RECORDS = CHECKOUT / "conformance"
LONGEST = 100
PROGRAMS = ("host.ts", "bot.py", "pad.py", "archive.ts")


def test_host_plays_with_three_players(typescript: Run, address: str) -> None:
    lines = typescript("host.js", address).splitlines()
    assert len(lines) == 3
    assert {line.split()[1].rstrip(":") for line in lines} == {"Ada", "Bruno", "Chiara"}


def test_bot_plays_to_the_end(python: Run, address: str) -> None:
    bot, chance = python("bot.py", address, "7").splitlines()
    assert bot.startswith("the bot: ")
    assert chance.startswith("chance: ")


def test_pad_scores_a_sheet_as_far_as_it_is_filled_in(python: Run, address: str, tmp_path: Path) -> None:
    schema = json.loads((CHECKOUT / "schemas" / "palazzo" / "scoresheet.json").read_bytes())
    finished = tmp_path / "finished.json"
    finished.write_text(json.dumps(schema["examples"][0]), "utf-8")
    lines = python("pad.py", address, str(finished)).splitlines()
    assert lines[0].startswith("seat 0: ")
    assert any("palazzo." in line for line in lines)


def test_archive_is_checked(typescript: Run, address: str, tmp_path: Path) -> None:
    files = sorted(RECORDS.glob("*/records/*.json"))
    records = [json.dumps(json.loads(file.read_bytes())) for file in files]
    archive = tmp_path / "club.ndjson"
    others = ["", '{"game": "chess"}', '{"game": "go",\r"id": "a\u2028b\u2029c\x85d"}', ""]
    archive.write_text("\n".join([*records, *others]), "utf-8", newline="\r\n")
    lines = typescript("archive.js", address, str(archive)).split("\n")
    counts = dict(line.rsplit(": ", 1) for line in lines if line.rsplit(": ", 1)[-1].isdigit())
    assert sum(map(int, counts.values())) == len(records) + 2
    assert counts["unusable"] == "2"
    start = f'line {len(records) + 2}, chess: unusable, There is no game "chess"'
    assert any(line.startswith(start) for line in lines)


@pytest.mark.parametrize("name", PROGRAMS)
def test_examples_are_short(name: str) -> None:
    assert len((EXAMPLES / name).read_text("utf-8").splitlines()) < LONGEST
