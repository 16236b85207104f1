"""What pictures are made of: shapes, colours, hatchings, marks, cards, rows. It knows no game, no document, no HTTP.

From the bottom up: `elements` (SVG, escaped), `palette` (colours light and dark, hatchings, the style text),
`lettering` (how wide a text is), `boxes` (what is drawn, with its size, so that it can be stacked), `marks` (players),
`cards`, `parts` (status bar, panels, rings, rows of an auction), `pictures` (a whole picture, what is asked of one).

A game draws itself in its `picture.py`: it returns a `Table` for a state and a `Brief`.
"""

from capomastro.drawing.boxes import NOTHING, Box, above, beside, box, moved
from capomastro.drawing.pictures import LAYOUTS, NARROW, WIDE, Brief, Changes, Layout, Picture, Say, Table

__all__ = [
    "LAYOUTS",
    "NARROW",
    "NOTHING",
    "WIDE",
    "Box",
    "Brief",
    "Changes",
    "Layout",
    "Picture",
    "Say",
    "Table",
    "above",
    "beside",
    "box",
    "moved",
]
