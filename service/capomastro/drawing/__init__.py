"""The parts of pictures: shapes, colours, hatchings, marks, cards, rows. It knows no game, no document, no HTTP.

From the bottom up: `elements` (escaped SVG), `palette` (light and dark colours, hatchings, the style sheet),
`lettering` (widths of texts), `boxes` (drawings with a size, so that they can be stacked), `marks` (players),
`pictures` (a whole picture, and the brief for one), `parts` (status bar, panels, rings), `cards`, `auctions`.

A game draws itself in its `picture.py`: it returns a `Table` for a state and a `Brief`.
"""
