"""SVG elements: typed functions that return finished markup.

`Svg` is markup in which everything from outside is escaped. Only the functions here create it, so a type checker finds
unescaped text among elements. Lengths are in user units, written with at most one decimal.

Why no library: `svg.py` 1.10, the only maintained one with types, does not escape text (`1 < 2`, a player called
`<script>`), and takes 5.5 ms for the 900 elements of a picture, more than a whole picture may cost; `drawsvg` and
`svgwrite` have no types, and `svgwrite` is no longer developed.
"""

import re
from typing import NewType

Svg = NewType("Svg", str)
"""Finished markup."""

Number = int | float
EMPTY = Svg("")
PLAIN = re.compile(r"""[ !#-%'-;=?-~]*""")
"""Texts that are written as they are: printable ASCII without &, <, > and double quotes."""
ESCAPES = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"}
    | dict.fromkeys([*map(chr, range(32)), "\ufffe", "\uffff"], "")
)
"""Control characters are left out, and what is not a character: XML 1.0 has no way to write them."""


def escaped(text: str) -> str:
    """Text escaped for content and for attributes in double quotes.

    Characters beyond ASCII become references: a single one would make joining and encoding the whole picture slower.
    """
    if PLAIN.fullmatch(text):
        return text
    return text.translate(ESCAPES).encode("ascii", "xmlcharrefreplace").decode()


def length(number: Number) -> str:
    """A length, written as briefly as possible."""
    return str(number) if number.__class__ is int else f"{number:.1f}".removesuffix(".0")


def joined(*elements: Svg) -> Svg:
    """Elements one after another, in reading order."""
    return Svg("".join(elements))


def rectangle(
    x: Number, y: Number, width: Number, height: Number, look: str = "", fill: str = "none", radius: Number = 0
) -> Svg:
    """A rectangle. `look`: classes of the style sheet, nearly always the kind of line; `fill`: a paint of `palette`."""
    corner = f' rx="{length(radius)}"' if radius else ""
    return Svg(
        f'<rect x="{length(x)}" y="{length(y)}" width="{length(width)}" height="{length(height)}"{corner} fill="{fill}"'
        f"{classes(look)}/>"
    )


def circle(x: Number, y: Number, radius: Number, look: str = "", fill: str = "none") -> Svg:
    """A circle around (x, y)."""
    return Svg(f'<circle cx="{length(x)}" cy="{length(y)}" r="{length(radius)}" fill="{fill}"{classes(look)}/>')


def path(commands: str, look: str = "", fill: str = "none", x: Number = 0, y: Number = 0) -> Svg:
    """A path of SVG commands, moved by (x, y)."""
    return Svg(f'<path d="{commands}" fill="{fill}"{classes(look)}{translation(x, y)}/>')


def text(x: Number, y: Number, content: str, look: str = "", size: Number = 0) -> Svg:
    """A line of text; (x, y) is its start on the baseline, or its middle or end with the looks `middle` and `end`.

    `size` in user units, at least 11; without it 12.
    """
    sized = f' font-size="{length(size)}"' if size else ""
    return Svg(f'<text x="{length(x)}" y="{length(y)}"{sized}{classes(look)}>{escaped(content)}</text>')


def group(
    *children: Svg,
    title: str = "",
    place: str = "",
    move: str = "",
    token: str = "",
    count: int = 1,
    x: Number = 0,
    y: Number = 0,
    look: str = "",
) -> Svg:
    """Elements that belong together, moved by (x, y).

    `title`: its name in the reader's language; every place and every component has one. `place`: a JSON Pointer into
    the state. `move`: the kind of move that makes the place. `token`: the component it shows; `count`: how many of
    them, if several are drawn as one.
    """
    attributes = f' data-place="{place}"' if place else ""
    if move:
        attributes += f' data-move="{move}"'
    if token:
        attributes += f' data-token="{token}"' if count == 1 else f' data-token="{token}" data-count="{count}"'
    if look:
        attributes += classes(look)
    if x or y:
        attributes += translation(x, y)
    return Svg("".join(["<g", attributes, ">", titled(title), *children, "</g>"]))


def titled(title: str) -> Svg:
    """The title at the beginning of a group; nothing without one."""
    return Svg(f"<title>{escaped(title)}</title>") if title else EMPTY


def component(token: str, title: str, *drawn: Svg, x: Number = 0, y: Number = 0, count: int = 1) -> Svg:
    """A component of the game, or `count` equal ones."""
    return group(*drawn, title=title, token=token, count=count, x=x, y=y)


def scaled(element: Svg, factor: float, x: Number = 0, y: Number = 0) -> Svg:
    """An element scaled and moved to (x, y); the width of its lines scales with it."""
    return Svg(f'<g transform="translate({length(x)} {length(y)}) scale({round(factor, 3):g})">{element}</g>')


def classes(look: str) -> str:
    return f' class="{look}"' if look else ""


def translation(x: Number, y: Number) -> str:
    if x.__class__ is int and y.__class__ is int:  # as most are
        return f' transform="translate({x} {y})"' if x or y else ""
    return f' transform="translate({length(x)} {length(y)})"' if x or y else ""
