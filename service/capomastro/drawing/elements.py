"""SVG elements: typed functions that return finished markup.

`Svg` is markup in which everything that came from outside is escaped. Only the functions here make it, so a checker of
types notices a bare text among elements. What is drawn of one picture is mostly drawn of the next as well, so elements
are remembered. Lengths are in user units; they are written with one decimal at most.

Why no library: `svg.py` 1.10, the only typed one that is kept, writes texts without escaping them (`1 < 2`, a player
called `<script>`), and takes 5.5 ms for the 900 elements of a picture, more than a whole picture may cost; `drawsvg`
and `svgwrite` are untyped, `svgwrite` is not developed any more.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import NewType

Svg = NewType("Svg", str)
"""Finished markup."""

Number = int | float
EMPTY = Svg("")
ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"} | {chr(code): "" for code in range(32)})
"""Control characters are left out: XML 1.0 has no way to write them."""


@lru_cache(maxsize=8192)
def escaped(text: str) -> str:
    """A text for content and for attributes in double quotes."""
    return text.translate(ESCAPES)


def figure(number: Number) -> str:
    """A length as short as it can be written."""
    return str(number) if number.__class__ is int else f"{round(number, 1):g}"


def joined(elements: Iterable[Svg]) -> Svg:
    """Elements one after the other, in reading order."""
    return Svg("".join(elements))


@lru_cache(maxsize=4096)
def rectangle(
    x: Number, y: Number, width: Number, height: Number, look: str = "", fill: str = "none", radius: Number = 0
) -> Svg:
    """`look`: classes of the style text, nearly always the kind of line; `fill`: a paint of `palette`."""
    corner = f' rx="{figure(radius)}"' if radius else ""
    return Svg(
        f'<rect x="{figure(x)}" y="{figure(y)}" width="{figure(width)}" height="{figure(height)}"{corner} fill="{fill}"'
        f"{classes(look)}/>"
    )


@lru_cache(maxsize=1024)
def circle(x: Number, y: Number, radius: Number, look: str = "", fill: str = "none") -> Svg:
    """A circle around (x, y)."""
    return Svg(f'<circle cx="{figure(x)}" cy="{figure(y)}" r="{figure(radius)}" fill="{fill}"{classes(look)}/>')


@lru_cache(maxsize=4096)
def path(commands: str, look: str = "", fill: str = "none", x: Number = 0, y: Number = 0) -> Svg:
    """A path in the commands of SVG, moved by (x, y)."""
    return Svg(f'<path d="{commands}" fill="{fill}"{classes(look)}{translation(x, y)}/>')


@lru_cache(maxsize=8192)
def text(x: Number, y: Number, content: str, look: str = "", size: Number = 0) -> Svg:
    """A line of text; (x, y) is its start on the base line, or its middle or end with the looks `middle` and `end`.

    `size` in user units, at least 11; without it 12.
    """
    sized = f' font-size="{figure(size)}"' if size else ""
    return Svg(f'<text x="{figure(x)}" y="{figure(y)}"{sized}{classes(look)}>{escaped(content)}</text>')


def group(
    *children: Svg,
    title: str = "",
    place: str = "",
    token: str = "",
    count: int = 1,
    x: Number = 0,
    y: Number = 0,
    look: str = "",
) -> Svg:
    """Elements that belong together, moved by (x, y).

    `title`: what it is, in the reader's language; every place and every component has one. `place`: a JSON Pointer into
    the state. `token`: the component it shows; `count`: how many of them, if many are drawn as one.
    """
    attributes = ""
    if place:
        attributes = f' data-place="{place}"'
    if token:
        attributes += f' data-token="{token}"'
        if count != 1:
            attributes += f' data-count="{count}"'
    if look:
        attributes += classes(look)
    if x or y:
        attributes += translation(x, y)
    named = f"<title>{escaped(title)}</title>" if title else ""
    return Svg(f"<g{attributes}>{named}{''.join(children)}</g>")


@lru_cache(maxsize=4096)
def component(token: str, title: str, *drawn: Svg, x: Number = 0, y: Number = 0, count: int = 1) -> Svg:
    """A component of the game, or `count` equal ones: a small group that is remembered, since it comes back."""
    return group(*drawn, title=title, token=token, count=count, x=x, y=y)


def scaled(element: Svg, factor: float, x: Number = 0, y: Number = 0) -> Svg:
    """An element in another size, its origin at (x, y); its lines get thicker or thinner with it."""
    return Svg(f'<g transform="translate({figure(x)} {figure(y)}) scale({round(factor, 3):g})">{element}</g>')


def classes(look: str) -> str:
    return f' class="{look}"' if look else ""


@lru_cache(maxsize=4096)
def translation(x: Number, y: Number) -> str:
    return f' transform="translate({figure(x)} {figure(y)})"' if x or y else ""
