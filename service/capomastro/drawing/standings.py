"""The picture of a result: who won, the places, and what the points of each player are for.

It is made to be passed on: it names its game, and nothing outside is needed to read it.
"""

from collections.abc import Sequence
from typing import NamedTuple

from capomastro.drawing import lettering
from capomastro.drawing.boxes import Box, above, box
from capomastro.drawing.elements import Number, Svg, group, path, rectangle, text
from capomastro.drawing.marks import mark
from capomastro.drawing.palette import BACK, BAR, INK, PLAYERS
from capomastro.drawing.pictures import Layout

LINE = 15
"""The height of a line of small text."""
SMALL = 11.5
MOST_LINES_OF_PARTS = 3
CORD, BOB = "M12 0L6 12", "M6 12L9 13.5L1.5 21L3 10.5Z"
"""Of a plumb line that does not hang straight: what the rules do not allow."""


class Standing(NamedTuple):
    """How a player ended."""

    seat: int
    name: str
    place: str
    """A number, or a dash if it is open."""
    points: int
    parts: Sequence[str]
    """What the points are for, each with its number."""
    title: str
    """All that in one sentence."""


class Announcement(NamedTuple):
    """What is said above the places."""

    winners: Sequence[int]
    headline: str
    ties: Sequence[str]
    """What decided each tie."""
    warning: str
    """That the rules do not allow this result; nothing if they do."""


def head_of_result(layout: Layout, game: str, note: str) -> Box:
    """The bar at the top: the game, and below it a line such as the day."""
    room, x = layout.width - 2 * layout.margin - 16, layout.margin + 8
    height = 64 if note else 46
    drawn = [
        rectangle(0, 0, layout.width, height, fill=BAR),
        text(x, 31, lettering.cut(game, room, 20, bold=True), "bold on-bar", 20),
    ]
    if note:
        drawn.append(text(x, 51, lettering.cut(note, room, 13), "on-bar", 13))
    return box(layout.width, height, *drawn)


def standings(layout: Layout, said: Announcement, players: Sequence[Standing]) -> Box:
    """Everything below the bar; `players` in the order of their places."""
    best = max([player.points for player in players], default=0)
    rows = [row(layout, player, best) for player in players]
    warning = [warned(said.warning, layout.room - 16)] if said.warning else []
    below = Box(layout.room, 20, text(layout.room - 8, 14, "capomastro", "quiet end", SMALL))
    return above(announced(layout, said), *warning, *rows, below, gap=4)


def announced(layout: Layout, said: Announcement) -> Box:
    """The winners' marks with the headline, and what decided ties."""
    size, step = 22, 34
    start = 8 + step * len(said.winners)
    lines = lettering.wrapped(said.headline, layout.room - start - 8, size, bold=True)
    drawn = [mark(seat, 22 + step * index, 26, 28) for index, seat in enumerate(said.winners)]
    drawn += [text(start + 4, 34 + 28 * index, line, "bold", size) for index, line in enumerate(lines)]
    y = 40 + 28 * (len(lines) - 1)
    for tie in said.ties:
        for line in lettering.wrapped(tie, layout.room - 16, 13):
            y += 18
            drawn.append(text(8, y, line, "quiet", 13))
    return box(layout.room, y + 14, *drawn)


def warned(warning: str, room: Number) -> Box:
    """The warning in a dashed frame, with a plumb line that leans."""
    lines = lettering.wrapped(warning, room - 40, 14, bold=True)
    height = 18 + 18 * len(lines)
    drawn = [
        rectangle(8.5, 0.5, room - 1, height, "edge absent", radius=4),
        path(CORD, "edge", x=20, y=8),
        path(BOB, fill=INK, x=20, y=8),
        *(text(42, 22 + 18 * index, line, "bold", 14) for index, line in enumerate(lines)),
    ]
    return box(room + 16, height + 10, *drawn)


def row(layout: Layout, player: Standing, best: int) -> Box:
    """A player's place, mark, name and points; below the name, or beside it, how they compare, and their parts."""
    room, name_x = layout.room - 8, 72
    points = lettering.minus(player.points)
    points_room = lettering.width(points, 22, bold=True) + 8
    if layout.narrow:
        bar_x, bar_y, bar_room, name_room = name_x, 38, room - name_x, room - name_x - points_room
    else:
        bar_x, bar_y, bar_room, name_room = 400, 19, room - 400 - 90, 400 - name_x - 16
    lines = lettering.wrapped(" · ".join(player.parts), bar_room, SMALL, separator=" · ")[:MOST_LINES_OF_PARTS]
    length = bar_room * max(player.points, 0) / best if best > 0 else 0
    name = lettering.cut(lettering.name(player.name), name_room, 16, bold=True)
    drawn: list[Svg] = [
        path(f"M8 .5H{room}", "faint"),
        text(20, 30, player.place, "middle bold", 18),
        mark(player.seat, 50, 24, 26),
        text(name_x, 30, name, "bold", 16),
        text(room, 32, points, "end bold", 22),
        rectangle(bar_x, bar_y, bar_room, 9, fill=BACK, radius=4.5),
    ]
    if length >= 1:
        drawn.append(rectangle(bar_x, bar_y, max(length, 9), 9, fill=PLAYERS[player.seat], radius=4.5))
    drawn += [text(bar_x, bar_y + 25 + LINE * index, line, "quiet", SMALL) for index, line in enumerate(lines)]
    height = max(bar_y + 18 + LINE * len(lines), 44) + 6
    return Box(layout.room, height, group(*drawn, title=player.title, place=f"/players/{player.seat}"))
