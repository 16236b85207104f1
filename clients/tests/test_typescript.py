"""The client in TypeScript: the README, the types, the wrapper, whole games. It needs Node."""

import re
from pathlib import Path

import pytest

from clients.tests.conftest import CLIENTS, VECTORS, Run, expected_of_forks
from clients.tests.moves import GAMES
from clients.tests.readme import program

A_GAME = 60
"""Seconds a game may take."""
FORKS = """
import { readFileSync } from "node:fs";
import { extendsTable } from "capomastro-client";
for (const line of readFileSync(process.argv[1], "utf-8").trimEnd().split("\\n")) {
  const { name, tables: [one, other] } = JSON.parse(line);
  console.log(name, extendsTable(one, other), extendsTable(other, one));
}
"""


def test_readme_plays_a_whole_game(typescript: Run) -> None:
    _, printed = program(CLIENTS / "typescript" / "README.md", "ts")
    assert typescript("readme.js") == printed


def test_programs_pass_strict_checks_without_a_way_around_them(typescript_project: Path) -> None:
    """They are compiled already, and so are the right and wrong moves, which say themselves what has to be an error."""
    for name in ("readme.ts", "host.ts", "archive.ts", "play.ts", "sealed.ts"):
        text = re.sub(r"(?m)^ *(//|/?\*).*$", "", (typescript_project / name).read_text("utf-8"))
        assert not re.search(r": any\b|<any\b|\bas (?!const\b)[A-Za-z]\w*[;,)\s]|@ts-|[\w)\]]!(?!=)", text), name
    assert (typescript_project / "moves.ts").read_text("utf-8").count("@ts-expect-error") > len(GAMES)


def test_a_game_at_a_sealed_table(typescript: Run, address: str) -> None:
    assert typescript("sealed.js", address, patience=A_GAME).split() == ["wrong-secret", "opened"]


def test_tables_that_go_on_and_forks(typescript: Run) -> None:
    output = typescript("--input-type=module", "--eval", FORKS, str(VECTORS))
    assert output.replace("true", "True").replace("false", "False") == expected_of_forks()


def test_wrapper(typescript: Run) -> None:
    typescript("--test", "wrapper.test.js")


@pytest.mark.parametrize("game", GAMES)
def test_random_games_with_hidden_hands_come_to_their_end(typescript: Run, address: str, games: int, game: str) -> None:
    assert typescript("play.js", address, game, str(games), patience=A_GAME * games).startswith(
        f"{game}: {games} games"
    )
