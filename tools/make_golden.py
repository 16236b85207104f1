"""Rewrites the golden playthroughs in `tests/golden/`: make golden. Read the diff: it is the change of behaviour."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.support.golden import GOLDEN, playthroughs, text_of


def main(wanted: list[str]) -> None:
    GOLDEN.mkdir(exist_ok=True)
    for file, game, playthrough in playthroughs():
        if not wanted or game.id in wanted:
            text = text_of(game, playthrough)
            file.write_text(text, "utf-8")
            print(f"{file.name:44}{len(text):8} bytes")


if __name__ == "__main__":
    main(sys.argv[1:])
