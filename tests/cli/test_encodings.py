"""Documents are in UTF-8 whatever the terminal; arguments need not be text; messages show what was written."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from capomastro.cli.commands import main
from tests.cli.conftest import Ask
from tests.support.lines import lines_of

COMMAND = (sys.executable, "-m", "capomastro.cli")

NAMES = "Zoë,Ωmega 李"
BYTE = "\udceb"
"""How Python has the byte 0xEB of an argument, which is no character in UTF-8."""
SHEET = {"game": "palazzo", "schema_version": 1, "seats": [{"name": "Zoë", "palaces": []}, {"palaces": []}]}
DOCUMENTS = {
    "games": ("games", "palazzo", "--json"),
    "rules": ("--language", "de", "rules", "palazzo", "--json"),
    "schema": ("schema", "palazzo", "state"),
    "template": ("template", "palazzo", "--players", "2", "--names", NAMES),
    "new": ("new", "palazzo", "--players", "2", "--names", NAMES, "--seed", "1", "--json"),
    "play": ("play", "palazzo", "--players", "2", "--names", NAMES, "--seed", "1", "--json"),
    "play many": ("play", "palazzo", "--players", "2", "--names", NAMES, "--seed", "é", "--games", "2", "--json"),
    "replay": ("replay", "game.capo", "--json"),
    "stats": ("stats", "game.capo", "--json"),
    "repair": ("repair", "game.capo", "--output", "repaired.json", "--json"),
    "convert": ("convert", "game.capo"),
    "convert to text": ("convert", "game.capo", "--to", "text"),
    "legal-moves": ("legal-moves", "game.capo", "--json"),
    "suggest": ("suggest", "game.capo", "--json"),
    "verdict": ("verdict", "game.capo", "Zoë build", "--json"),
    "move": ("move", "game.capo", "--json"),
    "audit": ("audit", "game.capo", "--json"),
    "score": ("score", "sheet.json", "--json"),
    "view": ("view", "game.capo", "--position", "--spectator", "--json"),
    "view of a record": ("view", "game.capo", "--spectator"),
    "picture": ("picture", "game.capo"),
    "perft": ("perft", "state.json", "--depth", "1", "--json"),
}
PRINT_NONE = {"serve", "mcp", "new-key", "table", "verify-table"}
"""Commands that print no document, or only what a running service answers, in the same way."""


@pytest.fixture
def files(ask: Ask, save: Callable[[str, Any], str], tmp_path: Path) -> Path:
    """A directory with a record, a state and a scoresheet with such names."""
    begun = ask("new", "palazzo", "--players", "2", "--names", NAMES, "--seed", "1", "--record", "game.capo", "--json")
    save("state.json", json.loads(begun.stdout_bytes)["state"])
    save("sheet.json", SHEET)
    return tmp_path


def test_every_command_that_prints_a_document_is_here() -> None:
    assert {name.split()[0] for name in DOCUMENTS} == {*main.commands} - PRINT_NONE


@pytest.mark.parametrize("arguments", DOCUMENTS.values(), ids=DOCUMENTS)
def test_a_document_is_in_utf_8_whatever_the_terminal(files: Path, arguments: tuple[str, ...]) -> None:
    printed = {
        charset: CliRunner(charset=charset).invoke(main, arguments, catch_exceptions=False).stdout_bytes
        for charset in ("utf-8", "cp1252", "latin-1", "ascii")
    }
    assert len(set(printed.values())) == 1
    assert printed["utf-8"].decode()


def test_what_is_printed_is_read_back(files: Path) -> None:
    """`convert` in a pipe: what it prints is the record, byte for byte."""
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}

    def converted(text: bytes) -> bytes:
        command = [*COMMAND, "convert", "-"]
        return subprocess.run(command, input=text, stdout=subprocess.PIPE, env=environment, check=True).stdout

    written = (files / "game.capo").read_bytes()
    assert converted(converted(written)) == written


@pytest.mark.parametrize(("encoding", "name"), [("cp1252", "Zoë"), ("ascii", "Zo\\xeb")])
def test_prose_has_escapes_for_what_the_terminal_cannot_show(encoding: str, name: str, files: Path) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": encoding}
    command = [*COMMAND, "view", "game.capo", "--position", "--spectator"]
    shown = subprocess.run(command, stdout=subprocess.PIPE, env=environment, check=True).stdout.decode(encoding)
    assert f"{name} (seat 0)" in shown
    assert "\\u03a9mega \\u674e (seat 1)" in shown


NO_TEXT = {
    "a name": ("new", "palazzo", "--players", "2", "--names", f"Zo{BYTE},b"),
    "a seed": ("new", "palazzo", "--players", "2", "--seed", f"Zo{BYTE}"),
    "a seed of many games": ("play", "palazzo", "--players", "2", "--seed", f"Zo{BYTE}", "--games", "2", "--json"),
    "an option": ("new", "palazzo", "--players", "2", "--option", f"Zo{BYTE}=1"),
    "options": ("new", "palazzo", "--players", "2", "--options", f'{{"Zo{BYTE}":1}}'),
    "a number": ("new", "palazzo", "--players", f"2{BYTE}"),
    "a game": ("games", f"palazz{BYTE}"),
    "a rule": ("rules", "palazzo", f"palazz{BYTE}"),
    "a schema": ("schema", "palazzo", f"stat{BYTE}"),
    "a move": ("verdict", "game.capo", f"Zo{BYTE} build"),
    "a move in JSON": ("move", "game.capo", f'{{"type":"{BYTE}"}}'),
    "a cursor": ("legal-moves", "game.capo", "--cursor", BYTE),
    "a command": (f"repl{BYTE}",),
    "the name of an option": (f"--names{BYTE}",),
    "a language": ("--language", f"d{BYTE}", "games"),
    "an address": ("table", "show", "table.json", "--spectator", "--service", f"http://{BYTE}"),
    "a host": ("serve", "--host", f"{BYTE}"),
    "an absent file": ("audit", f"caf{BYTE}.json"),
    "an absent file, with JSON": ("audit", f"caf{BYTE}.json", "--json"),
    "an absent set-up": ("perft", f"caf{BYTE}.json"),
    "an absent table": ("verify-table", f"caf{BYTE}.json", "--json"),
    "a file in an absent folder": ("convert", "game.capo", "--output", f"absent/caf{BYTE}.json", "--json"),
    "an absent folder of verdicts": ("replay", "game.capo", "--verdicts", f"absent/caf{BYTE}"),
    "an absent secret": ("table", "show", "sealed.json", "--secret", f"caf{BYTE}"),
}


@pytest.mark.parametrize("arguments", NO_TEXT.values(), ids=NO_TEXT)
def test_an_argument_that_is_no_text_is_answered(ask: Ask, files: Path, arguments: tuple[str, ...]) -> None:
    answer = ask(*arguments)
    assert answer.exit_code == 2
    assert answer.output.strip()


def test_the_byte_that_is_no_character_is_shown(ask: Ask) -> None:
    answer = ask("new", "palazzo", "--players", "2", "--names", f"Zo{BYTE},b")
    assert "Invalid value for '--names': \"Zo\\xeb,b\" is not text in UTF-8." in answer.stderr


def test_a_text_in_utf_8_is_read_in_a_terminal_of_another_encoding(ask: Ask) -> None:
    """Python then has each byte of the argument as half a surrogate pair."""
    name = "Zoë".encode().decode("ascii", "surrogateescape")
    assert "Zoë" in ask("template", "palazzo", "--players", "2", "--names", f"{name},b").stdout


def test_the_name_of_a_file_need_not_be_text(ask: Ask, files: Path) -> None:
    assert ask("convert", "game.capo", "--output", f"caf{BYTE}.json").exit_code == 0
    assert b"caf\xeb.json" in map(os.fsencode, (path.name for path in files.iterdir()))
    assert ask("replay", f"caf{BYTE}.json").stdout.startswith("caf\\xeb.json: legal")
    assert json.loads(ask("replay", f"caf{BYTE}.json", "--json").stdout)["source"] == "caf\\xeb.json"
    assert ask("replay", f"caf{BYTE}.json", "--verdicts", f"verdicts{BYTE}").exit_code == 0
    (verdict,) = lines_of((files / f"verdicts{BYTE}").read_bytes())
    assert json.loads(verdict)["source"] == "caf\\xeb.json"


def test_a_host_with_bytes_that_are_no_text_is_answered(monkeypatch: pytest.MonkeyPatch, ask: Ask) -> None:
    monkeypatch.setenv("CAPOMASTRO_HOST", BYTE)
    answer = ask("serve")
    assert answer.exit_code == 2
    assert answer.stderr.startswith("Error: Cannot listen on ")


# --- messages --------------------------------------------------------------------------------------------------------


def test_a_message_shows_what_was_written(ask: Ask) -> None:
    ask("new", "palazzo", "--players", "2", "--names", "Jürgen,Zoë", "--seed", "1", "--record", "game.capo")
    for language in ("en", "de", "es", "it"):
        shown = ask("--language", language, "verdict", "game.capo", "Jürgn build").stderr
        assert 'not "Jürgn"; did you mean "Jürgen"?' in shown, language
        assert '"Jürgn build"' in shown, language


def test_a_message_has_escapes_for_what_is_invisible_or_breaks_lines(ask: Ask) -> None:
    ask("new", "palazzo", "--players", "2", "--names", "Ü\x1b,a\u2028b", "--seed", "1", "--record", "game.capo")
    shown = ask("verdict", "game.capo", "ü\x85\u202e build").stderr
    assert 'expected a seat, not "ü\\u0085\\u202e"; it is one of: Ü\\u001b, a\\u2028b' in shown
    assert "Ü\\u001b (seat 0) decides" in ask("replay", "game.capo").stdout


@pytest.mark.parametrize("language", ["en", "it", "es", "de"])
@pytest.mark.parametrize(
    ("variable", "shown"), [("CAPOMASTRO_WORKERS", '"zwölf"'), ("CAPOMASTRO_CACHE_SECONDS", '"zwölf"')]
)
def test_a_wrong_setting_is_shown_as_it_was_written(
    variable: str, shown: str, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, "zwölf")
    done = CliRunner().invoke(main, ["--language", language, "serve"])
    assert done.exit_code == 2
    assert variable in done.stderr
    assert shown in done.stderr
