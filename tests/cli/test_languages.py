"""The language of the command line: an option, else the locale."""

import pytest
from click.testing import CliRunner

from capomastro.cli import main
from capomastro.documents.languages import ORIGINAL, spoken

ITALIAN, GERMAN = "Dopo la fine", "Nach dem Ende"


@pytest.mark.parametrize(
    ("arguments", "environment", "said"),
    [
        ((), {}, "Nothing can be done"),
        (("--language", "it"), {"LANG": "de_DE.UTF-8"}, ITALIAN),
        ((), {"LANG": "de_AT.UTF-8"}, GERMAN),
        ((), {"LC_ALL": "it_IT@euro", "LANG": "de_DE.UTF-8"}, ITALIAN),
        ((), {"LANG": "fr_FR.UTF-8"}, "Nothing can be done"),
        ((), {"LANG": "C.UTF-8"}, "Nothing can be done"),
    ],
)
def test_rules_are_explained_in_the_language_asked_for(
    arguments: tuple[str, ...], environment: dict[str, str], said: str
) -> None:
    cleared: dict[str, str | None] = {"LC_ALL": None, "LC_MESSAGES": None, "LANG": None}
    answer = CliRunner(env={**cleared, **environment}).invoke(main, [*arguments, "rules", "palazzo"])
    assert answer.exit_code == 0
    assert said in answer.output
    assert spoken() == ORIGINAL
