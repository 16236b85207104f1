"""The language of the command line: an option, otherwise the locale."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from capomastro.cli.commands import main
from capomastro.documents import json_text
from capomastro.documents.languages import ORIGINAL, current_language
from capomastro.layout.formatting import WIDTH
from tests.support.recorded import records_folder, replay_of

RECORD = records_folder("palazzo") / "two-plan.json"
ENGLISH = re.compile(r"\b(the|and|or|of|is|are|to|not|players|rules|moves?|legal moves|wins|points|chance|there)\b")
"""Words that only English has, without ids and members of documents."""

ITALIAN, GERMAN = "Dopo la fine", "Nach dem Ende"


@pytest.mark.parametrize(
    ("arguments", "environment", "text"),
    [
        ((), {}, "Nothing can be done"),
        (("--language", "it"), {"LANG": "de_DE.UTF-8"}, ITALIAN),
        ((), {"LANG": "de_AT.UTF-8"}, GERMAN),
        ((), {"LC_ALL": "it_IT@euro", "LANG": "de_DE.UTF-8"}, ITALIAN),
        ((), {"LANG": "fr_FR.UTF-8"}, "Nothing can be done"),
        ((), {"LANG": "C.UTF-8"}, "Nothing can be done"),
    ],
)
def test_rules_are_explained_in_the_requested_language(
    arguments: tuple[str, ...], environment: dict[str, str], text: str
) -> None:
    cleared: dict[str, str | None] = {"LC_ALL": None, "LC_MESSAGES": None, "LANG": None}
    answer = CliRunner(env={**cleared, **environment}).invoke(main, [*arguments, "rules", "palazzo"])
    assert answer.exit_code == 0
    assert text in answer.output
    assert current_language() == ORIGINAL


TOLD = {
    "en": ["Set-up", "Ada", "   13  Ada chooses: take money", "Ada takes", "The game is over"],
    "it": ["Preparazione", "Ada", "   13  Ada sceglie: prendere denaro", "Ada prende", "Fine della partita"],
    "es": ["Preparación", "Ada", "   13  Ada elige: tomar dinero", "Ada toma", "Fin de la partida"],
    "de": ["Spielvorbereitung", "Ada", "   13  Ada wählt: Geld nehmen", "Ada nimmt", "Spielende"],
}


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A recorded game of players with names."""
    record = replay_of(RECORD).document
    file = tmp_path / "game.json"
    file.write_bytes(json_text.encode({**record, "names": ["Ada", "Bruno"]}))
    return file


def printed(*arguments: str) -> str:
    return CliRunner().invoke(main, arguments).output


SEEN = {
    "it": ["cave\n", "Ada prende denaro", "Ada prende denaro"],
    "es": ["canteras\n", "Ada toma dinero", "Ada toma dinero"],
    "de": ["Steinbrüche\n", "Ada nimmt Geld", "Ada nimmt Geld"],
}
"""The output for a state, its legal moves and played moves."""


@pytest.mark.parametrize("language", TOLD)
def test_tell_prints_a_game_turn_by_turn(language: str, game: Path) -> None:
    lines = printed("--language", language, "replay", "--tell", str(game)).splitlines()
    at = -1
    for wanted in TOLD[language]:
        at = next(index for index, line in enumerate(lines) if index > at and wanted in line)
    assert len([line for line in lines if line in ("Ada", "Bruno")]) > 20  # a heading for every turn
    assert all(len(line) <= WIDTH for line in lines[:-1])
    numbers = [int(line[:5]) for line in lines if line[:5].strip().isdigit()]
    assert numbers == list(range(len(replay_of(RECORD).plies)))


def test_tell_prints_a_game_up_to_its_first_illegal_move(game: Path) -> None:
    record = json_text.decode(game.read_bytes())
    game.write_bytes(json_text.encode({**record, "moves": record["moves"][:20] + record["moves"][21:]}))
    narrative, verdict = printed("--language", "en", "replay", "--tell", str(game)).split(str(game), 1)
    assert "   20  " in narrative
    assert "   21  " not in narrative
    assert verdict.startswith(": chance is missing at ply 21, after 21 legal moves")


def test_tell_does_not_work_for_archives(game: Path) -> None:
    answer = CliRunner().invoke(main, ["replay", "--tell", "--lines", str(game)])
    assert answer.exit_code == 2
    assert "--tell" in answer.output


@pytest.mark.parametrize("language", TOLD)
def test_output_is_in_the_requested_language(language: str, game: Path, tmp_path: Path) -> None:
    """The output of the usual commands has no English word that the other language does not have."""
    broken = tmp_path / "broken.json"
    record = json_text.decode(game.read_bytes())
    broken.write_bytes(json_text.encode({**record, "moves": record["moves"][:20] + record["moves"][21:]}))
    for arguments in (
        ["games"],
        ["replay", str(game)],
        ["replay", str(broken)],
        ["legal-moves", "--limit", "1", str(broken)],
        ["rules", "palazzo", "palazzo.nowhere.rule"],
        ["score", str(game)],
    ):
        text = printed("--language", language, *arguments)
        assert text
        assert language == "en" or not ENGLISH.findall(without_names(text, tmp_path)), text


