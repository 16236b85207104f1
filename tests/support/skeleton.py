"""The parts of a skeleton from `make game` that are not filled in yet."""

from collections.abc import Iterator
from importlib import import_module

from tests.support.checkouts import CHECKOUT

MARK = "FILL IN"
"""What the templates mark with it has to be replaced."""

TEXTS = {".py", ".toml", ".json"}

UNFINISHED = "unfinished"
"""The text in the README for an unfinished game."""


def left_to_fill_in(folder: str) -> list[str]:
    """Everything left to do for the game in a folder of the package: each mark with its place, then missing files."""
    return [*marks_left(folder), *places_left(folder)]


def marks_left(folder: str) -> Iterator[str]:
    game_id = folder.replace("_", "-")
    places = [f"service/capomastro/games/{folder}", f"tests/games/{folder}"]
    files = [path for place in places for path in sorted((CHECKOUT / place).rglob("*")) if path.suffix in TEXTS]
    for file in [*files, CHECKOUT / "docs" / f"{game_id}.md"]:
        for number, line in enumerate(file.read_text("utf-8").splitlines(), 1):
            if MARK in line:
                yield f"{file.relative_to(CHECKOUT)}:{number}: {line.strip()}"


def places_left(folder: str) -> Iterator[str]:
    game_id = folder.replace("_", "-")
    if not hasattr(import_module(f"capomastro.games.{folder}.game"), "GAME"):
        yield f"service/capomastro/games/{folder}/game.py: GAME, by which the game is found"
    package, tests = f"service/capomastro/games/{folder}", f"tests/games/{folder}"
    for file, content in (
        (f"{package}/reference.py", "the tables of the rulebook as data"),
        (f"{package}/rule_index.json", "see make generated"),
        (f"{tests}/players.py", "players that reach the endings that random ones hardly do"),
        (f"{tests}/sheets.py", "the scoresheets of a played game, for the campaign `sheets`"),
        (f"service/capomastro/pages/files/games/{game_id}.js", "the score pad"),
        (f"service/capomastro/pages/files/words/{game_id}.en.json", "the words of the score pad"),
    ):
        if not (CHECKOUT / file).exists():
            yield f"{file}: {content}"
    if not (CHECKOUT / "schemas" / game_id).exists():
        yield f"schemas/{game_id}: nothing is there yet, see make generated"
    for made in ("records", "perft"):
        if not any((CHECKOUT / "conformance" / game_id / made).glob("*.json")):
            yield f"conformance/{game_id}/{made}: nothing is there yet, see make generated"
    (line,) = [
        line for line in (CHECKOUT / "README.md").read_text("utf-8").splitlines() if f"(docs/{game_id}.md)" in line
    ][:1] or [UNFINISHED]
    if UNFINISHED in line:
        yield "README.md: a line with title, players and id, that does not say unfinished"
