"""The table of terms in the documentation is that of the catalogues."""

from tools.make_terms import FILE, tables, terms_text

from capomastro.documents.languages import languages
from capomastro.documents.wordings import SHARED
from capomastro.games import all_games


def test_the_table_of_terms_is_that_of_the_catalogues() -> None:
    assert FILE.read_text("utf-8") == terms_text(), "`make generated` writes it"


def test_every_term_has_a_word_in_every_language() -> None:
    for game in all_games().values():
        for rows in tables(game).values():
            assert all(len(names) == len(languages(SHARED)) and all(names) for names in rows.values())
