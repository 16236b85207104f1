"""Players' marks: a colour, an outline and a mason's mark, so that no two differ in colour alone.

They are paths in a square of 24 by 24, without arcs, so that each number can be scaled and lines keep their width. The
pages draw the same marks (`pages/files/marks.js`; a test compares them).
"""

import re
from functools import lru_cache

from capomastro.drawing.elements import Number, Svg, joined, path, rectangle, text
from capomastro.drawing.palette import PLATE, PLAYERS, paint

OUTLINES = (
    "M12 1.5C17.8 1.5 22.5 6.2 22.5 12S17.8 22.5 12 22.5 1.5 17.8 1.5 12 6.2 1.5 12 1.5Z",
    "M2.5 2.5H21.5V21.5H2.5Z",
    "M12 0.5L24 21.5H0Z",
    "M12 -0.5L24.5 12L12 24.5L-0.5 12Z",
    "M6 1.6H18L24 12L18 22.4H6L0 12Z",
)
"""By seat: circle, square, triangle, diamond, hexagon."""

MASONS_MARKS = (
    "M12 17.5V6.5M8 10.5L12 6.5L16 10.5M8.5 14.5H15.5",
    "M7.5 6.5H16.5L7.5 17.5H16.5L7.5 6.5",
    "M12 8.5L8.2 14.5H15.8L12 8.5M12 14.5V18.5",
    "M12 18V12.5M7.5 7.5L12 12.5L16.5 7.5",
    "M12 6.5L16.7 12L12 17.5L7.3 12L12 6.5",
)
"""By seat: arrow, hourglass, tree, fork, diamond."""

DUMMY = "M6 1H18V6H23V18H18V23H6V18H1V6H6Z"
"""The outline of the dummy, who is not a player: a cross, grey and without a mason's mark."""

MIDDLES = (12.6, 12, 14.5, 12, 12)
"""By seat, how far down the middle of a number stands that takes the mason's mark's place."""

NUMBER = re.compile(r"-?[0-9.]+")


@lru_cache(maxsize=128)
def scaled_path(commands: str, size: Number) -> str:
    """A path of 24 by 24, scaled and centred at (0, 0); it must have absolute commands and no arcs.

    Cached: without it a picture takes 1.1 to 1.5 times as long (2026-11-27).
    """
    return NUMBER.sub(lambda number: f"{round((float(number[0]) - 12) * size / 24, 1):g}", commands)


def mark(seat: int | None, x: Number, y: Number, size: Number = 24, number: int | str | None = None) -> Svg:
    """A player's mark, centred at (x, y); seat None is the dummy. A `number` replaces the mason's mark.

    Below size 8 only the outline is drawn.
    """
    shape, colour = (DUMMY, paint("grey")) if seat is None else (OUTLINES[seat], PLAYERS[seat])
    drawn = [path(scaled_path(shape, size), "edge", colour, x, y)]
    if number is not None:
        letters = min(size * 0.58, 15) if size >= 19 else 11
        base = y + ((12 if seat is None else MIDDLES[seat]) - 12) * size / 24 + letters * 0.36
        drawn.append(
            text(x, base, str(number), "middle bold on-colour" if seat is None else "middle bold on-player", letters)
        )
    elif seat is not None and size >= 8:
        drawn.append(path(scaled_path(MASONS_MARKS[seat], size), "chisel", x=x, y=y))
    return joined(*drawn)


def outlined_mark(seat: int, x: Number, y: Number, size: Number) -> Svg:
    """Only the outline of a player's mark, centred at (x, y): for many small ones."""
    return path(scaled_path(OUTLINES[seat], size), "edge", PLAYERS[seat], x, y)


def mark_on_bar(seat: int | None, x: Number, y: Number, size: Number = 20) -> Svg:
    """A player's mark for a dark bar, on a light plate."""
    plate = size / 2 + 2
    return joined(rectangle(x - plate, y - plate, 2 * plate, 2 * plate, fill=PLATE, radius=3), mark(seat, x, y, size))
