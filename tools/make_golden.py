"""Rewrites the playthroughs, pictures and sentences in `tests/golden/`.

Read the difference, and look at the pictures.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.support.golden import GOLDEN, playthroughs, text_of
from tests.support.pictures import PICTURES, drawn, kept_positions, readable
from tests.support.sentences import SENTENCES, sentence_files, sentences_text


def main(wanted: list[str]) -> None:
    GOLDEN.mkdir(exist_ok=True)
    for file, game, playthrough in playthroughs():
        if not wanted or game.id in wanted:
            text = text_of(game, playthrough)
            file.write_text(text, "utf-8")
            print(f"{file.name:44}{len(text):8} bytes")
    PICTURES.mkdir(exist_ok=True)
    for position in kept_positions():
        if not wanted or position.game.id in wanted:
            text = readable(drawn(position))
            position.file.write_text(text, "utf-8")
            print(f"{position.file.name:44}{len(text):8} bytes")
    SENTENCES.mkdir(exist_ok=True)
    for file, game, language in sentence_files():
        if not wanted or game.id in wanted:
            file.write_text(sentences_text(game, language), "utf-8")
            print(f"{file.name:44}")


if __name__ == "__main__":
    main(sys.argv[1:])
