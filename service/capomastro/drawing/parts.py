"""Parts that the pictures of all games share: status bar, panels, captions, heads of players, components."""

from capomastro.drawing import lettering
from capomastro.drawing.boxes import Box, box, moved
from capomastro.drawing.elements import EMPTY, Number, Svg, component, group, joined, path, rectangle, text
from capomastro.drawing.marks import mark, mark_on_bar
from capomastro.drawing.palette import BAR, NEW, ON_BAR, SHEET
from capomastro.drawing.pictures import Brief

CAPTION_HEIGHT = 18
LETTER_SPACING = 0.6
"""The space between the letters of a caption, as in the style sheet."""


def ring(x: Number, y: Number, width: Number, height: Number) -> Svg:
    """A ring around a component that has just moved: 3 wide, 3.5 away; its filled corner shows without colour too."""
    left, top = x - 3.5, y - 3.5
    corner = f"M{left:g} {top + 10:g}V{top:g}H{left + 10:g}Z"
    around = rectangle(left, top, width + 7, height + 7, "ring", radius=5)
    return joined(around, path(corner, fill=NEW))


def ring_if_new(token: str, place: str, brief: Brief, x: Number, y: Number, width: Number, height: Number) -> Svg:
    """The ring around a token at a place; nothing if it has not just moved there, or already has its ring."""
    return ring(x, y, width, height) if brief.changed.claim_ring(place, token) else EMPTY


def component_at(
    token: str,
    place: str,
    brief: Brief,
    width: Number,
    height: Number,
    *drawn: Svg,
    title: str = "",
    x: Number = 0,
    y: Number = 0,
) -> Svg:
    """A component at a place, with its ring if it has just moved there; without a `title` it has its own name."""
    around = ring_if_new(token, place, brief, 0, 0, width, height)
    return component(token, title or brief.say.thing(token), *drawn, around, x=x, y=y)


def panel(width: Number, height: Number, look: str = "faint") -> Svg:
    """The sheet under the components of a place; `look` is `edge` if the place is in play."""
    return rectangle(0, 0, width, height, look, SHEET, 4)


def caption(content: str, x: Number = 0, y: Number = 11) -> Svg:
    """A label in small bold capitals, with its baseline at y."""
    return text(x, y, content.upper(), "caption")


def captioned(content: str, below: Box, width: Number = 0, note: str = "") -> Box:
    """A box below a caption, with a note at the right end of the same line, or on a second line if there is no room."""
    room = max(width, below.width)
    head, height = [caption(content)], CAPTION_HEIGHT
    if note and caption_width(content) + 8 + lettering.width(note, 11) <= room:
        head.append(text(room, 11, note, "quiet end", 11))
    elif note:
        head.append(text(0, 25, lettering.cut(note, room, 11), "quiet", 11))
        height += 14
    return box(room, height + below.height, *head, moved(below, 0, height))


def caption_width(content: str) -> float:
    """The width of a caption, with the space between its letters."""
    return lettering.width(content.upper(), 11, bold=True) + LETTER_SPACING * len(content)


def plate(content: str, x: Number, y: Number, size: Number = 15, look: str = "edge") -> Svg:
    """A number on a plate centred at (x, y): one that decisions depend on."""
    width = max(lettering.width(content, size, bold=True) + 10, size + 9)
    height = size + 9
    return joined(
        rectangle(x - width / 2, y - height / 2, width, height, look, SHEET, 3),
        text(x, y + size * 0.36, content, "middle bold", size),
    )


def turn_arrow(x: Number, y: Number) -> Svg:
    """The ▶ before the deciding player, with its top left corner at (x, y - 6)."""
    return path(f"M{x:g} {y - 6:g}l9 6l-9 6Z", fill=ON_BAR)


def placed(content: Box, place: str, title: str, least: Number) -> Box:
    """A row of components as a place; if there are none, a dashed square of side `least`."""
    if not content.drawn:
        content = box(least, least, rectangle(0.5, 0.5, least - 1, least - 1, "faint absent", radius=4))
    return at_place(content, place, title)


def at_place(content: Box, place: str, title: str) -> Box:
    """A box as a place."""
    return Box(content.width, content.height, group(content.drawn, title=title, place=place))


# --- the status bar --------------------------------------------------------------------------------------------------


def status_bar(width: int, margin: int, status: str, origin: str, seat: int | None = None) -> Box:
    """The bar at the top: the decision and who makes it (no ▶ if nobody does), then the game and the move number."""
    narrow = width < 700
    decision = bar(width, margin, status, seat, 0 if narrow else lettering.width(origin) + 24)
    origin_text = text(margin, 16, origin, "on-bar", 11) if narrow else text(width - margin, BASE, origin, "end on-bar")
    return box(width, decision.height, decision.drawn, origin_text)


BASE = 23
"""Of the text in the bar, unless the origin stands above it."""


def bar(width: int, margin: int, status: str, seat: int | None, taken: Number) -> Box:
    """The bar with the decision; `taken`: the room for the origin at its right, 0 if that stands above."""
    height, base, x = (36, BASE, margin) if taken else (48, 37, margin)
    drawn = [rectangle(0, 0, width, height, fill=BAR)]
    if seat is not None:
        drawn += [turn_arrow(x, base - 5), mark_on_bar(seat, x + 26, base - 5, 18)]
        x += 44
    shown = lettering.cut(status, width - margin - x - taken, 15, bold=True)
    return box(width, height, *drawn, text(x, base, shown, "bold on-bar", 15))


# --- players ---------------------------------------------------------------------------------------------------------

HEAD_HEIGHT = 32


def points_note(points: int, final: bool, brief: Brief) -> str:
    """A player's points, for their head: so far, or `final`."""
    return brief.say("points" if final else "points-so-far", points=points)


def head(seat: int, note: str, brief: Brief) -> Box:
    """The head of a player's part: mark, name, and on the right a note, such as their points."""
    name, deciding, width = brief.say.player(seat), seat == brief.deciding, brief.room
    note_room = lettering.width(note, 13, bold=True) + 16
    start = 54 if deciding else 32
    shown = lettering.cut(lettering.name(name), width - start - note_room - 2, 13, bold=True)
    if deciding:
        signs = [rectangle(0, 2, width, 26, fill=BAR, radius=3), turn_arrow(7, 15), mark_on_bar(seat, 34, 15, 18)]
    else:
        signs = [path(f"M0 28H{width}", "faint"), mark(seat, 13, 14, 22)]
    look, look_of_note = ("bold on-bar", "bold end on-bar") if deciding else ("bold", "bold end")
    texts = text(start, 19.5, shown, look, 13), text(width - 8, 19.5, note, look_of_note, 13)
    return box(width, HEAD_HEIGHT, *signs, *texts)
