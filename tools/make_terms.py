"""Rewrites the tables of terms in `docs/terms.md` from the catalogues of words: make generated."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from capomastro.documents.languages import languages
from capomastro.documents.sentences import Part, Plural, Template, read
from capomastro.documents.wordings import SHARED, catalogue, package_of, rules_of
from capomastro.engine.game import AnyGame
from capomastro.games import all_games

FILE = Path(__file__).parents[1] / "docs" / "terms.md"
HEAD = """# Terms

What things are called in each language: tokens, places, options, decisions, moves and what gives points. The same word
stands for the same thing in every sentence. *n* is a number; a token stands in a sentence as it does here, without an
article. `make generated` makes it from the catalogues; how to change a word is in
[CONTRIBUTING](../CONTRIBUTING.md#languages).
"""
TABLES = {
    "tokens": "Tokens",
    "places": "Places",
    "options": "Options",
    "decisions": "Decisions",
    "moves": "Moves",
    "scorings": "Scorings",
    "sections": "Sections of the rules",
}


def terms_text() -> str:
    """The whole document."""
    return "\n".join([HEAD, *(section(game) for game in all_games().values())])


def section(game: AnyGame) -> str:
    """The table of terms of a game: a row for each id, a column for each language."""
    spoken = languages(SHARED)
    lines = [f"## {game.title}", ""]
    lines += [f"| | {' | '.join(catalogue(SHARED, language)['language'] for language in spoken)} |"]
    lines += ["|---" * (len(spoken) + 1) + "|"]
    for title, rows in tables(game).items():
        lines.append(f"| **{title}** |{' |' * len(spoken)}")
        lines += [f"| `{id}` | {' | '.join(names)} |" for id, names in rows.items()]
    return "\n".join(lines) + "\n"


def tables(game: AnyGame) -> dict[str, dict[str, list[str]]]:
    """The names of every id in all languages, by kind of id."""
    found = {
        title: {id: [named(game, language, table, id) for language in languages(SHARED)] for id in ids(game, table)}
        for table, title in TABLES.items()
    }
    lines = {id: [line(game, id, language) for language in languages(SHARED)] for id in lines_of(game)}
    return {title: rows for title, rows in {**found, "Points and ties": lines}.items() if rows}


def ids(game: AnyGame, table: str) -> Iterator[str]:
    yield from catalogue(package_of(game), "en").get(table, {})


def named(game: AnyGame, language: str, table: str, id: str) -> str:
    names: dict[str, Any] = catalogue(package_of(game), language)[table]
    return plain(read(names[id]))


def lines_of(game: AnyGame) -> list[str]:
    return [id for id, rule in rules_of(game, "en").items() if "line" in rule]


def line(game: AnyGame, rule: str, language: str) -> str:
    return rules_of(game, language)[rule]["line"]


def plain(template: Template) -> str:
    """A name with its numbers as *n*."""
    return "".join(map(part_text, template))


def part_text(part: Part) -> str:
    if isinstance(part, str):
        return part
    return re.sub("#", "*n*", part.plural) if isinstance(part, Plural) else "*n*"


if __name__ == "__main__":
    FILE.write_text(terms_text(), "utf-8")
    sys.stdout.write(f"{FILE.name}: {len(terms_text().encode()) // 1024} KiB\n")
