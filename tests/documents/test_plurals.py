"""The plural rule of the catalogues, one form for 1 and one for every other number, against CLDR."""

import pytest
from babel import Locale

from capomastro.documents.languages import languages
from capomastro.documents.sentences import Words, compiled, read
from capomastro.documents.wordings import SHARED

NUMBERS = range(10_000)


@pytest.mark.parametrize("language", languages(SHARED))
def test_the_form_after_a_number_is_that_of_cldr(language: str) -> None:
    """CLDR has a third form in Italian and Spanish, `many`, from a million on; no number here is that large."""
    form = compiled(read("{n:one|other}"), Words())
    rule = Locale.parse(language).plural_form
    assert all(form({"n": number}) == f"{number} {rule(number)}" for number in NUMBERS)
