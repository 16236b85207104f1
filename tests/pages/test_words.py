"""The words of the pages: the same keys in every language, and all that are used exist."""

import json
import re
from pathlib import Path

import pytest

from capomastro import pages
from capomastro.api.documentation import GROUPS
from capomastro.api.pages import names_of_choices, titles
from capomastro.catalogue import rules
from capomastro.documents.languages import languages
from capomastro.documents.wordings import SHARED
from capomastro.games import all_games

FOLDER = pages.FILES / "words"
KINDS = sorted({path.name.split(".")[0] if path.name.count(".") == 2 else "" for path in FOLDER.iterdir()})
"""The games, and "" for what all pages share."""

SLOT = re.compile(r"\{(\w+)(?::[^|}]*\|[^}]*)?\}")


def words(kind: str, language: str) -> dict[str, str]:
    found: dict[str, str] = json.loads((FOLDER / f"{kind}{'.' if kind else ''}{language}.json").read_text("utf-8"))
    return found


def all_words(language: str) -> dict[str, str]:
    return {key: words_of_language for kind in KINDS for key, words_of_language in words(kind, language).items()}


def all_names(language: str) -> dict[str, str]:
    """What comes with the pages, from the catalogues of the games."""
    named = titles(language)
    for game in all_games().values():
        named |= names_of_choices(game, language)
    return named


@pytest.mark.parametrize("language", pages.LANGUAGES)
@pytest.mark.parametrize("kind", KINDS)
def test_each_language_says_the_same_with_the_same_slots(kind: str, language: str) -> None:
    words_of_language, english = words(kind, language), words(kind, pages.LANGUAGES[0])
    assert set(words_of_language) == set(english)
    for key, sentence in words_of_language.items():
        assert set(SLOT.findall(sentence)) == set(SLOT.findall(english[key])), key


@pytest.mark.parametrize("language", pages.LANGUAGES)
def test_no_text_is_empty_or_has_an_exclamation_mark(language: str) -> None:
    for key, sentence in all_words(language).items():
        assert sentence.strip() == sentence, key
        assert sentence, key
        assert "!" not in sentence, key


@pytest.mark.parametrize("language", pages.LANGUAGES)
def test_pages_have_no_second_name_for_what_a_catalogue_names(language: str) -> None:
    assert set(all_words(language)) & set(all_names(language)) == set()


@pytest.mark.parametrize("language", pages.LANGUAGES)
def test_a_material_is_called_as_in_the_names_of_its_tiles(language: str) -> None:
    words_of_language, named = words("palazzo", language), names_of_choices(all_games()["palazzo"], language)
    for material in ("brick", "sandstone", "marble"):
        assert named[f"palazzo.{material}-{{floor}}-{{windows}}"].startswith(
            f"{words_of_language[f'palazzo.{material}']} "
        )


def sources() -> list[Path]:
    return [*pages.FILES.rglob("*.js"), *(pages.FOLDER / "templates").rglob("*.html")]


def test_every_key_that_is_used_exists() -> None:
    known = set(all_words("en")) | set(all_names("en"))
    for path in sources():
        for key in re.findall(r"""\bt\(["']([^"'`$]+)["'][,)]""", path.read_text("utf-8")):
            assert key in known, (path.name, key)


def test_every_key_that_exists_is_used() -> None:
    """By its key, or by a composed one whose beginning is in the code."""
    text = "\n".join(path.read_text("utf-8") for path in sources())
    beginnings = [re.sub(r"\$\{.*", "", one) for one in re.findall(r"t\(`([^`]+)`", text)]
    for key in all_words("en"):
        made = any(key.startswith(beginning) for beginning in beginnings if beginning)
        of_a_game = key.split(".", 1)[0] in all_games() and f"}}.{key.split('.', 1)[1]}`" in text
        of_a_group = key.removeprefix("docs.") in GROUPS
        named = f'"{key}"' in text or f"'{key}'" in text
        assert named or made or of_a_game or of_a_group or key.endswith((".title", ".about")), key


def test_every_mark_of_the_rules_has_its_words() -> None:
    known = {**all_words("en"), **all_names("en")}
    for game in all_games().values():
        for rule in rules(game).rules:
            assert f"mark.{rule.mark}" in known, rule.id
            assert f"mark.{rule.mark}.about" in known, rule.id


def test_the_pages_and_their_script_have_the_same_languages() -> None:
    """And each has a file; the service discovers its languages by these files."""
    script = (pages.FILES / "words.js").read_text("utf-8")
    listed = re.search(r"LANGUAGES = (\[.*?\]);", script)
    assert listed is not None
    assert tuple(json.loads(listed[1])) == pages.LANGUAGES
    assert {path.stem for path in FOLDER.glob("*.json") if "." not in path.stem} == set(pages.LANGUAGES)
    assert set(pages.LANGUAGES) == set(languages(SHARED))
