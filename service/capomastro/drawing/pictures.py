"""A whole picture, and the brief for one.

A game gets the state and a `Brief` (layout, words, the latest changes, who decides), and returns a `Table`. `Picture`
adds title, description and status bar, in the same way for all games.
"""

import math
import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Literal, NamedTuple, Protocol, TypeVar

from capomastro.drawing.boxes import NOTHING, Box, above, beside, box, flowing, moved, packed
from capomastro.drawing.elements import Number, Svg, escaped, length, rectangle
from capomastro.drawing.palette import PAPER, STYLE, definitions

Part = TypeVar("Part")


class Layout(NamedTuple):
    """One of the two layouts: same order, different columns."""

    name: Literal["narrow", "wide"]
    width: int
    margin: int
    fixed: bool = False
    """Whether every place keeps its position through the whole game, in room that is kept for it."""
    taken: int = 0
    """The width that others take beside what is drawn."""

    @property
    def narrow(self) -> bool:
        return self.name == "narrow"

    @property
    def room(self) -> int:
        """The width for what is drawn, between the margins."""
        return self.width - 2 * self.margin - self.taken


NARROW = Layout("narrow", 360, 8)
WIDE = Layout("wide", 1200, 16)
FIXED = NARROW._replace(fixed=True)
"""The narrow layout in fixed order."""
LAYOUTS: Mapping[str, Layout] = {layout.name: layout for layout in (WIDE, NARROW)}
"""The layouts by name; the first is the default."""


class Captions(Protocol):
    """The words of a picture, in the reader's language."""

    language: str
    title: str
    """The name of the game."""

    def __hash__(self) -> int:
        """The same for all pictures of a table, so that its cards can be cached."""

    def __call__(self, key: str, **values: Hashable) -> str:
        """The sentence `key` in the table `[picture]`: the game's own, otherwise the one that all games share."""

    def thing(self, id: str) -> str:
        """The name of a token or a place, with a capital letter."""

    def decision(self, kind: str) -> str:
        """The name of a decision."""

    def player(self, seat: int) -> str:
        """The name of a player; “Seat 0” if they have none."""


class Changes:
    """The components moved by the last move and the draws after it, as pairs of their present place and token.

    Each gets one ring: the code that draws a component calls `claim_ring`, which counts it off.
    """

    def __init__(self, moved: Iterable[tuple[str, str]] = ()) -> None:
        self.left = Counter(moved)
        self.touched = {around for place, _ in self.left for around in places_around(place)}
        """Every place with a change in it, at any depth."""

    def claim_ring(self, place: str, token: str) -> bool:
        """Whether this token at this place has just moved and has no ring yet; counts it off if so."""
        if not self.left.get((place, token)):
            return False
        self.left[place, token] -= 1
        return True


def places_around(place: str) -> Iterator[str]:
    """A place and those that it lies in: `/seats/1/hand`, `/seats/1` and `/seats`."""
    while place:
        yield place
        place = place.rpartition("/")[0]


