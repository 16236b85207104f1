"""The parts of pictures: shapes, colours, hatchings, marks, cards, rows. It knows no game, no document, no HTTP.

From the bottom up: `elements` (escaped SVG), `palette` (light and dark colours, hatchings, the style sheet),
`lettering` (widths of texts), `boxes` (drawings with a size, so that they can be stacked), `marks` (players),
`parts` (status bar, panels, rings), `cards`, `auctions`, `pictures` (a whole picture, and the brief for one).

A game draws itself in its `picture.py`: it returns a `Table` for a state and a `Brief`.
"""

from capomastro.drawing.boxes import NOTHING, Box, above, beside, box, moved
from capomastro.drawing.pictures import (
    FIXED,
    LAYOUTS,
    NARROW,
    WIDE,
    Brief,
    Captions,
    Changes,
    Layout,
    Parts,
    Picture,
    Table,
    part_at,
    top_below,
)

__all__ = [
    "FIXED",
    "LAYOUTS",
    "NARROW",
    "NOTHING",
    "WIDE",
    "Box",
    "Brief",
    "Captions",
    "Changes",
    "Layout",
    "Parts",
    "Picture",
    "Table",
    "above",
    "beside",
    "box",
    "moved",
    "part_at",
    "top_below",
]
