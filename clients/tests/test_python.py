"""The client in Python: the README, the types, the wrapper, whole games."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from clients.tests.conftest import CLIENTS, TABLES, VECTORS, Run, expected_of_forks
from clients.tests.moves import GAMES, in_python, kinds, literals
from clients.tests.readme import program

A_GAME = 60
"""Seconds a game may take."""
FORKS = """
import sys
from pathlib import Path
from types import SimpleNamespace
import msgspec
from capomastro_client import extends
from capomastro_client.models import Waiting

def table(document):
    creation = SimpleNamespace(**document.pop("creation"))
    waiting = msgspec.convert(document.pop("waiting"), Waiting)
    return SimpleNamespace(creation=creation, waiting=waiting, **document)

for line in Path(sys.argv[1]).read_text("utf-8").splitlines():
    vector = msgspec.json.decode(line)
    one, other = map(table, vector["tables"])
    print(vector["name"], extends(one, other), extends(other, one))
"""
"""Asks `extends` about the vectors of forks, whose tables have only the members that count."""
ALTERED = """
import sys
from pathlib import Path
import msgspec
from capomastro_client import models

for line in Path(sys.argv[1]).read_bytes().splitlines():
    vector = msgspec.json.decode(line)
    title = "".join(word.capitalize() for word in vector["table"]["creation"]["game"].split("-"))
    table = msgspec.convert(vector["table"], getattr(models, title + "Table"))
    if msgspec.to_builtins(table) != vector["table"]:
        print(vector["name"])
"""
"""Prints the vectors of tables that are others once they were decoded and encoded again."""


def mypy(project: Path, *files: str) -> str:
    """What `mypy --strict` says of files of the project, which has nothing of our configuration."""
    command = (sys.executable, "-m", "mypy", "--strict", "--config-file", "", "--no-color-output", *files)
    return subprocess.run(command, cwd=project, capture_output=True, text=True, check=False, timeout=600).stdout


def test_readme_plays_a_whole_game(python: Run) -> None:
    _, printed = program(CLIENTS / "python" / "README.md", "python")
    assert python("readme.py") == printed


def test_package_and_programs_pass_strict_checks_without_a_way_around_them(python_project: Path) -> None:
    programs = ("readme.py", "bot.py", "pad.py", "play.py", "sealed.py")
    output = mypy(python_project, "capomastro_client", *programs)
    assert output.startswith("Success"), output
    for name in programs:
        assert not re.search(r"import .*\bAny\b|\bcast\(|type: *ignore", (python_project / name).read_text("utf-8")), (
            name
        )


def test_moves_of_every_kind_are_written() -> None:
    for game in GAMES:
        assert {one.move["type"] for one in literals() if one.game == game and not one.fault} == kinds(game), game


def test_right_moves_pass_and_wrong_ones_do_not(python_project: Path) -> None:
    _, wrong = in_python()
    output = mypy(python_project, "moves.py")
    refused = {int(line) for line in re.findall(r"^moves\.py:(\d+): error", output, re.MULTILINE)}
    lines = (python_project / "moves.py").read_text("utf-8").splitlines()
    assert refused == wrong, [(number, lines[number - 1]) for number in sorted(refused ^ wrong)]
    assert len(wrong) > len(list(literals())) / 2


@pytest.mark.parametrize("game", GAMES)
def test_random_games_with_hidden_hands_come_to_their_end(python: Run, address: str, games: int, game: str) -> None:
    assert python("play.py", address, game, str(games), patience=A_GAME * games).startswith(f"{game}: {games} games")


def test_a_game_at_a_sealed_table(python: Run, address: str) -> None:
    """A table that was decoded and encoded again is still genuine."""
    assert python("sealed.py", address, patience=A_GAME).split() == ["wrong-secret", "opened"]


def test_a_table_of_any_game_stays_the_same_when_it_is_decoded_and_encoded(python: Run) -> None:
    """A default that is filled in makes it another table."""
    assert python("-c", ALTERED, str(TABLES)) == ""


def test_tables_that_go_on_and_forks(python: Run) -> None:
    assert python("-c", FORKS, str(VECTORS)) == expected_of_forks()


def test_wrapper(python: Run) -> None:
    """In a process of its own, since the package is that of the wheel."""
    tests = CLIENTS / "tests" / "python" / "wrapper.py"
    python("-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", "/dev/null", "--noconftest", str(tests))