class Brief(NamedTuple):
    """What a game needs to draw its picture, apart from the state."""

    layout: Layout
    say: Captions
    changed: Changes
    deciding: int | None
    """The seat that decides now."""
    own: int | None = None
    """The seat whose part comes first in narrow pictures. None: that of who decides."""
    omitted: frozenset[str] = frozenset()
    """The places whose parts are left out, and the names of parts."""
    top: Number = 0
    """How far down in the picture the table begins."""

    @property
    def narrow(self) -> bool:
        return self.layout.narrow

    @property
    def fixed(self) -> bool:
        return self.layout.fixed

    @property
    def room(self) -> int:
        """The width for what is drawn."""
        return self.layout.room

    def beside(self, taken: int) -> "Brief":
        """The brief for what is beside something `taken` wide in the wide layout; in the narrow one it is below."""
        return self if self.narrow else self._replace(layout=self.layout._replace(taken=taken))

    def within(self, room: int) -> "Brief":
        """The brief for a column as wide as `room`."""
        return self._replace(layout=self.layout._replace(taken=self.room + self.layout.taken - room))

    def column(self, columns: int, gap: int) -> "Brief":
        """The brief for one of several columns side by side; in the narrow layout they are below each other."""
        return self if self.narrow else self.within((self.room - gap * (columns - 1)) // columns)

    def arranged(self, *boxes: Box, below_gap: Number, beside_gap: Number) -> Box:
        """Boxes beside each other; in the narrow layout below each other."""
        return above(*boxes, gap=below_gap) if self.narrow else beside(*boxes, gap=beside_gap)

    def keep_room(self, content: Box, height: Number) -> Box:
        """The content, in fixed order so high."""
        return content._replace(height=height) if self.fixed else content

    def lined_up(self, boxes: list[Box], gap: Number = 0, line_gap: Number = 0) -> Box:
        """Boxes from left to right, in as many lines as they need; in fixed order in one, where many overlap."""
        return packed(boxes, self.room, 1, gap) if self.fixed else flowing(boxes, self.room, gap, line_gap)

    def unless_omitted(self, place: str, part: Box) -> Box:
        """The part at a place, or nothing if it is left out."""
        return NOTHING if place in self.omitted else part

    def at_places(self, parts: "Parts", shown: Any, *places: str) -> Iterator[Box]:
        """What lies at these places of a state or a scoresheet; nothing for those that are left out."""
        return (NOTHING if place in self.omitted else parts[place](shown, self) for place in places)

    def players(self, draw: "DrawPart", shown: Any) -> dict[int, Box]:
        """The parts of players by seat, in order: `draw(shown, seat, brief)`."""
        return {seat: draw(shown, seat, self) for seat in self.seats_in_order(len(shown.seats))}

    def standings(self, key: str, **figures: Sequence[Hashable]) -> list[str]:
        """The sentence `key` for each player, with their figures; each of `figures` is by seat."""
        say, by_seat = self.say, zip(*figures.values(), strict=True)
        return [
            say(key, player=say.player(seat), **dict(zip(figures, values, strict=True)))
            for seat, values in enumerate(by_seat)
        ]

    def in_fixed_order(
        self, common: Box, now: Box, players: Mapping[int, Box], rest: Box, gap: Number, least: Number = 0
    ) -> Box:
        """The common table, what is on it only for now, the players' parts by seat, the rest, one below the other.

        Room is kept for what is in progress, `least` high. Each part says where it is, so that a page can cut it out.
        """
        kept = Box(self.layout.room, max(least, now.height), now.drawn) if least else NOTHING
        parts = {"common": common, "/stage": self.unless_omitted("/stage", kept)}
        parts |= {f"/seats/{seat}": part for seat, part in players.items()}
        parts["rest"] = rest
        y, drawn = self.top, []
        for name, part in parts.items():
            if part is not NOTHING and name not in self.omitted:
                within = " ".join(map(length, (self.layout.margin, y, self.layout.room, part.height)))
                named = Svg(f'<g data-part="{name}" data-box="{within}">{part.drawn}</g>')
                drawn.append(moved(part._replace(drawn=named), 0, y - self.top))
                y += part.height + gap
        return box(self.layout.room, max(y - self.top - gap, 0), *drawn)

    def part(self, draw: Callable[..., Part], place: str, *shown: Hashable) -> Part:
        """The part of a picture at a place, as `draw(*shown, brief)` draws it: kept if nothing in it has just moved.

        It must show only what everybody knows, and not who decides.
        """
        if place in self.changed.touched:
            anew: Part = draw(*shown, self)
            return anew
        kept: Part = kept_part(draw, self.layout, self.say, *shown)
        return kept

    def seats_in_order(self, players: int) -> Sequence[int]:
        """The seats whose parts are drawn. Narrow: clockwise from the own one, or from who decides. Wide: by seat."""
        first = (self.deciding if self.own is None else self.own) if self.layout.narrow else None
        clockwise = [(seat + (first or 0)) % players for seat in range(players)]
        left_out = range(players) if "/seats" in self.omitted else ()
        return [seat for seat in clockwise if seat not in left_out and f"/seats/{seat}" not in self.omitted]


@lru_cache(maxsize=1024)
def kept_part(draw: Callable[..., Part], layout: Layout, say: Captions, *shown: Hashable) -> Part:
    """A part of a picture in which nothing has just moved: most are in the next picture of the game, too.

    Cached: without it a picture takes up to 2 times as long (2026-11-27).
    """
    drawn: Part = draw(*shown, Brief(layout, say, Changes(), None))
    return drawn


DrawPart = Callable[..., Box]
Parts = Mapping[str, DrawPart]
"""What lies at a place by itself, as `draw(shown, *steps, brief)` draws it; `shown` is a state or a scoresheet.

In a place, `#` stands for the number of a seat, `*` for a name; they are the `steps`.
"""


def part_at(place: str, parts: Parts, shown: Any, brief: Brief) -> Box:
    """What lies at a place, by itself.

    Raises:
        LookupError: if that place is not drawn by itself.
    """
    for pattern, draw in parts.items():
        if found := re.fullmatch(pattern.replace("#", "([0-9])").replace("*", "([^/]+)"), place):
            steps = [int(step) if step.isdecimal() else step for step in found.groups()]
            return draw(shown, *steps, brief)
    raise LookupError(place)


class Table(NamedTuple):
    """What a game draws."""

    drawn: Box
    """Everything below the status bar, between the margins: as wide as the layout's `room`."""
    standing: Sequence[str]
    """Each player's standing by seat: a clause such as “Ada: 12 points so far, 3 palaces”."""


def top_below(status: Box, layout: Layout) -> Number:
    """How far down the table begins."""
    return layout.margin if status is NOTHING else status.height + (10 if layout.narrow else 14)


class Picture(NamedTuple):
    """A picture of a table."""

    layout: Layout
    language: str
    title: str
    """The game, its players, the move."""
    description: str
    """The decision, who makes it, and the standings."""
    status: Box
    """The bar at the top, as wide as the picture; `NOTHING` if only a part of a table is shown."""
    table: Box

    @property
    def width(self) -> int:
        """As wide as the layout; a picture without a bar is as wide as what it shows."""
        if self.status is NOTHING:
            return math.ceil(self.table.width) + 2 * self.layout.margin
        return self.layout.width

    @property
    def height(self) -> int:
        return int(top_below(self.status, self.layout) + self.table.height + self.layout.margin + 0.99)

    def svg(self) -> str:
        """The picture as a document of its own, which can also be embedded in a page."""
        width, height, table = self.width, self.height, self.table.drawn
        left, top = self.layout.margin, length(top_below(self.status, self.layout))
        sheet = rectangle(0, 0, width, height, fill=PAPER)
        # put together once, for every copy of the whole costs as much as many small parts
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="cm" viewBox="0 0 {width} {height}" width="{width}" '
            f'height="{height}" role="group" lang="{self.language}" aria-labelledby="cm-title cm-description" '
            f'data-layout="{self.layout.name}"><title id="cm-title">{escaped(self.title)}</title>'
            f'<desc id="cm-description">{escaped(self.description)}</desc><style>{STYLE}</style>'
            f"<defs>{definitions(table)}</defs>{sheet}{self.status.drawn}"
            f'<g transform="translate({left} {top})">{table}</g></svg>'
        )
