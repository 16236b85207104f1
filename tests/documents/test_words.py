"""The catalogues of words: complete in every language, with the same slots, and without words of other languages."""

import ast
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, get_args

import pytest
from msgspec.structs import asdict

import capomastro
from capomastro import pages
from capomastro.cli.translation import PACKAGE as COMMAND_LINE
from capomastro.documents import shapes
from capomastro.documents.languages import ORIGINAL, languages, using_language
from capomastro.documents.wordings import (
    NAMES,
    PHRASES,
    SHARED,
    catalogue,
    event_text,
    languages_of,
    line_name,
    line_text,
    move_text,
    package_of,
    phrase,
    problems,
    rules_of,
    sentence,
    words_of,
)
from capomastro.engine.game import AnyGame
from capomastro.engine.moves import type_of
from capomastro.engine.stages import GameOver
from capomastro.games import all_games
from tests.support.recorded import full_replays
from tests.support.refusals import cases_of, refusals_of
from tests.support.schemas import schema_files
from tests.support.slots import all_slots

GAMES = list(all_games().values())
every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
every_catalogue = pytest.mark.parametrize(
    ("game", "language"),
    [pytest.param(game, language, id=f"{game.id}-{language}") for game in GAMES for language in languages_of(game)],
)
every_translation = pytest.mark.parametrize(
    ("game", "language"),
    [pytest.param(game, language, id=f"{game.id}-{language}") for game in GAMES for language in languages_of(game)[1:]],
)

TABLES = ("tokens", "places", "options", "decisions", "moves", "sections")
SENTENCES = ("moves", "events")

ENGLISH = re.compile(
    r"\b(the|and|or|of|not|is|are|seat|cannot|there|has|have|been|with|only|card|cards|tile|tiles|tower|floor|none|"
    r"nothing|building|buildings|lot|black card|white|yellow|green|blue|grey|brown|purple|large|small|medium)\b"
)
"""English words that no translated sentence has."""
TOKEN = re.compile(r"\b[a-z]+(?:-[a-z0-9]+)+\b|\b[a-z]+_[a-z]+\b")
"""Whatever looks like a token, an id or a member."""
ALLOWED = {"park_tiles", "stack_sizes", "under_central_park"}
"""Members of documents that a sentence is about."""


OF_TRANSLATIONS = re.compile("/lists/.*-before/|/(members|sources|system)/")
"""Tables that the original does not need."""


def templates(catalogue: dict[str, Any], path: str = "") -> Iterator[tuple[str, str]]:
    """Every text of a catalogue with its place."""
    for name, value in catalogue.items():
        if isinstance(value, dict):
            yield from templates(value, f"{path}/{name}")
        elif isinstance(value, list):
            yield from templates({str(number): item for number, item in enumerate(value)}, f"{path}/{name}")
        elif value or not path.startswith("/summary"):
            yield f"{path}/{name}", value


def translated(path: str) -> bool:
    """Whether a text is translated: not the source or the mark of a rule, nor a status, nor what has no words.

    Members of documents, sources and the system's error messages have words only in translations.
    """
    return (
        not path.endswith(("/source", "/mark", "/concerns", "/rule", "/status"))
        and not path.startswith("/brief/")
        and not OF_TRANSLATIONS.match(path)
    )


# --- the same everywhere ---------------------------------------------------------------------------------------------


@every_catalogue
def test_a_catalogue_has_everything_with_the_same_slots_as_the_original(game: AnyGame, language: str) -> None:
    original = dict(templates(catalogue(package_of(game), ORIGINAL)))
    own = dict(templates(catalogue(package_of(game), language)))
    assert [path for path in original if translated(path)] == [path for path in own if translated(path)]
    if language != ORIGINAL:
        assert all(translated(path) or path.startswith(("/members/", "/sources/")) for path in own)
    for path, text in own.items():
        assert text.strip() == text != "", path
        if translated(path) and not path.endswith("/wording"):
            assert all_slots([text]) == all_slots([original[path]]), path