def without_names(text: str, folder: Path) -> str:
    """The output without the names of files, games and members, and without ids and commands."""
    plain = text.replace(str(folder), "").replace("The Palaces of Carrara", "")
    return re.sub(r"`capomastro [^`]+`|[a-z]+(?:[-.][a-z]+)+|/[a-z]+/[0-9]+|/v1/\S+", "", plain)


def test_a_score_is_a_list_of_sentences_in_the_requested_language(game: Path, tmp_path: Path) -> None:
    state = json_text.decode(printed("replay", "--json", str(game)).encode())["state"]
    file = tmp_path / "state.json"
    file.write_bytes(json_text.encode(state))
    bill = printed("--language", "it", "score", str(file))
    assert "palazzo 1, " in bill
    assert "in tutto" in bill
    assert "vince." in bill
    assert not ENGLISH.findall(without_names(bill, tmp_path))


def test_a_total_has_the_minus_of_its_lines(tmp_path: Path) -> None:
    file = tmp_path / "sheet.json"
    seats = [{"palaces": [["brick-1-2"]]}, {"palaces": [["marble-2-2"]]}]
    file.write_bytes(json_text.encode({"game": "palazzo", "schema_version": 1, "seats": seats}))
    bill = printed("--language", "de", "score", str(file))
    assert re.findall("(.)5  insgesamt", bill) == ["\N{MINUS SIGN}"] * 2


@pytest.mark.parametrize(("language", "seen"), SEEN.items())
def test_positions_and_moves_are_shown_with_translated_names(language: str, seen: list[str], game: Path) -> None:
    """Ids to type are beside their names; no id of a token, a place, a member or a decision is alone."""
    record = json_text.decode(game.read_bytes())
    game.write_bytes(
        json_text.encode({**{name: record[name] for name in record if name != "result"}, "moves": record["moves"][:13]})
    )
    state, moves, played = (
        printed("--language", language, *arguments)
        for arguments in (
            ["view", "--seat", "0", "--position", str(game)],
            ["legal-moves", "--explain", str(game)],
            ["move", "--seed", "a", str(game), "0 take-money"],
        )
    )
    for text, wanted in zip((state, moves, played), seen, strict=True):
        assert wanted in text
    assert "  0 take-money" in moves
    for text in (state, played):
        assert not re.search(r"[a-z]+-[0-9]|[a-z]_[a-z]", text), text
    assert "[palazzo.rebuild.palace]" in moves
    assert "rebuild-take-out" not in moves


@pytest.mark.parametrize(
    ("language", "column"), [("it", "non finita"), ("es", "sin terminar"), ("de", "nicht beendet")]
)
def test_the_verdicts_on_an_archive_are_translated(language: str, column: str, game: Path, tmp_path: Path) -> None:
    record = json_text.decode(game.read_bytes())
    archive = tmp_path / "archive.ndjson"
    begun = {**{name: record[name] for name in record if name != "result"}, "moves": record["moves"][:13]}
    archive.write_bytes(json_text.encode(record) + b"\n" + json_text.encode(begun) + b"\n")
    text = printed("--language", language, "replay", str(archive))
    assert column in text
    assert "unfinished" not in text


@pytest.mark.parametrize("language", SEEN)
@pytest.mark.parametrize("game", ["campanile", "carrara", "fifth-avenue", "palazzo"])
def test_a_game_is_shown_with_translated_names_beside_the_ids(language: str, game: str) -> None:
    shown = printed("--language", language, "games", game)
    assert all(len(line) <= WIDTH for line in shown.splitlines())
    shown = re.sub(r"^  \w+  \[.*\]$", "", shown, flags=re.MULTILINE)  # an option with its default
    ids = re.findall(r"\[([a-z0-9-]+)\]", shown)
    assert "choose-action" in ids or "play-card" in ids or "choose-option" in ids
    named = re.sub(r"\[[^\]]*\]|^  [a-z-]+\.[a-z.-]+$", "", shown, flags=re.MULTILINE)  # without ids of rules
    assert not ENGLISH.search(named), ENGLISH.search(named)
    english = printed("games", game)
    assert all(id in english for id in ids)


@pytest.mark.parametrize(
    ("language", "text"),
    [("it", "seme 1"), ("es", "semilla 1"), ("de", "Startwert 1"), ("en", "seed 1, minimal payments")],
)
def test_perft_uses_the_requested_language(language: str, text: str) -> None:
    setup = Path(__file__).parents[2] / "conformance" / "palazzo" / "perft" / "choose-two-cards.json"
    lines = printed("--language", language, "perft", str(setup), "--depth", "2").splitlines()
    assert text in lines[1]
    assert language == "en" or not ENGLISH.search(" ".join(lines[1:]))
    assert (
        len(
            {len(line[: line.index(number) + len(number)]) for line, number in zip(lines[3:], ("7", "18"), strict=True)}
        )
        == 1
    )
    assert "sequences" not in " ".join(lines) or language == "en"
