"""The sentences of every game in every language, as they stand in `tests/golden/sentences` for native readers."""

from pathlib import Path

import pytest

from capomastro.engine.game import AnyGame
from tests.support.sentences import SENTENCES, sentence_files, sentences_text
from tests.support.written import assert_as_written

ALL = list(sentence_files())


@pytest.mark.parametrize(("file", "game", "language"), ALL, ids=[file.stem for file, _, _ in ALL])
def test_sentences(file: Path, game: AnyGame, language: str) -> None:
    assert_as_written(file, sentences_text(game, language), "something is said in other words")


def test_no_file_of_sentences_is_left_over() -> None:
    assert {*SENTENCES.iterdir()} == {file for file, _, _ in ALL}
