"""The fullest tables, with long names, in every language: nothing lies outside a picture, and no text on another."""

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from msgspec.structs import replace

from capomastro.adjudicator.pictures import picture_of
from capomastro.documents.languages import using_language
from capomastro.drawing.auctions import plays_of_cards
from capomastro.drawing.cards import MEDIUM, Card, finished
from capomastro.drawing.palette import STYLE
from capomastro.drawing.parts import LETTER_SPACING
from capomastro.drawing.pictures import LAYOUTS
from capomastro.engine.game import AnyGame
from capomastro.engine.players import at_random, planning
from capomastro.games import all_games
from capomastro.games.carrara.components import CITIES
from tests.support.lettering import SIZE_OF_CAPTIONS, lettering_of, touching
from tests.support.pictures import SVG, components_in
from tests.support.playouts import play_out, start

LANGUAGES = ("en", "it", "es", "de")
EVERY = 8
"""One in so many plies is looked at, from the last on."""
LONG_NAMES = (
    "Wilhelmina Wammerling von und zu Mommsenswalde",
    "Maximilian Wolfgang Emmanuel Wohlgemuth-Wimmer",
    "GWENDOLYN MARGHERITA MONTGOMERY WYNDHAM-QUINCY",
    "Donaudampfschifffahrtsgesellschaftskapitänswitwe",
    "WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW",
)
# The scope puts all tests of a game in a layout one after the other: its pictures are drawn once for all of them.
every_game = pytest.mark.parametrize("game", all_games().values(), ids=lambda game: game.id, scope="module")
every_layout = pytest.mark.parametrize("layout", list(LAYOUTS), scope="module")


@cache
def crowded(game: AnyGame) -> tuple[tuple[Any, Any], ...]:
    """Of games at random and of games that are planned: the fullest table of every stage, and the last.

    Each with the move that led to it. Fullest is what is drawn highest: the parts of a table lie above each other.
    """
    found = []
    for players in {min(game.players), max(game.players)}:
        for player in (at_random, planning):
            fullest: dict[type, tuple[float, Any, Any]] = {}
            for ply in [*play_out(game, players, seed=f"crowded {players}", player=player)][::-EVERY]:
                height = height_of(picture_of(game, ply.after, "narrow", [ply.move]))
                stage = type(ply.after.stage)
                if stage not in fullest or height > fullest[stage][0]:
                    fullest[stage] = height, ply.after, ply.move
            found += [(state, move) for _, state, move in fullest.values()]
    return tuple((replace(state, names=LONG_NAMES[: len(state.seats)]), move) for state, move in found)


def height_of(picture: str) -> float:
    """Read from the opening tag alone: parsing a whole picture takes as long as drawing it."""
    opening, _, _ = picture.partition(">")
    return float(ET.fromstring(f"{opening}/>").get("height", 0))


@lru_cache(maxsize=1)
def drawn(game: AnyGame, layout: str) -> list[ET.Element]:
    """The pictures of all crowded tables of a game, which no test changes."""
    return list(drawn_in(LANGUAGES[0], game, layout))


def drawn_in(language: str, game: AnyGame, layout: str) -> Iterator[ET.Element]:
    with using_language(language):
        for state, move in crowded(game):
            yield ET.fromstring(picture_of(game, state, layout, [move]))


def drawn_in_all_languages(game: AnyGame, layout: str) -> Iterator[tuple[str, ET.Element]]:
    """Every crowded table in every language, with what to call it when something is wrong."""
    for language in LANGUAGES:
        pictures = drawn(game, layout) if language == LANGUAGES[0] else drawn_in(language, game, layout)
        for (state, _), svg in zip(crowded(game), pictures, strict=True):
            yield f"{language}, {len(state.seats)} players, ply {state.ply}", svg


@pytest.mark.long
@pytest.mark.longest
@every_game
@every_layout
def test_every_text_is_within_the_picture_and_on_no_other(game: AnyGame, layout: str) -> None:
    for called, svg in drawn_in_all_languages(game, layout):
        width, height = float(svg.get("width", 0)), float(svg.get("height", 0))
        texts = list(lettering_of(svg))
        outside = [
            text for text in texts if text.left < 0 or text.top < 0 or text.right > width or text.bottom > height
        ]
        assert not outside, called
        assert not list(touching(texts)), called
        assert all(text.size >= SIZE_OF_CAPTIONS for text in texts), called


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_city_needs_stands_beside_the_blocks_that_it_accepts(language: str) -> None:
    """The heads of Carrara's cities: the narrowest columns with the most beside a text."""
    game = all_games()["carrara"]
    with using_language(language):
        svg = ET.fromstring(picture_of(game, start(game, 2), "wide"))
    for city in CITIES:
        (head,) = svg.iterfind(f".//{SVG}g[@data-place='/places/{city}']")
        below_the_name = [text for text in lettering_of(head) if text.size == SIZE_OF_CAPTIONS]
        blocks = [
            float(found[1]) + 12
            for one in head
            if (found := re.fullmatch(r"translate\((\S+) 25\)", one.get("transform", "")))
        ]
        assert len(blocks) == len(CITIES[city].accepts)
        assert max(blocks) < min(text.left for text in below_the_name), (city, below_the_name)


@every_game
@every_layout
def test_long_names_are_shortened_and_told_in_full(game: AnyGame, layout: str) -> None:
    for (state, _), svg in zip(crowded(game), drawn(game, layout), strict=True):
        shown = [text.content for text in lettering_of(svg)]
        titles = " ".join(title.text or "" for title in svg.iter(f"{SVG}title"))
        for name in state.names:
            assert any(name[:4] in text for text in shown), f"{name} stands nowhere"
            assert not any(name in text for text in shown), f"{name} is not shortened"
            assert name in titles


@pytest.mark.parametrize("room", [150, 160, 400])
@pytest.mark.parametrize("plays", [[1] * 14, [14], [6, 1, 5], [2, 2, 2, 2, 2], [1], [], [1, 9]])
def test_however_many_cards_are_laid_in_an_auction_they_have_room(room: int, plays: list[int]) -> None:
    one = finished(Card("brick-7", "a card", "7", changed=True), [MEDIUM])
    line = plays_of_cards([[one] * cards for cards in plays], room)
    assert line.width <= room + 0.01
    assert line.height == (MEDIUM.height if plays else 0)
    svg = ET.fromstring(f'<svg xmlns="http://www.w3.org/2000/svg">{line.drawn}</svg>')
    assert len(components_in(svg)) == sum(plays)
    values = [text for text in lettering_of(svg) if text.content == "7"]
    assert all(text.left >= 0 and text.right <= room for text in values)
    assert len({round(text.left, 1) for text in values}) == sum(plays), "a card hides another"


def test_captions_are_reckoned_as_they_are_lettered() -> None:
    caption = STYLE.partition(".cm .caption{")[2].partition("}")[0]
    assert f"font-size:{SIZE_OF_CAPTIONS}px" in caption
    assert f"letter-spacing:{LETTER_SPACING:g}px".replace("0.", ".") in caption
