"""What the contracts in pyproject.toml (`lint-imports`) cannot read: names of games and addresses in texts and code."""

import ast
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

import capomastro
from capomastro.games import all_games

PACKAGE = Path(capomastro.__file__).parent
MODULES = sorted(PACKAGE.rglob("*.py"))


def parts_of(path: Path) -> tuple[str, ...]:
    """The module of a file, such as ("games", "palazzo", "state")."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return parts[:-1] if parts[-1] == "__init__" else parts


class Source(NamedTuple):
    """What is looked for in a module; of its syntax tree nothing is kept."""

    texts: tuple[str, ...]
    """Every text in its code, docstrings left out."""
    identifiers: tuple[str, ...]


@cache
def source_of(path: Path) -> Source:
    nodes = list(ast.walk(ast.parse(path.read_text("utf-8"))))
    docstrings = {node.value for node in nodes if isinstance(node, ast.Expr)}
    texts: list[str] = []
    identifiers: list[str] = []
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in docstrings:
            texts.append(node.value)
        elif isinstance(node, ast.Name | ast.Attribute):
            identifiers.append(node.id if isinstance(node, ast.Name) else node.attr)
    return Source(tuple(texts), tuple(identifiers))


def outside(package: str) -> list[Path]:
    """The modules that are not in that package."""
    return [path for path in MODULES if parts_of(path)[:1] != (package,)]


def test_only_http_and_the_catalogue_write_addresses() -> None:
    """An address begins with the version of the API."""
    for path in outside("api"):
        if path.stem in ("addresses", "catalogue") or parts_of(path) == ("cli", "service"):
            continue  # the last asks a running service, as any client does
        assert not any(re.search(r"/v\d+\b", text) for text in source_of(path).texts), path


def test_no_game_is_named() -> None:
    """Not even in a text, so that a new game needs no change there. Docstrings and comments do not count."""
    folders = {type(game).__module__.split(".")[-2] for game in all_games().values()}
    names = {game.id for game in all_games().values()} | folders
    for path in outside("games"):
        source = source_of(path)
        for word in (*source.texts, *source.identifiers):
            assert not any(name in word.lower() for name in names), (path, word)


def test_nothing_takes_other_characters_for_the_end_of_a_line() -> None:
    """`splitlines` also ends lines at U+0085, U+2028 and others, which names, ids and comments may contain."""
    assert not [path for path in MODULES if "splitlines" in source_of(path).identifiers]
