"""Makes the recorded games in `conformance/<game>/records/`: python tools/make_records.py [game] [recipe …]

For each recipe in `tests/games/<game>/showcase.py`, it tries seeds until the game that a seed gives, with the recipe's
players and draws, has the required property; it keeps the shortest of a few such games. Records are fixtures: once
written they stay, and must be legal with the same result for ever. Rewrite them only when a rule has changed.
"""

import sys
from pathlib import Path
from time import perf_counter

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.support.recorded import find, records_folder, showcase_of, text_of

from capomastro.games import all_games


def main(wanted: list[str]) -> None:
    for game in all_games().values():
        showcase = showcase_of(game)
        if showcase is None or (wanted and wanted[0] != game.id):
            continue
        folder = records_folder(game.id)
        folder.mkdir(parents=True, exist_ok=True)
        for recipe in showcase.RECIPES:
            if wanted[1:] and recipe.name not in wanted[1:]:
                continue
            began = perf_counter()
            made = find(game, recipe, showcase.SHOWN)
            for name, replay in made.items():
                text = text_of(name, replay)
                (folder / f"{name}.json").write_text(text, "utf-8")
                print(f"{name:44}{len(replay.plies):5} plies {len(text):7} bytes {perf_counter() - began:6.1f} s")
                print(f"    {replay.document['tags']['shows']}")


if __name__ == "__main__":
    main(sys.argv[1:])