@every_game
def test_what_people_count_from_1_is_so_in_every_sentence(game: AnyGame) -> None:
    slots = {
        (name, added)
        for language in languages_of(game)
        for _, text in templates(catalogue(package_of(game), language))
        for name, added in re.findall(r"\{(\w+)(\+1)?\}", text)
    }
    assert not {name for name, added in slots if added} & {name for name, added in slots if not added}


@every_translation
def test_the_sources_of_rules_have_a_name(game: AnyGame, language: str) -> None:
    parts = {part for rule in rules_of(game, ORIGINAL).values() for part in rule["source"].split("; ")}
    assert words_of(game, language).catalogue["sources"].keys() == parts


NUMBERS = {
    "en": "two three four five six seven eight nine ten",
    "de": "zwei drei vier fünf sechs sieben acht neun zehn",
    "es": "dos tres cuatro cinco seis siete ocho nueve diez",
    "it": "due tre quattro cinque sei sette otto nove dieci",
}
"""The words from 2 to 10."""
FURTHER_NUMBERS = {"zweit": "2", "dritt": "3", "dreimal": "3", "viert": "4", "fünft": "5"}
WITHOUT_ITS_NUMBERS = {("it", "campanile.scoring.height"), ("es", "fifth-avenue.map.exits")}
"""Wordings that say in another way what the original says with a number: "of two equal ones" is "a parità"."""


def numbers_in(text: str, language: str) -> set[str]:
    """All numbers of a text, in figures or as words."""
    words = {word: str(number) for number, word in enumerate(NUMBERS[language].split(), 2)}
    of_words = {**words, **(FURTHER_NUMBERS if language == "de" else {})}
    found = re.findall(r"\d+|[^\W\d]+", text.lower())
    return {of_words.get(word, word) for word in found if word in of_words or word.isdecimal()}


def figures_in(text: str) -> list[str]:
    """The figures of a text, each as often as it occurs; words for numbers occur more often in some languages."""
    return sorted(re.findall(r"\d+", text))


@every_translation
def test_the_wording_of_a_rule_has_the_same_numbers_as_the_original(game: AnyGame, language: str) -> None:
    original, own = catalogue(package_of(game), ORIGINAL), catalogue(package_of(game), language)
    for rule in set(original) - set(NAMES):
        if "wording" in original[rule] and (language, rule) not in WITHOUT_ITS_NUMBERS:
            wanted, translation = original[rule]["wording"], own[rule]["wording"]
            assert numbers_in(translation, language) == numbers_in(wanted, ORIGINAL), rule
            assert figures_in(translation) == figures_in(wanted), rule


def test_another_number_in_the_wording_of_a_rule_is_noticed() -> None:
    assert numbers_in("It costs 3, with four players 5.", "en") == {"3", "4", "5"}
    assert numbers_in("Er kostet 3, zu viert 5.", "de") == {"3", "4", "5"}
    assert numbers_in("Er kostet 3, zu dritt 5.", "de") == {"3", "5"}
    assert figures_in("With four floors plus 4, with three 3.") != figures_in("With four floors plus 3, with three 3.")


@pytest.mark.parametrize("language", languages(SHARED))
def test_the_shared_words_are_complete(language: str) -> None:
    original = {path: text for path, text in templates(catalogue(SHARED, ORIGINAL)) if translated(path)}
    own = {path: text for path, text in templates(catalogue(SHARED, language)) if translated(path)}
    assert own.keys() == original.keys()
    assert list(problems(language)) == list(problems(ORIGINAL))
    assert all(kind["title"] and kind["meaning"] and kind["status"] for kind in problems(language).values())


@every_game
def test_a_game_is_explained_in_every_language_or_in_the_original_alone(game: AnyGame) -> None:
    """A new game begins in English; if it is translated, then into every language."""
    assert languages_of(game) in {(ORIGINAL,), languages(SHARED)}


