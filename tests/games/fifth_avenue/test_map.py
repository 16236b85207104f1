"""The map in pictures: who stands on a district and what lies there has room between its lots."""

import re
from itertools import combinations
from typing import NamedTuple
from xml.etree import ElementTree as ET

import pytest

from capomastro.adjudicator.pictures import picture_of
from capomastro.drawing.pictures import LAYOUTS
from capomastro.games.fifth_avenue.components import DISTRICTS
from capomastro.games.fifth_avenue.game import GAME
from tests.games.fifth_avenue.table import table
from tests.support.pictures import SVG

LINE = 1.25
HEAD = 14.2 / 20
"""How far a commissioner reaches above the origin of its group, of how far below."""


class Extent(NamedTuple):
    """The box around a component, lines included."""

    left: float
    top: float
    right: float
    bottom: float

    def touches(self, other: "Extent") -> bool:
        across = min(self.right, other.right) - max(self.left, other.left)
        return across > 0 and min(self.bottom, other.bottom) - max(self.top, other.top) > 0


def extent_of(element: ET.Element) -> Extent:
    """Of a lot, a marker or a commissioner, from the first shape that it is drawn with."""
    x, y = map(float, re.findall(r"-?[0-9.]+", element.get("transform", "")))
    shape = element[1]
    if shape.tag == f"{SVG}rect":
        left, top, right, bottom = 0.0, 0.0, float(shape.get("width", 0)), float(shape.get("height", 0))
    elif shape.tag == f"{SVG}circle":
        left = top = -float(shape.get("r", 0))
        right = bottom = -left
    else:
        left, bottom = map(float, re.findall(r"-?[0-9.]+", shape.get("d", ""))[:2])
        right, top = -left, -bottom * HEAD
    half = LINE / 2
    return Extent(x + left - half, y + top - half, x + right + half, y + bottom + half)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("six_lots", [False, True])
@pytest.mark.parametrize("visitors", [1, 2])
@pytest.mark.parametrize("markers", [0, 1, 2])
def test_commissioners_and_markers_touch_neither_lots_nor_each_other(
    layout: str, six_lots: bool, visitors: int, markers: int
) -> None:
    for name in DISTRICTS:
        state = table(
            six_lots=six_lots,
            commissioners=(name, name if visitors == 2 else "city-hall"),
            markers=((name,) if markers else (), (name,) if markers == 2 else ()),
        )
        svg = ET.fromstring(picture_of(GAME, state, layout))
        extents = {
            place: extent_of(element)
            for element in svg.iter(f"{SVG}g")
            if re.match(rf"/(commissioners|markers|districts/{name})/", place := element.get("data-place", ""))
        }
        assert len(extents) == (6 if six_lots else 5) + markers + 2
        assert not [pair for pair in combinations(extents, 2) if extents[pair[0]].touches(extents[pair[1]])]
