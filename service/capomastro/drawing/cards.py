"""Cards, and rows of them: hands, discards, plays.

A card is 3 : 4, with a hatched band at the top and its value below. A *closed* card (not everybody knows it) has a
black folded corner, at the left, where the next card does not hide it. An *unknown* one shows its back with “?”, and
the band of its pile if that is known. A hand is a row, not a fan: its cards overlap until 18 units of each remain
visible, then a second row begins. In fixed order it stays in one row, with smaller cards.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from typing import Any, NamedTuple

from capomastro.drawing.boxes import Box, box
from capomastro.drawing.elements import EMPTY, Svg, group, joined, path, rectangle, text, titled
from capomastro.drawing.palette import BACK, DARK_ON_COLOUR, INK, SHEET, hatched
from capomastro.drawing.parts import placed, ring
from capomastro.drawing.pictures import Brief, Captions


class Size(NamedTuple):
    """The size of a card and of its value."""

    width: int
    height: int
    letters: int


LARGE = Size(28, 38, 17)
MEDIUM = Size(24, 32, 15)
SMALL = Size(18, 24, 12)
SIZES = (LARGE, MEDIUM, SMALL)
"""The cards of a hand become smaller before one would hide the value of another."""
CLOSEST = 18
"""The visible width of a card below which cards do not overlap further."""


class Card(NamedTuple):
    """The description of a card to draw."""

    token: str
    """Its token in the state, or `unknown`."""
    title: str
    """Its name in the reader's language, and whether it is closed."""
    value: str
    """The text on it; “?” on an unknown card."""
    band: str | None = None
    """The hatching of its band, a key of `palette.PATTERNS`."""
    closed: bool = False
    changed: bool = False
    """Whether it has just moved, which gives it a ring."""
    circled: bool = False
    """Whether its value is in a dashed circle, because it belongs to no colour."""
    emblem: str = ""
    """A path on the band, centred at (0, 0), at most 10 high."""
    faces: Mapping[Size, Svg] = {}
    """Its finished drawings by size, titles included."""


UNKNOWN = "unknown"


class Kinds(NamedTuple):
    """Every kind of card of a game, finished, by token: as everybody knows it, and as a closed one."""

    open: Mapping[str, Card]
    closed: Mapping[str, Card]


Describe = Callable[[Captions], Iterable[Card]]
"""Every kind of card of a game, as everybody knows it, in the words of a table."""


def hand_cards(known: Iterable[str], opened: Sequence[str], place: str, describe: Describe, brief: Brief) -> list[Card]:
    """The known cards of a hand, in order; among equal ones, those that everybody knows come first."""
    rest, shown, kinds = list(opened), [], kinds_of(describe, brief.say)
    for token in known:
        if token in rest:
            rest.remove(token)
            card = kinds.open[token]
        else:
            card = kinds.closed[token]
        shown.append(ringed(card, place, brief))
    return shown


def open_cards(tokens: Iterable[str], place: str, describe: Describe, brief: Brief) -> list[Card]:
    """Cards that lie open, in the order in which the game describes them."""
    kinds = kinds_of(describe, brief.say).open
    return [ringed(kinds[token], place, brief) for token in sorted(tokens, key=[*kinds].index)]


def ringed(card: Card, place: str, brief: Brief) -> Card:
    """The card, with a ring if it has just moved to this place."""
    return card._replace(changed=True) if brief.changed.claim_ring(place, card.token) else card


@lru_cache(maxsize=64)
def kinds_of(describe: Describe, say: Captions) -> Kinds:
    """Every kind of card of a game; `say` are the words of a table.

    All faces are drawn at once, so none of them tells which cards have been in hands.
    Cached: without it a picture with hands takes up to 3.5 times as long (2026-11-27).
    """
    opened = {card.token: finished(card, SIZES) for card in describe(say)}
    closed = {
        token: finished(card._replace(title=say("closed", text=card.title), closed=True), SIZES)
        for token, card in opened.items()
    }
    return Kinds(opened, closed)


