"""Boxes: drawings with their top left corner at (0, 0) and a size, so that they can be stacked.

A picture is made of boxes above and beside each other; coordinates occur only within a box.
"""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from capomastro.drawing.elements import EMPTY, Number, Svg, joined, translation


class Box(NamedTuple):
    """A drawing from (0, 0) to (width, height)."""

    width: Number
    height: Number
    drawn: Svg


NOTHING = Box(0, 0, EMPTY)
"""A box that is left out, with its gap."""


def box(width: Number, height: Number, *drawn: Svg) -> Box:
    """A box with these elements."""
    return Box(width, height, joined(*drawn))


def moved(content: Box, x: Number, y: Number) -> Svg:
    """A box, moved to (x, y)."""
    if not content.drawn or not (x or y):
        return content.drawn
    return Svg(f"<g{translation(x, y)}>{content.drawn}</g>")


def above(*boxes: Box, gap: Number = 0) -> Box:
    """Boxes from top to bottom, with a gap between them."""
    y: Number = 0
    drawn = []
    for part in boxes:
        if part is not NOTHING:
            drawn.append(moved(part, 0, y))
            y += part.height + gap
    return Box(max([part.width for part in boxes], default=0), max(y - gap, 0), joined(*drawn))


def beside(*boxes: Box, gap: Number = 0, align: Literal["top", "bottom"] = "top") -> Box:
    """Boxes from left to right, with a gap between them."""
    height = max([part.height for part in boxes], default=0)
    x: Number = 0
    drawn = []
    for part in boxes:
        if part is not NOTHING:
            drawn.append(moved(part, x, height - part.height if align == "bottom" else 0))
            x += part.width + gap
    return Box(max(x - gap, 0), height, joined(*drawn))


def flowing(boxes: list[Box], room: Number, gap: Number = 0, line_gap: Number = 0) -> Box:
    """Boxes from left to right, in as many lines as `room` makes necessary."""
    rows: list[list[Box]] = [[]]
    used: Number = 0
    for part in boxes:
        if rows[-1] and used + part.width > room:
            rows.append([])
            used = 0
        rows[-1].append(part)
        used += part.width + gap
    return above(*[beside(*row, gap=gap, align="bottom") for row in rows if row], gap=line_gap)


def packed(boxes: Sequence[Box], room: Number, lines: int, gap: Number = 0, line_gap: Number = 0) -> Box:
    """Boxes of one size in so many lines, for which room is kept; they overlap if they do not fit otherwise."""
    if not boxes:
        return NOTHING
    width, height = boxes[0].width, boxes[0].height
    in_line = max(int((room + gap) // (width + gap)), -(-len(boxes) // lines))
    step = min(width + gap, int((room - width) // max(in_line - 1, 1)))
    drawn = [
        moved(content, index % in_line * step, index // in_line * (height + line_gap))
        for index, content in enumerate(boxes)
    ]
    return box(room, lines * (height + line_gap) - line_gap, *drawn)
