"""Pictures of all games: every component once, at its place; nothing hidden; sound SVG within its limits."""

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import chain
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from msgspec.structs import replace

from capomastro.adjudicator.pictures import picture_of
from capomastro.documents.languages import using_language
from capomastro.drawing.lettering import LONGEST_NAME
from capomastro.drawing.palette import STYLE
from capomastro.drawing.pictures import LAYOUTS
from capomastro.engine.game import AnyGame
from capomastro.games import all_games
from tests.support.documents import as_document
from tests.support.pictures import (
    SVG,
    by_place,
    components_in,
    components_of,
    drawn,
    kept_positions,
    named,
    places_in,
    readable,
)
from tests.support.playouts import play_out

MAXIMUM_BYTES = 80_000
SMALLEST_LETTERS = 11
POSITIONS_OF_A_GAME = 8
# The scope puts all tests of a game in a layout one after the other: its pictures are drawn once for all of them.
every_game = pytest.mark.parametrize("game", all_games().values(), ids=lambda game: game.id, scope="module")
every_layout = pytest.mark.parametrize("layout", list(LAYOUTS), scope="module")


@cache
def positions(game: AnyGame) -> list[tuple[Any, Any]]:
    """Some positions of random games for every number of players, each with the move that led to it."""
    found = []
    for players in game.players:
        plies = list(play_out(game, players, seed=f"pictures {players}"))
        chosen = range(len(plies) - 1, -1, -max(1, len(plies) // POSITIONS_OF_A_GAME))
        found += [(plies[index].after, plies[index].move) for index in chosen]
    return found


def with_views(game: AnyGame, index: int, state: Any) -> list[Any]:
    """A position as it is, and where that is something else, as a seat sees it and as a spectator does."""
    views = (game.view(state, index % len(state.seats)), game.view(state, None))
    return [state, *(view for view in views if view != state)]


def positions_and_views(game: AnyGame) -> Iterator[tuple[Any, Any]]:
    for index, (state, move) in enumerate(positions(game)):
        yield from ((one, move) for one in with_views(game, index, state))


Drawn = tuple[Any, ET.Element]


@lru_cache(maxsize=1)
def pictures_of(game: AnyGame, layout: str) -> list[list[Drawn]]:
    """Each position and its views, with their pictures, which no test changes."""
    return [
        [(one, ET.fromstring(picture_of(game, one, layout, [move]))) for one in with_views(game, index, state)]
        for index, (state, move) in enumerate(positions(game))
    ]


def drawn_positions(game: AnyGame, layout: str) -> list[Drawn]:
    """Those without views."""
    return [position for position, *_ in pictures_of(game, layout)]


@every_game
@every_layout
def test_every_component_is_drawn_once_and_in_its_place(game: AnyGame, layout: str) -> None:
    for state, svg in chain.from_iterable(pictures_of(game, layout)):
        places = places_in(svg)
        assert len(places) == len(set(places)), [place for place in places if places.count(place) > 1]
        there, shown = components_of(game, as_document(state)), components_in(svg)
        assert by_place(shown, set(places)) == by_place(there, set(places))
        assert all(place for place, _ in shown), "a component lies nowhere"


@every_game
@every_layout
def test_every_place_is_one_of_the_state(game: AnyGame, layout: str) -> None:
    for state, svg in drawn_positions(game, layout):
        document = as_document(state)
        for place in places_in(svg):
            if not place.startswith(("/derived/", "/places/")) and "/scored_" not in place:
                member(document, place)


def member(document: Any, pointer: str) -> Any:
    """What is at a pointer; `/-` is the place behind the last item of a list.

    Raises:
        LookupError: if there is nothing.
    """
    for step in pointer.split("/")[1:]:
        if step == "-":
            assert isinstance(document, list)
            return None
        document = document[int(step)] if isinstance(document, list) else document[step]
    return document


@every_game
@every_layout
def test_a_picture_is_sound(game: AnyGame, layout: str) -> None:
    for state, move in positions_and_views(game):
        text = picture_of(game, named(state), layout, [move])
        assert len(text.encode()) <= MAXIMUM_BYTES
        assert 'style="' not in text
        assert "<script" not in text
        assert not re.search(r"href|url\((?!#cm-)|https?:(?!//www\.w3\.org/2000/svg)|@import|@font-face", text)
        svg = ET.fromstring(text)
        assert svg.get("width") == str(LAYOUTS[layout].width)
        ids = [element.get("id", "") for element in svg.iter() if element.get("id")]
        assert len(ids) == len(set(ids))
        assert all(id.startswith("cm-") for id in ids)
        assert set(re.findall(r"url\(#([^)]+)\)", text)) <= set(ids)
        assert set(svg.get("aria-labelledby", "").split()) <= set(ids)
        assert [child.tag for child in svg][:2] == [f"{SVG}title", f"{SVG}desc"]
        assert svg.findtext(f"{SVG}style") == STYLE


@every_game
@every_layout
def test_letters_are_large_enough_and_titles_come_first(game: AnyGame, layout: str) -> None:
    for _, svg in drawn_positions(game, layout):
        for element in svg.iter():
            size = element.get("font-size")
            assert size is None or float(size) >= SMALLEST_LETTERS
            if element.get("data-place") or element.get("data-token"):
                assert element.tag == f"{SVG}g"
                assert element[0].tag == f"{SVG}title"
                assert element[0].text


@every_game
@every_layout
def test_whatever_is_drawn_is_within_the_picture(game: AnyGame, layout: str) -> None:
    """Rectangles and texts, whose places are known without a browser."""
    for _, svg in drawn_positions(game, layout):
        width, height = float(svg.get("width", 0)), float(svg.get("height", 0))
        for left, top, right, bottom in corners(svg, 0, 0):
            assert -1 <= left <= right <= width + 1
            assert -1 <= top <= bottom <= height + 1


def corners(element: ET.Element, x: float, y: float) -> Iterator[tuple[float, float, float, float]]:
    """Left, top, right and bottom of every rectangle, and the start of every text; what is scaled is small."""
    moved = re.match(r"translate\((\S+) (\S+)\)", element.get("transform", "translate(0 0)"))
    assert moved, element.get("transform")
    x, y = x + float(moved[1]), y + float(moved[2])
    if element.tag == f"{SVG}defs" or "scale" in element.get("transform", ""):
        return
    if element.tag == f"{SVG}rect":
        left, top = x + float(element.get("x", 0)), y + float(element.get("y", 0))
        yield left, top, left + float(element.get("width", 0)), top + float(element.get("height", 0))
    if element.tag == f"{SVG}text":
        left, top = x + float(element.get("x", 0)), y + float(element.get("y", 0))
        yield left, top, left, top
    for child in element:
        yield from corners(child, x, y)


@every_game
def test_the_same_picture_is_drawn_in_every_language(game: AnyGame) -> None:
    """The same components at the same places, in other words."""
    state, move = positions(game)[0]
    found = {}
    for language in ("en", "it", "es", "de"):
        with using_language(language):
            svg = ET.fromstring(picture_of(game, state, "narrow", [move]))
        found[language] = (components_in(svg), svg[0].text)
    assert all(components == found["en"][0] for components, _ in found.values())
    assert len({title for _, title in found.values()}) == len(found)


@every_game
@every_layout
def test_names_of_all_kinds_are_drawn(game: AnyGame, layout: str) -> None:
    state, move = positions(game)[0]
    names = ("<script>alert(1)</script>", "W" * 100, 'R & D "x"', "\u202e\x07 ", "ß")[: len(state.seats)]
    svg = ET.fromstring(picture_of(game, replace(state, names=names), layout, [move]))
    assert not list(svg.iter(f"{SVG}script"))
    shown = [text.text or "" for text in svg.iter(f"{SVG}text")]
    winners = len(game.result(state).winners or names[:1])  # the status bar names all who tie
    assert all(len(text) < 38 + LONGEST_NAME * winners for text in shown)
    assert "W" * 100 in ET.tostring(svg, "unicode")


@every_game
@pytest.mark.parametrize("name", ["url(#cm-none)", "# 1", "Ann\uffff", "Zoë ♞ 𝄞"])
def test_no_name_spoils_a_picture(game: AnyGame, name: str) -> None:
    state, move = positions(game)[0]
    text = picture_of(game, replace(state, names=(name,) * len(state.seats)), "wide", [move])
    assert text.isascii(), "the rest is drawn and encoded as fast as without it"
    assert name.rstrip("\uffff") in "".join(ET.fromstring(text).itertext())


# --- pictures that are kept ------------------------------------------------------------------------------------------

KEPT = list(kept_positions())


@pytest.mark.parametrize("position", KEPT, ids=[position.file.stem for position in KEPT])
def test_a_kept_position_is_drawn_as_it_was(position: Any) -> None:
    assert position.file.exists(), "`make generated` writes it"
    kept, now = position.file.read_text("utf-8").splitlines(), readable(drawn(position)).splitlines()
    differing = [f"- {one}\n+ {other}" for one, other in zip(kept, now, strict=False) if one != other]
    assert kept == now, "if that is meant, `make generated`, and look at it:\n" + "\n".join(differing[:10])


def test_there_are_twelve_positions_of_every_game_and_no_other_picture() -> None:
    for game in all_games().values():
        assert sum(position.game is game for position in KEPT) >= POSITIONS_OF_A_GAME
    files = {position.file for position in KEPT}
    assert len(files) == len(KEPT)
    assert {file for position in KEPT for file in position.file.parent.glob("*.svg")} <= files
