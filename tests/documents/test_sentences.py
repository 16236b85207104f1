"""The sentences of every game in every language, as they stand in `tests/golden/sentences` for native readers."""

from difflib import unified_diff
from itertools import islice
from pathlib import Path

import pytest

from capomastro.engine.game import AnyGame
from tests.support.sentences import SENTENCES, sentence_files, sentences_text

ALL = list(sentence_files())


@pytest.mark.parametrize(("file", "game", "language"), ALL, ids=[file.stem for file, _, _ in ALL])
def test_sentences(file: Path, game: AnyGame, language: str) -> None:
    assert file.exists(), "`make generated` writes it"
    written, current = file.read_text("utf-8").splitlines(), sentences_text(game, language).splitlines()
    difference = "\n".join(islice(unified_diff(written, current, "written down", "said now", lineterm=""), 60))
    assert written == current, f"something is said in other words; if that is meant, `make generated`:\n{difference}"


def test_no_file_of_sentences_is_left_over() -> None:
    assert {*SENTENCES.iterdir()} == {file for file, _, _ in ALL}