# --- what there is to say --------------------------------------------------------------------------------------------


@every_game
def test_every_id_has_a_name(game: AnyGame) -> None:
    words = words_of(game, ORIGINAL).catalogue
    stages = {type_of(stage) for stage in game.decision_at}
    assert set(words["decisions"]) == stages | {type_of(GameOver)}
    assert set(words["moves"]) == set(words["sentences"]["moves"]) == set(game.kinds_of_move)
    assert set(words["sentences"]["events"]) == set(event_members(game))
    assert set(words["options"]) == set(schema_files()[f"{game.id}/options.json"]["properties"])
    rules = [id for id in words if id.startswith(f"{game.id}.")]
    assert set(words["sections"]) == {id.split(".")[1] for id in rules}


@every_catalogue
def test_every_token_and_every_place_has_a_name(game: AnyGame, language: str) -> None:
    words = words_of(game, language)
    for token in tokens_of(game):
        assert words.things.get(token), token


@every_translation
def test_every_member_that_people_are_shown_has_a_name(game: AnyGame, language: str) -> None:
    """The members of states, derived figures, options and moves; those in the heading of a state are sentences.

    Also the components of the box, with the groups in which they are listed.
    """
    words = words_of(game, language)
    documents = [shapes.bundle(game.id, document) for document in ("state", "derived", "options", "move")]
    in_heading = {"game", "schema_version", "rules_version", "ply", "names", "seats"}
    shown = {member for document in documents for member in members_of(document)} - in_heading
    for group, counts in game.components().items():
        shown |= {group, *(token for token in counts if not token.isdecimal())}
    named = {member for member in shown if member in words.members or words.thing(member) in words.things.values()}
    assert named == shown
    own = set(words.catalogue["members"])
    assert own <= shown
    assert not own & set(words.catalogue["options"])


