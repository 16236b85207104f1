"""Pictures in tests: the kept positions, the components of a state, and the components in an SVG.

In `tests/games/<game>/pictures.py`, `POSITIONS` lists the kept positions; `further_tokens` lists components of a state
that it does not name, because it counts them or because they are not in the box; `TOLD_OTHERWISE` are the members that
these come from; `moved_by` tells what an event moved, which should have a ring.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree as ET

from msgspec.structs import replace

from capomastro.adjudicator.pictures import picture_of, with_last_move
from capomastro.documents.languages import using_language
from capomastro.drawing.pictures import LAYOUTS
from capomastro.engine.game import AnyGame
from capomastro.engine.moves import Move
from capomastro.games import all_games
from tests.support.golden import GOLDEN
from tests.support.recorded import records_folder, replay_of
from tests.support.setups import folder_of

PICTURES = GOLDEN / "pictures"
NAMES = ("Ada", "Bruno", "Cleo", "Dora", "Elio")
NO_COMPONENTS = ("options", "shuffled_in", "names")
"""The members of a state in which components are named that do not lie there."""
SVG = "{http://www.w3.org/2000/svg}"
Placed = tuple[str, str]
"""The JSON Pointer to where a component is, and its token."""


def module_of(game: AnyGame) -> Any:
    return import_module(f"tests.games.{folder_of(game)}.pictures")


# --- positions that are kept -----------------------------------------------------------------------------------------


class Position(NamedTuple):
    """A position of a recorded game, and the file its picture is kept in."""

    game: AnyGame
    record: str
    ply: int
    seat: int | None
    layout: str
    shows: str

    @property
    def file(self) -> Path:
        return PICTURES / f"{self.game.id}-{self.record}-{self.ply}-{self.layout}.svg"


def kept_positions() -> Iterator[Position]:
    """Every kept position, alternately wide and narrow."""
    for game in all_games().values():
        for index, (record, ply, seat, shows) in enumerate(module_of(game).POSITIONS):
            yield Position(game, record, ply, seat, list(LAYOUTS)[index % 2], shows)


def drawn(position: Position, layout: str | None = None, language: str = "en") -> str:
    """The picture of a kept position."""
    game = position.game
    replay = replay_of(records_folder(game.id) / f"{position.record}.json")
    assert position.ply <= len(replay.plies), f"the record has {len(replay.plies)} moves"
    last_moves: list[Move] = []
    for ply in replay.plies[: position.ply]:
        last_moves = with_last_move(last_moves, ply.move)
    reached = replay.plies[position.ply - 1].after
    state = named(reached if position.seat is None else game.view(reached, position.seat))
    with using_language(language):
        return picture_of(game, state, layout or position.layout, last_moves)


def named(state: Any) -> Any:
    """The state with names of players."""
    return replace(state, names=NAMES[: len(state.seats)])


def readable(svg: str) -> str:
    """An SVG with an element per line."""
    ET.register_namespace("", "http://www.w3.org/2000/svg")
    root = ET.fromstring(svg)
    ET.indent(root, " ")
    return ET.tostring(root, "unicode") + "\n"


# --- what lies in a state, and what stands in a picture --------------------------------------------------------------


def components_of(game: AnyGame, document: Any) -> list[Placed]:
    """Every component whose place a state gives: its pointer and its token."""
    tokens = {token for group in game.components().values() for token in group}
    elsewhere = {*NO_COMPONENTS, *getattr(module_of(game), "TOLD_OTHERWISE", ())}
    return [*named_in(document, "", tokens, elsewhere), *module_of(game).further_tokens(document)]


def named_in(value: Any, at: str, tokens: set[str], elsewhere: set[str]) -> Iterator[Placed]:
    if isinstance(value, str) and value in tokens:
        yield at, value
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from named_in(item, f"{at}/{index}", tokens, elsewhere)
    elif isinstance(value, dict):
        for name, member in value.items():
            if name == "unknown":
                yield from ((f"{at}/unknown", "unknown") for _ in range(sum(member.values())))
            elif name not in elsewhere and (at or name != "game"):
                yield from named_in(member, f"{at}/{name}", tokens, elsewhere)


def components_in(svg: ET.Element) -> list[Placed]:
    """Every component of a picture: its place and its token."""
    return list(drawn_in(svg, ""))


def drawn_in(element: ET.Element, place: str) -> Iterator[Placed]:
    place = element.get("data-place", place)
    token = element.get("data-token")
    if token is not None:
        yield from ((place, token) for _ in range(int(element.get("data-count", "1"))))
    for child in element:
        yield from drawn_in(child, place)


def by_place(components: Sequence[Placed], places: set[str]) -> Counter[Placed]:
    """The number of components by their innermost place."""
    return Counter((innermost(pointer, places), token) for pointer, token in components)


def innermost(pointer: str, places: set[str]) -> str:
    while pointer and pointer not in places:
        pointer = pointer.rpartition("/")[0]
    return pointer


def places_in(svg: ET.Element) -> list[str]:
    return [place for element in svg.iter() if (place := element.get("data-place")) is not None]
