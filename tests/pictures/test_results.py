"""Pictures of results: of every game, for every number of players, whatever the names."""

import re
from itertools import cycle, product
from typing import Any, Literal
from xml.etree import ElementTree as ET

import pytest

import capomastro
from capomastro.adjudicator import pictures_of_result
from capomastro.documents.languages import languages, using_language
from capomastro.documents.problems import Problem
from capomastro.documents.wordings import SHARED
from capomastro.drawing import lettering
from capomastro.drawing.palette import STYLE
from capomastro.engine.game import AnyGame
from capomastro.games import all_games
from capomastro.library.results import Result
from tests.support.pictures import SVG
from tests.support.recorded import few_records, replay_of

PALAZZO = all_games()["palazzo"]
WIDTHS: tuple[Literal["wide", "narrow"], ...] = ("wide", "narrow")
NAMES = ("Maximiliane-Charlotte von Hohenstein-Wittelsbach", "<b>&", "שרה", "WWWWWWWWWWWWWWWWWWWWWWWWW", "i")
IMPOSSIBLE: dict[str, Any] = {
    "game": "palazzo",
    "schema_version": 1,
    "seats": [{"name": "Ada", "palaces": [["brick-1-2", "brick-1-3"]]}, {"name": "Bruno", "palaces": [["marble-2-2"]]}],
}
UNFINISHED = {**IMPOSSIBLE, "unfinished": True, "seats": [{"name": "Ada"}, {"name": "Bruno"}]}


def svg_of(game: AnyGame, kind: str, document: Any, *how: Any) -> tuple[str, ET.Element]:
    (drawn,) = pictures_of_result(game, kind, document, *how).pictures
    return drawn, ET.fromstring(drawn)


def texts_in(svg: ET.Element) -> list[str]:
    return [element.text or "" for element in svg.iter(f"{SVG}text")]


def test_every_result_is_drawn_as_it_was_reckoned() -> None:
    """Of every game and number of players: each player once, with their place and points, the best first."""
    for file, (language, layout) in zip(few_records(), cycle(product(languages(SHARED), WIDTHS)), strict=False):
        game, record, _, result = replay_of(file)
        if result is None:
            continue
        names = NAMES[: record["players"]]
        with using_language(language):
            text, svg = svg_of(game, "record", {**record, "names": list(names)}, layout, "27.11.2026")
        shown = Result(capomastro.game(game.id), result, names)
        assert shown.picture(layout, language, note="27.11.2026") == text
        rows = [element for element in svg.iter() if (element.get("data-place") or "").startswith("/players/")]
        seats = [int(row.get("data-place", "").rpartition("/")[2]) for row in rows]
        assert sorted(seats) == [*range(record["players"])]
        assert seats == sorted(seats, key=lambda seat: (-result.totals[seat], result.players[seat].place or 0))
        for seat, row in zip(seats, rows, strict=True):
            points = str(result.totals[seat]).replace("-", "−")
            assert {str(result.players[seat].place or "–"), points} <= {*texts_in(row)}
        assert svg.findtext(f"{SVG}style") == STYLE
        assert not re.search(r'style="|<script|href', text)


def test_an_impossible_scoresheet_is_drawn_only_on_request_and_marked() -> None:
    with pytest.raises(Problem, match="The scoresheet is impossible"):
        svg_of(PALAZZO, "scoresheet", IMPOSSIBLE)
    text, svg = svg_of(PALAZZO, "scoresheet", IMPOSSIBLE, "narrow", "", True)
    assert "Not possible by the rules" in " ".join(texts_in(svg))
    result = capomastro.score(IMPOSSIBLE, even_if_impossible=True).result
    assert result is not None
    assert result.picture("narrow") == text


def test_a_game_that_is_not_over_has_no_picture_of_a_result() -> None:
    begun = {**replay_of(few_records()[0]).document, "moves": []}
    for game, kind, document in (
        (PALAZZO, "scoresheet", UNFINISHED),
        (all_games()[begun["game"]], "record", begun),
    ):
        with pytest.raises(Problem) as raised:
            svg_of(game, kind, document)
        assert raised.value.id == "unfinished"


def test_a_long_text_is_wrapped_between_words_but_never_within_an_isolated_name() -> None:
    name = f"{lettering.ISOLATE}שרה בת אשר{lettering.POP_ISOLATE}"
    lines = lettering.wrapped(f"one {name} two", 80)
    assert lines == ["one", name, "two"]
    assert all(lettering.width(line) <= 80 for line in lettering.wrapped("W" * 40, 80))


@pytest.mark.parametrize("letter", ["e\u0301", "o\u0302\u0323", "नी", "⚔\ufe0f"], ids=ascii)
def test_a_text_is_not_cut_between_a_letter_and_its_accents(letter: str) -> None:
    text = letter * 40
    for shown in (lettering.name(text), *(lettering.cut(text, room) for room in range(0, 400, 3))):
        beginning = shown.removesuffix("…")
        assert beginning == letter * (len(beginning) // len(letter)) != text


@pytest.mark.parametrize("letter", "漢한Ｗ😀", ids=ascii)
def test_a_name_in_square_characters_ends_before_the_points(letter: str) -> None:
    seats = [{**seat, "name": letter * 20 + end} for seat, end in zip(IMPOSSIBLE["seats"], "ab", strict=True)]
    _, svg = svg_of(PALAZZO, "scoresheet", {**IMPOSSIBLE, "seats": seats}, "narrow", "", True)
    rows = [element for element in svg.iter() if (element.get("data-place") or "").startswith("/players/")]
    assert len(rows) == 2
    for row in rows:
        _, name, points = row.findall(f"{SVG}text")[:3]
        assert (name.text or "").startswith(letter)
        size_of_name, size_of_points = 16, 22
        end = float(name.get("x", 0)) + size_of_name * (name.text or "").count(letter)
        assert end < float(points.get("x", 0)) - size_of_points