def members_of(schema: Any) -> Iterator[str]:
    """The members of all objects in a schema."""
    if isinstance(schema, dict):
        yield from schema.get("properties", ())
        for part in schema.values():
            yield from members_of(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from members_of(part)


@every_game
def test_slots_of_sentences_are_members_of_moves_and_events(game: AnyGame) -> None:
    templates = words_of(game, ORIGINAL).catalogue["sentences"]
    for type, kind in game.kinds_of_move.items():
        assert all_slots([templates["moves"][type]]) <= {*kind.__struct_fields__, "player"}
    for type, members in event_members(game).items():
        assert all_slots([templates["events"][type]]) <= {*members, "player", "line"}, type


@every_game
def test_every_cause_has_a_sentence(game: AnyGame) -> None:
    folder = Path(capomastro.__file__).parent / "games" / package_of(game).rpartition(".")[2]
    code = "".join(file.read_text("utf-8") for file in folder.glob("*.py"))
    named = re.findall(r'\b(?:because_of|Because)\("([a-z-]+)"', code)
    assert {*named} == {*words_of(game, ORIGINAL).catalogue.get("because", ())}


def test_every_verdict_on_a_record_has_a_name() -> None:
    of_a_record = schema_files()["common/verdict-on-record.json"]["enum"]
    _, of_a_line = schema_files()["common/verdict-on-line.json"]["properties"]["verdict"]["anyOf"]
    named = {
        key.removeprefix("verdict-") for key in catalogue(SHARED, ORIGINAL)["output"] if key.startswith("verdict-")
    }
    assert named == {*of_a_record, *of_a_line["enum"]}


# --- what is said ----------------------------------------------------------------------------------------------------


def event_members(game: AnyGame) -> dict[str, set[str]]:
    """The members of every event by its type."""
    return {type_of(kind): set(kind.__struct_fields__) for kind in get_args(game.events)}


def tokens_of(game: AnyGame) -> set[str]:
    """Every token of a game, as in its schema of tokens."""
    kinds = schema_files()[f"{game.id}/tokens.json"]["$defs"].values()
    return {token for kind in kinds for token in [*kind.get("enum", ()), *([kind["const"]] if "const" in kind else ())]}


def words_of_others(text: str) -> list[str]:
    return [*ENGLISH.findall(text), *(token for token in TOKEN.findall(text) if token not in ALLOWED)]


@every_translation
def test_refusals_have_no_words_of_other_languages(game: AnyGame, language: str) -> None:
    for broken in cases_of(game):
        for refusal in refusals_of(game, broken):
            text = sentence(game, refusal, language)
            assert not words_of_others(without_names(game, text)), text


@every_catalogue
def test_a_whole_game_has_sentences(game: AnyGame, language: str) -> None:
    """Each move, event and result line of a recorded game has a sentence without words of other languages."""
    with using_language(language):
        for replay in full_replays(game)[:4]:
            for ply in replay.plies:
                sentences = [
                    move_text(game, ply.move),
                    *(event_text(game, event, NAMES_OF_PLAYERS) for event in ply.happened),
                ]
                for text in sentences:
                    assert text
                    assert not re.search("None|[{}|]", text)
                    assert language == ORIGINAL or not words_of_others(without_names(game, text)), text
            result = replay.result
            for player in result.players if result else ():
                for line in player.lines:
                    assert line_name(game, line.rule)
                    text = line_text(game, asdict(line))
                    assert language == ORIGINAL or not words_of_others(without_names(game, text)), text
            for tie in result.tie_break if result else ():
                assert line_name(game, tie.rule)


def plain(text: str) -> str:
    """A text of a catalogue without its slots, and without ids and other texts for programs."""
    without_slots = re.sub(r"\{\w+(\+1|:and|:or)?\}|\{\w+(=\w+)?[:?]", " ", text)
    return re.sub(r"`[^`]*`|--\w+|Content-\w+|Transfer-Encoding|verify-table", " ", without_slots)


@every_translation
def test_catalogues_have_no_words_of_other_languages(game: AnyGame, language: str) -> None:
    """This covers rules, names and sentences of games, and the shared problems, pictures and command line."""
    for package in (package_of(game), SHARED):
        for path, text in templates(catalogue(package, language)):
            if translated(path):
                assert not words_of_others(without_names(game, plain(text))), path


@pytest.mark.parametrize("language", pages.LANGUAGES[1:])
def test_pages_have_no_words_of_other_languages(language: str) -> None:
    files = sorted((pages.FILES / "words").glob(f"*{language}.json"))
    assert len(files) > len(GAMES)
    for file in files:
        for key, text in json.loads(file.read_text("utf-8")).items():
            assert not words_of_others(plain(text)), f"{file.name}: {key}"


QUOTES = {"en": "“”", "it": "«»", "es": "«»", "de": "„“"}
STRAIGHT_OR_QUOTES = re.compile("['\"‘‚‛“”„‟«»‹›]")
TYPED = re.compile(r"`[^`]*`|'\{command\} \{option\}'|\"(?:-|3|common|local|state|(?:0|Ada) build)\"")
"""What a sentence quotes as it is typed, in a command or as JSON."""


@pytest.mark.parametrize("language", languages(SHARED))
def test_a_language_has_one_apostrophe_and_one_kind_of_quotes_wherever_it_is_read(language: str) -> None:
    of_commands = [] if language == ORIGINAL else [COMMAND_LINE]  # whose English stands beside the commands
    packages = (SHARED, *of_commands, *map(package_of, GAMES))
    texts = {f"{package}{path}": text for package in packages for path, text in templates(catalogue(package, language))}
    for file in (pages.FILES / "words").glob(f"*{language}.json"):
        texts |= {f"{file.name}: {key}": text for key, text in json.loads(file.read_text("utf-8")).items()}
    wrong = {
        place: text
        for place, text in texts.items()
        if set(STRAIGHT_OR_QUOTES.findall(TYPED.sub("", str(text)))) - set(QUOTES[language])
    }
    assert not wrong


NAMES_OF_PLAYERS = ["Ada", "Bo", "Cy", "Di", "Eve"]


def without_names(game: AnyGame, text: str) -> str:
    """A sentence without the names that are the same in all languages."""
    for name in ("Central Park", "City Hall", "Times Square"):
        text = text.replace(name, "")
    return re.sub(r"[0-9]+(th|nd) Street (West|East)", "", text)


@pytest.mark.parametrize("table", NAMES)
def test_every_table_that_slots_refer_to_exists(table: str) -> None:
    assert any(table in words_of(game, ORIGINAL).catalogue for game in GAMES)


# --- sentences that belong to no game --------------------------------------------------------------------------------


@cache
def calls_of_phrase() -> list[tuple[str, set[str] | None]]:
    """Every sentence that the code uses, by key, with the names of its values; None if they are not written out.

    A composed key stands for all that begin or end like it.
    """
    found: list[tuple[str, set[str] | None]] = []
    for path in sorted(Path(capomastro.__file__).parent.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            called = [node.func, *node.args[:1]] if getattr(node.func, "id", None) == "partial" else [node.func]
            if getattr(called[-1], "id", None) != "phrase":
                continue
            given = {keyword.arg or "" for keyword in node.keywords}
            found += [(key, None if "" in given else given) for key in keys_in(node.args[len(called) - 1])]
    return found


def keys_in(node: ast.expr) -> list[str]:
    """The keys that an argument can stand for."""
    if isinstance(node, ast.Constant):
        return [str(node.value)]
    if isinstance(node, ast.IfExp):
        return [*keys_in(node.body), *keys_in(node.orelse)]
    if isinstance(node, ast.Dict):
        return [key for value in node.values for key in keys_in(value)]
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Dict):
        return keys_in(node.value)
    if isinstance(node, ast.JoinedStr):
        pattern = "".join(
            re.escape(str(part.value)) if isinstance(part, ast.Constant) else ".+" for part in node.values
        )
    elif isinstance(node, ast.BinOp) and isinstance(node.left, ast.Constant):
        pattern = re.escape(str(node.left.value)) + ".+"
    else:
        return [key for key in PHRASES_HANDED_ON if key in phrases_in(ORIGINAL)]
    return [key for key in phrases_in(ORIGINAL) if re.fullmatch(pattern, key)]


PHRASES_HANDED_ON = (
    *("body-invalid", "query-invalid", "header-late", "body-late", "options", "impossible-state"),
    *("impossible-scoresheet", "claimed", "computed", "claimed-nothing", "computed-nothing", "replaced", "inserted"),
)
"""Keys that the code has as values of a variable."""


def phrases_in(language: str) -> dict[str, str]:
    shared = catalogue(SHARED, language)
    return {key: text for table in PHRASES for key, text in shared[table].items()}


def test_every_phrase_is_used_and_every_used_phrase_exists() -> None:
    used = {key for key, _ in calls_of_phrase()}
    assert used == set(phrases_in(ORIGINAL))
    assert len(phrases_in(ORIGINAL)) == sum(len(catalogue(SHARED, ORIGINAL)[table]) for table in PHRASES)


def test_an_unknown_phrase_is_an_error_even_within_an_iteration() -> None:
    with pytest.raises(KeyError, match="no-such-phrase"):
        list(map(phrase, ["no-such-phrase"]))


def test_phrases_get_the_values_that_they_are_made_of() -> None:
    texts = phrases_in(ORIGINAL)
    for key, given in calls_of_phrase():
        if given is not None and key not in PHRASES_HANDED_ON:
            assert all_slots([texts[key]]) == given, key


@pytest.mark.parametrize("language", languages(SHARED)[1:])
def test_phrases_have_the_same_slots_in_all_languages_and_no_words_of_others(language: str) -> None:
    for key, text in phrases_in(language).items():
        assert all_slots([text]) == all_slots([phrases_in(ORIGINAL)[key]]), key
        assert not words_of_others(plain(text)), text
