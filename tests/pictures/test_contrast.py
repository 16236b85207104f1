"""Whatever is read in a picture stands out from what it lies on, light and dark: reckoned from the pictures themselves.

What a text lies on is the last shape with a fill that was drawn under it before; what a shape lies on is what is at
most of its corners, since pieces and rings may overlap their neighbours. A path counts as the box around its corners;
those with a text on them are plates, marks and flags, for which that is true enough.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple
from xml.etree import ElementTree as ET

import pytest

from capomastro.drawing.lettering import width
from capomastro.drawing.palette import COLOURS, DARK_ON_COLOUR
from tests.support.colours import contrast
from tests.support.pictures import SVG, drawn, kept_positions

LEAST_OF_TEXT = 4.5
LEAST_OF_SHAPES = 3.0
INKS = {"quiet": "ink2", "caption": "ink2", "on-bar": "on-bar", "on-player": "on-player", "on-colour": "dark"}
"""The colours of texts, by their looks; all others are ink."""
STROKES = {"edge": "ink", "strong": "ink", "ground": "ink", "hair": "ink", "ring": "new", "inverted": "paper"}
"""The colours of lines that say something, by their looks; the others are decoration or hatching."""
SHADES = ("light", "dark")
STEP = re.compile(r"([MLHVACQZmlhvacqz])|(-?\d*\.?\d+)")
NUMBERS = {"m": 2, "l": 2, "h": 1, "v": 1, "a": 7, "c": 6, "q": 4}
Point = tuple[float, float]


class Pair(NamedTuple):
    """An ink and what it lies on, by their names in the palette; a hatching is called by that of its ground."""

    ink: str
    ground: str
    hatched: bool


class Shape(NamedTuple):
    left: float
    top: float
    right: float
    bottom: float
    fill: str

    def covers(self, x: float, y: float) -> bool:
        return self.left <= x <= self.right and self.top <= y <= self.bottom


def corners(commands: str) -> Iterator[Point]:
    """Where the parts of a path end."""
    x = y = 0.0
    found = [(letter, number) for letter, number in STEP.findall(commands)]
    at, letter = 0, "M"
    while at < len(found):
        if found[at][0]:
            letter = found[at][0]
            at += 1
            if letter in "Zz":
                continue
        count = NUMBERS[letter.lower()]
        values = [float(number) for _, number in found[at : at + count]]
        at += count
        from_x, from_y = (x, y) if letter.islower() else (0.0, 0.0)
        if letter in "Hh":
            x = from_x + values[0]
        elif letter in "Vv":
            y = from_y + values[0]
        else:
            x, y = from_x + values[-2], from_y + values[-1]
        yield x, y


def number(element: ET.Element, name: str) -> float:
    return float(element.get(name, 0))


def shape_of(element: ET.Element, x: float, y: float) -> Shape | None:
    fill = element.get("fill", "none")
    if element.tag == f"{SVG}rect":
        left, top = x + number(element, "x"), y + number(element, "y")
        return Shape(left, top, left + number(element, "width"), top + number(element, "height"), fill)
    if element.tag == f"{SVG}circle":
        middle, base, radius = x + number(element, "cx"), y + number(element, "cy"), number(element, "r")
        return Shape(middle - radius, base - radius, middle + radius, base + radius, fill)
    if element.tag == f"{SVG}path" and element.get("d"):
        ends = list(corners(element.get("d", "")))
        across, down = [x + one for one, _ in ends], [y + one for _, one in ends]
        return Shape(min(across), min(down), max(across), max(down), fill)
    return None


def named(paint: str) -> tuple[str, bool]:
    """The colour of a fill, and whether it is hatched."""
    if paint == DARK_ON_COLOUR:
        return "dark", False
    found = re.fullmatch(r"var\(--([\w-]+)\)|url\(#cm-([\w-]+)\)", paint)
    assert found, paint
    return found[1] or found[2], found[2] is not None


def pairs_in(svg: ET.Element) -> Iterator[Pair]:
    """Every ink of a picture with what it lies on."""
    shapes: list[Shape] = []

    def ground_at(x: float, y: float) -> tuple[str, bool]:
        return named(next(shape.fill for shape in reversed(shapes) if shape.covers(x, y)))

    def inner(element: ET.Element, x: float, y: float) -> Iterator[Pair]:
        transform = element.get("transform", "")
        if "scale" in transform or element.tag == f"{SVG}defs":
            return  # silhouettes: edge on what their cards are
        moved = re.match(r"translate\((\S+) (\S+)\)", transform)
        x, y = (x + float(moved[1]), y + float(moved[2])) if moved else (x, y)
        looks = element.get("class", "").split()
        if element.tag == f"{SVG}text":
            size = float(element.get("font-size", 12))
            shown = 0.85 * width(element.text or "", size, "bold" in looks)
            shift = 0 if "middle" in looks else -shown / 2 if "end" in looks else shown / 2
            ink = next((INKS[look] for look in looks if look in INKS), "ink")
            for part in (-0.4, 0, 0.4):
                beneath = ground_at(
                    x + number(element, "x") + shift + part * shown, y + number(element, "y") - 0.3 * size
                )
                yield Pair(f"text {ink}", *beneath)
        shape = shape_of(element, x, y)
        if shape:
            line = next((STROKES[look] for look in looks if look in STROKES), None)
            if line and shapes and "absent" not in looks:
                around = [
                    ground_at(min(max(across, 0.1), svg_width - 0.1), min(max(down, 0.1), svg_height - 0.1))
                    for across in (shape.left - 0.5, shape.right + 0.5)
                    for down in (shape.top - 0.5, shape.bottom + 0.5)
                ]
                ground, hatched = Counter(around).most_common(1)[0][0]
                lit = [line] if shape.fill == "none" else [line, named(shape.fill)[0]]
                yield Pair(f"shape {' or '.join(lit)}", ground, hatched)
            if shape.fill != "none":
                shapes.append(shape)
        for child in element:
            yield from inner(child, x, y)

    svg_width, svg_height = number(svg, "width"), number(svg, "height")
    yield from inner(svg, 0, 0)


@cache
def pairs() -> frozenset[Pair]:
    """Those of all pictures that are kept, in both layouts."""
    return frozenset(
        pair
        for position in kept_positions()
        for layout in ("wide", "narrow")
        for pair in pairs_in(ET.fromstring(drawn(position, layout)))
    )


def poor(colours: Mapping[str, tuple[str, str]]) -> dict[tuple[str, Pair], float]:
    """Whatever does not stand out, by shade."""
    known = {**colours, "dark": (DARK_ON_COLOUR, DARK_ON_COLOUR)}
    found = {}
    for pair in pairs():
        kind, _, inks = pair.ink.partition(" ")
        for shade, name in enumerate(SHADES):
            ground = known[pair.ground][shade]
            reached = max(contrast(known[ink][shade], ground) for ink in inks.split(" or "))
            if reached < (LEAST_OF_TEXT if kind == "text" else LEAST_OF_SHAPES):
                found[name, pair] = round(reached, 2)
    return found


@pytest.mark.long
@pytest.mark.longest
def test_whatever_is_drawn_stands_out() -> None:
    assert len(pairs()) > 40
    assert poor(COLOURS) == {}


@pytest.mark.long
@pytest.mark.longest
def test_no_text_lies_on_a_hatching() -> None:
    assert [pair for pair in pairs() if pair.ink.startswith("text") and pair.hatched] == []
