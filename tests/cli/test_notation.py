"""Records in text notation on the command line."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from capomastro.documents import notation
from capomastro.games import all_games
from tests.cli.conftest import Ask
from tests.support.annotated import ANNOTATED, COMMENTS
from tests.support.recorded import record_files

AskJson = Callable[..., Any]

GAME = """\
# Two of us, and a guest who wrote it down.
game: palazzo
players: 2
names: Ada, Bruno
options.stack_sizes: 5, 0, 43

draw-tile brick-1-1
draw-tile marble-3-1
draw-tile sandstone-5-3
draw-tile brick-2-2
draw-tile marble-2-2
"""


@pytest.fixture
def text() -> str:
    Path("game.capo").write_text(GAME, "utf-8")
    return "game.capo"


@pytest.mark.parametrize("file", [files[0] for files in zip(*[iter(record_files())] * 20, strict=False)], ids=str)
def test_a_record_is_converted_and_converted_back(ask: Ask, file: Path) -> None:
    record = json.loads(file.read_text("utf-8"))
    written = ask("convert", str(file))
    assert written.exit_code == 0
    assert written.stdout == notation.written(all_games()[record["game"]], record)
    Path("game.capo").write_text(written.stdout, "utf-8")
    back = ask("convert", "game.capo")
    assert json.loads(back.stdout) == record
    assert ask("convert", "game.capo", "--to", "text").stdout == written.stdout
    assert json.loads(ask("convert", str(file), "--to", "json").stdout) == record
    replayed = ask("replay", "game.capo")
    assert replayed.exit_code == 0
    assert replayed.stdout == ask("replay", str(file)).stdout.replace(str(file), "game.capo")


def test_a_file_is_written_as_its_name_says(ask: Ask, text: str) -> None:
    expected = ask("convert", text, "--to", "text").stdout
    assert ask("convert", text, "--to", "text", "--output", "game.capo.gz").exit_code == 0
    assert gzip.decompress(Path("game.capo.gz").read_bytes()).decode() == expected
    assert ask("convert", "game.capo.gz", "--to", "text").stdout == expected
    for command in (("new", "palazzo", "--players", "2"), ("play", "palazzo", "--players", "2", "--seed", "1")):
        assert ask(*command, "--record", "begun.capo.gz").exit_code == 0
        assert notation.is_notation(gzip.decompress(Path("begun.capo.gz").read_bytes()))


@pytest.mark.parametrize("file", ["game.ndjson", "game.jsonl.gz"])
def test_a_record_is_a_line_if_the_file_name_says_so(ask: Ask, text: str, file: str) -> None:
    new = ("new", "palazzo", "--players", "2", "--seed", "7", "--record", file)
    play = ("play", "palazzo", "--players", "2", "--seed", "7", "--record", file)
    for command in (("convert", text, "--output", file), play, new, ("move", file, "0 build", "--record", file)):
        assert ask(*command).exit_code == 0
        content = Path(file).read_bytes()
        (line,) = (gzip.decompress(content) if file.endswith(".gz") else content).splitlines()
        assert json.loads(line)["game"] == "palazzo"
        assert ask("replay", file, "--jobs", "1").exit_code == 0


def test_a_record_is_continued_with_its_comments(ask: Ask) -> None:
    Path("annotated.capo").write_text(ANNOTATED, "utf-8")
    assert ask("move", "annotated.capo", "draw-tile brick-2-2", "--record", "annotated.capo").exit_code == 0
    continued = notation.read(Path("annotated.capo").read_bytes(), all_games())
    assert continued.comments == COMMENTS
    assert len(continued.record["moves"]) == 4


def test_text_is_laid_out_anew_with_its_comments(ask: Ask) -> None:
    Path("annotated.capo").write_text(ANNOTATED, "utf-8")
    ask("convert", "annotated.capo", "--to", "text", "--output", "again.capo")
    assert notation.read(Path("again.capo").read_bytes(), all_games()).comments == COMMENTS
    ask("convert", "annotated.capo", "--output", "again.json")
    assert "supper" not in Path("again.json").read_text("utf-8")


def test_the_format_is_recognised_whatever_the_name_of_the_file(ask: Ask, text: str) -> None:
    expected = ask("convert", text).stdout
    assert json.loads(expected)["names"] == ["Ada", "Bruno"]
    for given in (GAME, GAME.replace("#", "\n#", 1), GAME.partition("\n")[2], "\ufeff" + GAME):
        assert ask("convert", "-", given=given).stdout == expected
    Path("game.txt").write_text(GAME, "utf-8")
    assert ask("convert", "game.txt", "--output", "game.json").stdout == ""
    assert Path("game.json").read_text("utf-8") == expected
    assert ask("convert", "-", given='"game: palazzo"').exit_code == 2


def test_a_game_is_recorded_as_text_if_the_file_name_says_so(ask: Ask, ask_json: AskJson) -> None:
    arguments = ("play", "carrara", "--players", "2", "--seed", "7", "--record")
    for file in ("game.json", "game.capo"):
        assert ask(*arguments, file).exit_code == 0
    assert Path("game.capo").read_text("utf-8").startswith("game: carrara\nschema_version: 1\n")
    assert ask_json("convert", "game.capo", "--to", "json") == json.loads(Path("game.json").read_text("utf-8"))


def test_views_have_the_format_of_the_record(ask: Ask, ask_json: AskJson, text: str) -> None:
    Path(text).write_text(GAME + "deal-card red-7\n" * 3, "utf-8")
    seen = ask("view", text, "--spectator").stdout
    assert seen.endswith("deal-card ?\n" * 3)
    assert notation.read(seen.encode(), all_games()).record == ask_json("view", text, "--spectator")


def test_json_in_a_file_for_the_notation_is_told_as_such(ask: Ask, text: str) -> None:
    """One sentence, and no list of riddles."""
    record = ask("convert", text).stdout
    line = json.dumps(json.loads(record))
    sentence = "This looks like JSON, not like text notation: give the file a name that ends in .json."
    for document in (record, "[]"):
        Path("other.capo").write_text(document, "utf-8")
        for command in (
            ("convert", "other.capo"),
            ("legal-moves", "other.capo"),
            ("view", "other.capo", "--spectator"),
        ):
            answer = ask(*command)
            assert (answer.exit_code, answer.stderr) == (2, f"{sentence}\n  at other.capo:1:1\n")
        assert ask("replay", "other.capo").stderr == f"other.capo: {sentence}\n  at other.capo:1:1\n"
        assert f"other.capo:1:1: {sentence}\n" in ask("replay", "other.capo", "--jobs", "1").stdout
    Path("other.capo").write_text(f"{line}\n{line}\n", "utf-8")
    many = "It looks like one record per line; `capomastro replay --lines` reads that.\n"
    assert ask("convert", "other.capo").stderr.startswith(many)
    assert ask("replay", "other.capo", "--lines").exit_code == 0


def test_unreadable_text_is_reported_with_file_line_and_column(ask: Ask, text: str) -> None:
    Path(text).write_text(GAME.replace("players: 2", "players: two").replace("draw-tile m", "draw-tiel m"), "utf-8")
    wrong = [
        'game.capo:3:10: expected a whole number, not "two"',
        'game.capo:8:1: expected a type of move, not "draw-tiel"; did you mean "draw-tile"?',
        'game.capo:11:1: expected a type of move, not "draw-tiel"; did you mean "draw-tile"?',
    ]
    detail = "The text is not a record in the notation."
    for command in ("replay", "convert", "legal-moves", "score"):
        answer = ask(command, text)
        assert (answer.exit_code, answer.stdout) == (2, "")
        heading = f"{text}: {detail}" if command == "replay" else detail
        assert answer.stderr.splitlines() == [heading, *(f"  {line}" for line in wrong)]
    converted = json.loads(ask("convert", text, "--json").stdout)
    assert converted["problem"] == "malformed-notation"
    assert converted["errors"][1] == {
        "pointer": "/moves/1",
        "line": 8,
        "column": 1,
        "message": 'expected a type of move, not "draw-tiel"; did you mean "draw-tile"?',
    }


def test_errors_found_later_have_line_and_column_too(ask: Ask, text: str) -> None:
    Path(text).write_text(GAME.replace("brick-2-2", "brick-2-9").replace(", 0,", ", 3,"), "utf-8")
    answer = ask("replay", text)
    assert answer.exit_code == 2
    assert '  game.capo:10:11: "brick-2-9" is not one of: ' in answer.stderr
    Path(text).write_text(GAME.replace(", 0,", ", 3,"), "utf-8")
    refused = ask("view", text, "--spectator").stderr
    assert "  game.capo:5:22: the stacks hold 51 tiles" in refused
    assert "[palazzo.setup.stack-sizes]" in refused
    Path(text).write_text(GAME, "utf-8")
    assert ask("view", text, "--seat", "7").stderr.splitlines()[1:] == ["  at /seat"]


def test_an_illegal_move_is_reported_with_line_and_column(ask: Ask, ask_json: AskJson, text: str) -> None:
    Path(text).write_text(GAME.replace("brick-2-2", "brick-1-1"), "utf-8")
    answer = ask("replay", text)
    assert answer.exit_code == 1
    assert "\n  place     game.capo:10:11\n" in answer.stdout
    refusal = ask_json("replay", text)["first_divergence"]["refusal"]
    assert (refusal["pointer"], refusal["line"], refusal["column"]) == ("/moves/3/tile", 10, 11)
    lenient = ask_json("replay", text, "--repair", "skip")["lenient"]["divergences"]
    assert [one["refusal"]["line"] for one in lenient] == [10]


def test_a_record_of_other_rules_is_converted_as_it_is(ask: Ask, ask_json: AskJson, text: str) -> None:
    Path(text).write_text(GAME + "rules_version: 99\n", "utf-8")
    assert json.loads(ask("convert", text).stdout)["rules_version"] == 99
    refused = ask("replay", text)
    assert refused.exit_code == 2
    assert refused.stderr.endswith("  at game.capo:12:16\n")


@pytest.mark.parametrize("content", ["", "{", "[]", '{"game": "palazzo"}', "game: chess"])
def test_only_records_are_converted(ask: Ask, content: str) -> None:
    answer = ask("convert", "-", given=content)
    assert (answer.exit_code, answer.stdout) == (2, "")
    assert answer.stderr
