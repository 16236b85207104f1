"""The places of the texts of a picture, with their widths in the widest usual font."""

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple
from xml.etree import ElementTree as ET

from capomastro.drawing.lettering import width
from capomastro.drawing.parts import caption_width
from tests.support.pictures import SVG

ASCENT = 0.73
"""How high capitals and figures are, of the size of the letters."""
USUAL_SIZE = 12
SIZE_OF_CAPTIONS = 11
TEXT, DEFINITIONS = f"{SVG}text", f"{SVG}defs"
TRANSLATION = re.compile(r"translate\((\S+) (\S+)\)")


class Lettering(NamedTuple):
    """A text with the box of its capitals, in user units."""

    content: str
    size: float
    left: float
    top: float
    right: float
    bottom: float

    def touches(self, other: "Lettering") -> bool:
        """Whether the boxes overlap by more than 1."""
        return (
            min(self.right, other.right) - max(self.left, other.left) > 1
            and min(self.bottom, other.bottom) - max(self.top, other.top) > 1
        )


def touching(texts: Iterable[Lettering]) -> Iterator[tuple[Lettering, Lettering]]:
    """Every two that touch, from the top of the picture; those that begin below the end of a text are not compared."""
    falling = sorted(texts, key=lambda text: text.top)
    for index, one in enumerate(falling):
        for other in islice(falling, index + 1, None):
            if one.bottom - other.top <= 1:
                break
            if one.touches(other):
                yield one, other


def lettering_of(element: ET.Element, x: float = 0, y: float = 0) -> Iterator[Lettering]:
    """Every text in an element moved by (x, y); scaled elements contain no text to read."""
    left = [(element, x, y)]
    while left:
        one, x, y = left.pop()
        transform = one.get("transform")
        if one.tag == DEFINITIONS or (transform and "scale" in transform):
            continue
        if transform and (moved := TRANSLATION.match(transform)):
            x, y = x + float(moved[1]), y + float(moved[2])
        if one.tag == TEXT:
            yield standing_at(one, x + float(one.get("x", 0)), y + float(one.get("y", 0)))
        left.extend([(child, x, y) for child in reversed(one) if child.tag == TEXT or len(child)])


def standing_at(text: ET.Element, x: float, base: float) -> Lettering:
    looks, content = text.get("class", "").split(), text.text or ""
    if "caption" in looks:
        size, wide = float(SIZE_OF_CAPTIONS), caption_width(content)
    else:
        size = float(text.get("font-size", USUAL_SIZE))
        wide = width(content, size, "bold" in looks)
    left = x - wide / 2 if "middle" in looks else x - wide if "end" in looks else x
    return Lettering(content, size, left, base - ASCENT * size, left + wide, base)
