"""Writes the parts of the conformance kit other than recorded games: python tools/make_conformance.py [game|tables …]

Rewrites the vectors of illegal moves and impossible documents. Perft set-ups are fixtures and are kept: only those are
counted that are missing, or of another version of the rules.
"""

import sys
from pathlib import Path
from time import perf_counter

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.support import perft, table_vectors, vectors

from capomastro.documents.json_text import decode
from capomastro.engine.game import AnyGame
from capomastro.games import all_games


def main(wanted: list[str]) -> None:
    for game in all_games().values():
        if not wanted or game.id in wanted:
            write_vectors(game)
            write_missing_setups(game)
    if not wanted or "tables" in wanted:
        write_tables()


def write_tables() -> None:
    table_vectors.FOLDER.mkdir(exist_ok=True)
    for name in table_vectors.FILES:
        text = table_vectors.text_of(name)
        (table_vectors.FOLDER / name).write_text(text, "utf-8")
        print(f"tables/{name:20}{text.count(chr(10)):5} vectors {len(text.encode()):8} bytes")


def write_vectors(game: AnyGame) -> None:
    for file, made in (
        (vectors.illegal_moves_file(game), vectors.illegal_moves(game)),
        (vectors.unavailable_moves_file(game), list(vectors.unavailable_moves(game))),
        (vectors.impossible_documents_file(game), list(vectors.impossible_documents(game))),
    ):
        text = vectors.text_of(made)
        file.write_text(text, "utf-8")
        print(f"{game.id}/{file.name:40}{len(made):5} vectors {len(text):8} bytes")


def write_missing_setups(game: AnyGame) -> None:
    for file in perft.files_of(game):
        if decode(file.read_bytes())["state"]["rules_version"] != game.rules_version:
            file.unlink()
    for setup in perft.setups_of(game):
        file = perft.file_of(game, setup.name)
        if not file.exists():
            file.parent.mkdir(exist_ok=True)
            began = perf_counter()
            document = perft.document_of(game, setup)
            file.write_text(perft.text_of(document), "utf-8")
            print(
                f"{game.id}/perft/{file.name:34} {perf_counter() - began:5.1f} s  {document['sequences']}", flush=True
            )


if __name__ == "__main__":
    main(sys.argv[1:])
