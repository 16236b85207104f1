"""Pages and pictures have the same marks of players and, where they share names, the same colours."""

import json
import re
from collections.abc import Mapping
from typing import Any

from capomastro import pages
from capomastro.drawing import marks
from capomastro.drawing.palette import COLOURS
from tests.pages.test_colours import DARK, LIGHT

MARKS = pages.files()["marks.js"].content.decode()
DIFFERENCES = {
    "window": "in the dark, those of pictures are lit",
    "red": "on pages it says wrong, in pictures it is a colour of blocks",
    "green": "on pages it says won, in pictures it is a colour of blocks",
    "blue": "on pages it says chosen, in pictures it is a colour of blocks",
}
"""Colours that differ although they have the same name in pages and pictures, with the reason."""


def constants(script: str) -> dict[str, Any]:
    """Everything that a script exports, written as JSON except for trailing commas."""
    found = re.findall(r"^export const (\w+) = (.*?);$", script, re.DOTALL | re.MULTILINE)
    return {name: json.loads(re.sub(r",\s*\]", "]", value)) for name, value in found}


def differing_marks(script: str) -> list[str]:
    """Marks that pages and pictures draw differently."""
    drawn = {
        "OUTLINES": list(marks.OUTLINES),
        "MASONS_MARKS": list(marks.MASONS_MARKS),
        "MIDDLES": list(marks.MIDDLES),
        "DUMMY": marks.DUMMY,
    }
    shown = constants(script)
    return [name for name in {**drawn, **shown} if drawn.get(name) != shown.get(name)]


def test_marks_are_those_of_the_pictures() -> None:
    assert differing_marks(MARKS) == []


def differing_colours(light: Mapping[str, str], dark: Mapping[str, str]) -> set[str]:
    """The colours that pages and pictures share by name but not by value."""
    return {name for name in light if name in COLOURS and (light[name], dark[name]) != COLOURS[name]}


def test_things_shown_in_both_have_the_same_colour() -> None:
    assert differing_colours(LIGHT, DARK) == set(DIFFERENCES)
    assert {f"player{seat}" for seat in range(len(marks.OUTLINES))} | {"on-player", "paper", "ink"} <= LIGHT.keys()
