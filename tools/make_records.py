"""Makes the recorded games in `conformance/<game>/records/`: python tools/make_records.py [game] [recipe …]

For each recipe in `tests/games/<game>/showcase.py`, it tries seeds until the game that a seed gives, with the recipe's
players and draws, has the required property; it keeps the shortest of a few such games.

Records are fixtures: once written they stay, and must be legal with the same result for ever. Without arguments, only
those are made that are missing. Where the rules have a new version, records that are judged as before get it, and the
others are made again: each is told, with what is judged differently. With arguments, these are made in any case.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.support.recorded import find, records_folder, showcase_of, text_of

from capomastro.adjudicator import replay
from capomastro.answers import Replay
from capomastro.documents.json_text import decode
from capomastro.documents.problems import Problem
from capomastro.engine.game import AnyGame
from capomastro.games import all_games

VERSION = re.compile(r'^"rules_version": (\d+)', re.MULTILINE)
RECIPE = re.compile(r'"made_by": "[^"]*, recipe ([\w-]+),')


def make(game: AnyGame, showcase: Any, recipe: Any) -> None:
    """Writes the records of a recipe."""
    began = perf_counter()
    for name, made in find(game, recipe, showcase.SHOWN).items():
        text = text_of(name, made)
        (records_folder(game.id) / f"{name}.json").write_text(text, "utf-8")
        print(f"{name:44}{len(made.plies):5} plies {len(text):7} bytes {perf_counter() - began:6.1f} s")
        print(f"    {made.document['tags']['shows']}")


def renew(game: AnyGame) -> Iterator[str]:
    """Gives records of other rules the current version; yields the recipes of those that are judged differently."""
    for file in sorted(records_folder(game.id).glob("*.json")):
        text = file.read_text("utf-8")
        (version,) = VERSION.findall(text)
        if int(version) == game.rules_version:
            continue
        if difference := difference_in(game, text):
            print(f"{file.stem}: {difference}")
            yield from RECIPE.findall(text)
        else:
            file.write_text(VERSION.sub(f'"rules_version": {game.rules_version}', text, count=1), "utf-8")


def difference_in(game: AnyGame, text: str) -> str:
    """What the current rules judge differently from the record; empty if nothing."""
    try:
        answer: Replay = replay(game, decode(text.encode()), under_current_rules=True)
    except Problem as problem:
        return "; ".join(f"{error['pointer']}: {error['message']}" for error in problem.errors) or problem.detail
    if first := answer.first_divergence:
        return f"move {first.index} is illegal: {first.refusal['message']} [{first.refusal['rule']}]"
    return "" if answer.verdict == "legal" else f"the replay ends with: {answer.verdict}"


def is_missing(game: AnyGame, recipe: Any) -> bool:
    return not (records_folder(game.id) / f"{recipe.name}.json").exists()


def main(wanted: list[str]) -> None:
    for game in all_games().values():
        showcase = showcase_of(game)
        if showcase is None or (wanted and wanted[0] != game.id):
            continue
        records_folder(game.id).mkdir(parents=True, exist_ok=True)
        changed = set(wanted[1:] or (() if wanted else renew(game)))
        for recipe in showcase.RECIPES:
            if recipe.name in changed or wanted == [game.id] or (not wanted and is_missing(game, recipe)):
                make(game, showcase, recipe)


if __name__ == "__main__":
    main(sys.argv[1:])