def hidden_cards(number: int, title: str, place: str, brief: Brief, band: str | None = None) -> list[Card]:
    """The unknown cards of a hand; `band` is that of the pile they come from."""
    back = finished(Card(UNKNOWN, title, "?", band), SIZES if number else ())
    return [ringed(back, place, brief) for _ in range(number)]


def finished(card: Card, sizes: Iterable[Size]) -> Card:
    """The card with its drawings in these sizes."""
    return card._replace(faces={size: joined(titled(card.title), face(card, size)) for size in sizes})


def face(card: Card, size: Size) -> Svg:
    """A card at (0, 0), without its title; a small one has no room for a circle."""
    width, height, letters = size
    unknown, band_height = card.token == UNKNOWN, round(height * 0.29) if card.band else 0
    middle = (height + band_height) / 2
    drawn = [rectangle(0, 0, width, height, "edge", BACK if unknown else SHEET, 4)]
    if unknown:
        drawn.append(
            path(f"M{width // 2} 4L{width - 4} {height // 2}L{width // 2} {height - 4}L4 {height // 2}Z", "faint")
        )
    if card.band:
        drawn.append(rectangle(0, 0, width, band_height, "edge", hatched(card.band), 3))
    if card.emblem:
        drawn.append(path(card.emblem, fill=DARK_ON_COLOUR, x=width / 2, y=band_height / 2))
    if card.circled and width >= MEDIUM.width:
        drawn.append(path(circle_around(width / 2, middle, min(width, height) / 2 - 3), "hair absent"))
    look = "middle bold quiet" if unknown else "middle bold"
    drawn.append(text(width / 2, middle + letters * 0.36, card.value, look, letters))
    if card.closed:
        fold = max(7, width // 3)
        drawn.append(path(f"M0 {height - fold}V{height - 3}Q0 {height} 3 {height}H{fold}Z", fill=INK))
    return joined(*drawn)


def circle_around(x: float, y: float, radius: float) -> str:
    half = f"a{radius:g} {radius:g} 0 1 1"
    return f"M{x - radius:g} {y:g}{half} {2 * radius:g} 0{half} {-2 * radius:g} 0"


def card(shown: Card, size: Size, x: float = 0, y: float = 0) -> Svg:
    """A card with its top left corner at (x, y), and its ring if it has one."""
    around = group(ring(0, 0, size.width, size.height), x=x, y=y) if shown.changed else EMPTY
    return joined(card_without_ring(shown, size, x, y), around)


def card_without_ring(shown: Card, size: Size, x: float, y: float) -> Svg:
    return group(shown.faces[size], token=shown.token, x=x, y=y)


def rings(cards: Sequence[Card], in_row: int, step: float, size: Size, row_height: float) -> Iterator[Svg]:
    """One ring around each run of adjacent cards that have just moved, because single rings would overlap."""
    for start in range(0, len(cards), in_row):
        row = cards[start : start + in_row]
        y = start // in_row * row_height
        for changed, run in groupby(range(len(row)), lambda index, row=row: row[index].changed):  # type: ignore[misc]
            if changed:
                places = list(run)
                width = (len(places) - 1) * step + size.width
                yield ring(places[0] * step, y, width, size.height)


class Bracket(NamedTuple):
    """A bracket under cards that count together: the indices of the first and the last, and their common value."""

    first: int
    last: int
    worth: str


Brackets = Sequence[Bracket] | None
"""Those of a hand; None if a hand has no brackets, not even room for them in fixed order."""
BRACKET_HEIGHT = 14


def row_of_cards(cards: Sequence[Card], room: float, size: Size = LARGE, brackets: Sequence[Bracket] = ()) -> Box:
    """Cards in a row at most `room` wide, or in several rows if they would overlap too far."""
    width, gap = size.width, 2
    step: float = width + gap
    in_row = max(int((room - width) // step) + 1, 1)
    if len(cards) > in_row:
        in_row = max(int((room - width) // min(CLOSEST, step)) + 1, 1)
        rows = -(-len(cards) // in_row)
        in_row = -(-len(cards) // rows)
        step = int(min(step, (room - width) / max(in_row - 1, 1)))
        if size is LARGE and step < (width + size.letters) / 2:
            return row_of_cards(cards, room, MEDIUM, brackets)
    return rows_of_cards(cards, in_row, step, size, brackets)


def rows_of_cards(cards: Sequence[Card], in_row: int, step: float, size: Size, brackets: Sequence[Bracket] = ()) -> Box:
    """Cards in rows of so many, `step` apart."""
    width, height = size.width, size.height
    row_height = height + (BRACKET_HEIGHT if brackets else 0) + 3
    drawn = [
        card_without_ring(shown, size, index % in_row * step, index // in_row * row_height)
        for index, shown in enumerate(cards)
    ]
    for bracket in brackets:
        drawn += bracket_under(bracket, in_row, step, size, row_height)
    drawn += rings(cards, in_row, step, size, row_height)
    rows = -(-len(cards) // in_row)
    seen = min(len(cards), in_row)
    return box((seen - 1) * step + width if seen else 0, max(rows * row_height - 3, 0), *drawn)


def heap_of_cards(cards: Sequence[Card], room: float, rows: int) -> Box:
    """Small cards in at most so many rows; many overlap."""
    width = SMALL.width
    in_row = max(int((room + 2) // (width + 2)), -(-len(cards) // rows))
    return rows_of_cards(cards, in_row, int(min(width + 2, (room - width) / (in_row - 1))), SMALL)


def single_row(cards: Sequence[Card], room: float, brackets: Sequence[Bracket] = ()) -> Box:
    """Cards in one row at most `room` wide, as large as they can be without hiding the values of others."""
    closest = {size: int(min(size.width + 2, (room - size.width) / max(len(cards) - 1, 1))) for size in SIZES}
    size = next((size for size, step in closest.items() if step >= (size.width + size.letters) / 2), SMALL)
    return rows_of_cards(cards, max(len(cards), 1), closest[size], size, brackets)


def cards_at(
    place: str, tokens: Iterable[str], title: str, describe: Describe, brief: Brief, size: Size = LARGE, rows: int = 0
) -> Box:
    """Cards that lie open at a place. With a number of `rows`, there is room for so many in fixed order."""
    cards = open_cards(tokens, place, describe, brief)
    if rows and brief.fixed:
        heap = placed(heap_of_cards(cards, brief.room, rows), place, title, size.height)
        return heap._replace(height=rows * (size.height + 3) - 3)
    return placed(row_of_cards(cards, brief.room, size), place, title, size.height)


def row_of_hand(cards: Sequence[Card], seat: int, brief: Brief, brackets: Brackets = None) -> Box:
    """The hand of a player."""
    title, place = brief.say("hand", player=brief.say.player(seat), cards=len(cards)), f"/seats/{seat}/hand"
    row = (single_row if brief.fixed else row_of_cards)(cards, brief.room, brackets=brackets or ())
    height = LARGE.height if brackets is None else LARGE.height + BRACKET_HEIGHT
    return brief.keep_room(placed(row, place, title, LARGE.height), height)


def hand_in_row(
    held: Any, known: Iterable[str], seat: int, describe: Describe, brief: Brief, brackets: Brackets = None
) -> Box:
    """The hand of a player: the `known` cards of the hand in their order, then the unknown ones."""
    place = f"/seats/{seat}/hand"
    cards = hand_cards(known, held.open, place, describe, brief)
    cards += hidden_cards(held.unknown_size, brief.say("unknown"), place, brief)
    return row_of_hand(cards, seat, brief, brackets)


def bracket_under(bracket: Bracket, in_row: int, step: float, size: Size, row_height: float) -> list[Svg]:
    """A bracket; nothing if its cards are in two rows, because half a bracket would mislead."""
    row, first = divmod(bracket.first, in_row)
    if bracket.last // in_row != row:
        return []
    left, right = first * step + 1, bracket.last % in_row * step + size.width - 1
    y = row * row_height + size.height + 3
    middle = (left + right) / 2
    line = f"M{left:g} {y:g}v4H{middle - 9:g}M{right:g} {y:g}v4H{middle + 9:g}"
    return [path(line, "hair"), text(middle, y + 8, bracket.worth, "middle bold", 11)]
