"""Examples of rules: what they show is true, is drawn, and is said in every language.

`tests/games/<game>/examples.py` has as `SEEN`, for every example, what is read from it and what its caption says.
"""

import re
from importlib import import_module
from typing import Any, NamedTuple
from xml.etree import ElementTree as ET

import pytest

from capomastro.adjudicator import audit, example_of, score_scoresheet
from capomastro.documents.languages import using_language
from capomastro.documents.rule_examples import Example, rule_examples
from capomastro.documents.wordings import captions, languages_of, rules_of
from capomastro.drawing.palette import STYLE
from capomastro.drawing.pictures import NARROW, Brief, Changes
from capomastro.engine.game import AnyGame
from capomastro.games import all_games
from tests.support.documents import as_move, as_scoresheet, as_state
from tests.support.pictures import SVG, places_in
from tests.support.rule_examples import examples_file, examples_of, text_of
from tests.support.setups import folder_of

WIDEST = 360
HIGHEST = 600
FEWEST, MOST = 10, 16
"""Examples of a game: a picture for each rule would hide the rules."""
NUMBER = re.compile(r"\d+")


class Shown(NamedTuple):
    """An example of a rule."""

    game: AnyGame
    rule: str
    example: Example


SHOWN = [Shown(game, rule, example) for game in all_games().values() for rule, example in rule_examples(game).items()]
every_game = pytest.mark.parametrize("game", all_games().values(), ids=lambda game: game.id)
every_game_with_examples = pytest.mark.parametrize(
    "game", [game for game in all_games().values() if rule_examples(game)], ids=lambda game: game.id
)
every_example = pytest.mark.parametrize("shown", SHOWN, ids=[shown.rule for shown in SHOWN])


def seen_in(game: AnyGame) -> Any:
    return import_module(f"tests.games.{folder_of(game)}.examples").SEEN


@every_game_with_examples
def test_a_game_has_examples_of_its_rules_in_their_order(game: AnyGame) -> None:
    examples = list(rule_examples(game))
    assert FEWEST <= len(examples) <= MOST
    assert examples == [rule for rule in rules_of(game) if rule in rule_examples(game)]
    assert seen_in(game).keys() == set(examples)


@every_game_with_examples
def test_positions_are_those_of_the_recorded_games(game: AnyGame) -> None:
    assert examples_file(game).read_text("utf-8") == text_of(examples_of(game)), "`make generated` writes them"


@every_example
def test_what_the_caption_says_is_seen(shown: Shown) -> None:
    game, example = shown.game, shown.example
    read, expected = seen_in(game)[shown.rule]
    if example.scoresheet is not None:
        assert read(as_scoresheet(game, example.scoresheet)) == expected
    else:
        assert read(as_state(game, example.state), *(as_move(game, move) for move in example.last_moves)) == expected


@every_example
def test_an_example_is_possible(shown: Shown) -> None:
    game, example = shown.game, shown.example
    if example.scoresheet is not None:
        score_scoresheet(game, example.scoresheet)
    else:
        assert not audit(game, example.state).findings


@every_example
def test_an_example_is_drawn_with_all_that_it_shows(shown: Shown) -> None:
    picture = example_of(shown.game, shown.rule)
    svg = ET.fromstring(picture.svg())
    assert (svg.get("width"), svg.get("height")) == (str(picture.width), str(picture.height))
    assert picture.width <= WIDEST
    assert picture.height <= HIGHEST
    assert svg.findtext(f"{SVG}desc") == rules_of(shown.game)[shown.rule]["example"]
    assert svg.findtext(f"{SVG}style") == STYLE
    drawn = places_in(svg)
    assert len(drawn) == len(set(drawn))
    for place in shown.example.show:
        assert any(one == place or one.startswith(f"{place}/") for one in drawn), place


@every_game
def test_every_language_has_a_caption_for_every_example_and_for_no_other_rule(game: AnyGame) -> None:
    captions = {
        language: {rule: words["example"] for rule, words in rules_of(game, language).items() if "example" in words}
        for language in languages_of(game)
    }
    for language, expected in captions.items():
        assert expected.keys() == rule_examples(game).keys(), language
        for rule, caption in expected.items():
            assert sorted(NUMBER.findall(caption)) == sorted(NUMBER.findall(captions["en"][rule])), (language, rule)
            assert caption.endswith(".")
    assert len({tuple(expected.values()) for expected in captions.values() if expected}) in (0, len(captions))


@every_game
def test_an_example_takes_the_same_room_in_every_language(game: AnyGame) -> None:
    for rule in rule_examples(game):
        drawn = set()
        for language in languages_of(game):
            with using_language(language):
                picture = example_of(game, rule)
            assert rules_of(game, language)[rule]["example"] == picture.description
            drawn.add(tuple(places_in(ET.fromstring(picture.svg()))))
        assert len(drawn) == 1, rule


@pytest.mark.parametrize("shown", SHOWN[:: len(SHOWN) // 12], ids=lambda shown: shown.rule)
def test_a_place_that_is_not_drawn_alone_is_refused(shown: Shown) -> None:
    game, example = shown.game, shown.example
    if example.scoresheet is not None:
        document = as_scoresheet(game, example.scoresheet)
    else:
        document = as_state(game, example.state)
    brief = Brief(NARROW, captions(game, None, "en"), Changes(), None)
    with pytest.raises(LookupError):
        game.picture_of_part(document, "/nowhere", brief)
