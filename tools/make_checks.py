"""Rewrites the list of checks of scoresheets at the end of `docs/scoring.md`, from code and catalogues."""

import sys
from ast import FunctionDef
from collections.abc import Collection, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.campaigns.sheets import maker
from tests.support.anchors import Place, definitions, literals, reached

from capomastro.documents.wordings import package_of, rules_of
from capomastro.engine.game import AnyGame
from capomastro.games import all_games

FILE = Path(__file__).parents[1] / "docs" / "scoring.md"
HEAD = """## What is checked

A scoresheet is judged like a state: everything that cannot occur at a table is refused at once, each finding with its
rule, its values and its place, and where its message says little more than what was typed in, with its cause
(`because`). What depends on all players together is found by counting: what the box holds, what one player can have,
what contradicts itself. A sheet can be wrong in ways that no count shows. `assumptions` lists the unsourced rules that
points depend on. Here are all checks, in the words of the catalogues (`make generated` writes this list).

`make campaign NAME=sheets` plays thousands of random games of every kind and fills in the scoresheets of their final
tables: each must be accepted with the result of the game. Then it changes one number at a time. Where it can show that
the changed table is possible, the sheet must be accepted, and where it can show that it is impossible, refused. It
shows that by constructing the end of a game that passes the audit of states (Fifth Avenue), by trying some choices of
tiles (Palazzo), or by counting again (Campanile). The campaign counts the sheets for which it could show neither.
"""


def text_with_checks() -> str:
    """The whole document."""
    before = FILE.read_text("utf-8").partition(HEAD.splitlines()[0])[0]
    return "\n".join([before + HEAD, *(section(game) for game in all_games().values())])


def section(game: AnyGame) -> str:
    """The reasons to refuse a game's sheets, and what cannot be checked."""
    checked, left_out = refused(game), skipped(game)
    lines = [f"**{game.title}**", "", *listed(game, checked)]
    never = left_out - checked
    if never:
        lines += ["", "Never checked, because scoresheets do not have the facts:", "", *listed(game, never)]
    notes = {
        "Not checked if a sheet lacks the facts": left_out & checked,
        "Assumed unless a sheet says otherwise": assumed(game),
    }
    for note, ids in notes.items():
        if ids:
            named = [f"`{id}`" for id in rules_of(game, "en") if id in ids]
            lines += ["", f"{note}: {', '.join(named)}."]
    return "\n".join(lines) + "\n"


def listed(game: AnyGame, ids: Collection[str]) -> Iterator[str]:
    """A line for each of these rules, in the order of the catalogue."""
    for id, rule in rules_of(game, "en").items():
        if id in ids:
            yield f"- {rule['wording']} (`{id}`)"


def refused(game: AnyGame) -> set[str]:
    """The rules that can refuse a sheet: those named by `judge` and the functions it uses."""
    places = reached(game, Place(sheet_module(game), "judge"))
    named = (one for one in literals(game) if one.place in places)
    return {one.id for one in named if isinstance(definitions(game)[one.place], FunctionDef)}


def skipped(game: AnyGame) -> set[str]:
    """The rules that a result can list under `skipped_checks`: those that the module names as it makes the result."""
    module = sheet_module(game)
    starts = [Place(module, name) for name in ("score", "result") if Place(module, name) in definitions(game)]
    places = {place for start in starts for place in reached(game, start) if place.module == module}
    return {one.id for one in literals(game) if one.place in places} - assumed(game)


def assumed(game: AnyGame) -> set[str]:
    """The assumptions on which points can depend."""
    return {maker(game).ASSUMED} if hasattr(maker(game), "ASSUMED") else set()


def sheet_module(game: AnyGame) -> str:
    return f"{package_of(game)}.scoresheet"


def main() -> int:
    FILE.write_text(text_with_checks(), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
