"""Widths of texts, and fitting texts into a width.

The reader's font is unknown, so widths are those of DejaVu Sans, the widest of the usual system fonts. A text that is
isolated, because it may be written from right to left, remains so when it is cut.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from unicodedata import category, east_asian_width

ISOLATE = "\N{FIRST STRONG ISOLATE}"
POP_ISOLATE = "\N{POP DIRECTIONAL ISOLATE}"
"""Before and after what has a direction of its own: invisible, and without a width."""

WIDTHS = {
    ISOLATE: 0.0,
    POP_ISOLATE: 0.0,
    **dict.fromkeys("abdeghknopqu", 0.63),
    **dict.fromkeys("csvxyz", 0.57),
    **dict.fromkeys("frtJ", 0.41),
    **dict.fromkeys("ijl", 0.28),
    **dict.fromkeys("mM", 0.92),
    **dict.fromkeys("wW", 0.94),
    **dict.fromkeys("I .,:;'|·’!-()", 0.33),
    **dict.fromkeys("0123456789", 0.64),
    "−": 0.84,
    "…": 1.0,
}
OTHER = 0.7
"""Capitals, and everything else."""
SQUARE = 1.3
"""Chinese, Japanese and Korean characters, and emoji, which are the widest of them."""
BOLD = 1.1
LONGEST_NAME = 22


@lru_cache(maxsize=1024)
def width(text: str, size: float = 12, bold: bool = False) -> float:
    """The width of a text in user units, estimated generously.

    Cached: without it a picture takes up to 1.2 times as long (2026-11-27).
    """
    letters = sum(map(width_of, text))
    return letters * size * (BOLD if bold else 1)


def width_of(letter: str) -> float:
    """The width of a letter as a share of its size."""
    known = WIDTHS.get(letter)
    if known is not None:
        return known
    return SQUARE if east_asian_width(letter) in "WF" else OTHER


def cut(text: str, room: float, size: float = 12, bold: bool = False) -> str:
    """The text if it fits into `room`, otherwise its beginning and “…”."""
    if width(text, size, bold) <= room:
        return text
    letters = len(text)
    while letters and width(text[:letters] + "…", size, bold) > room:
        letters -= 1
    return shortened(text, letters)


def name(player: str) -> str:
    """A player's name, cut after 22 letters; the full name belongs in a title."""
    invisible = player.count(ISOLATE)
    letters = len(player) - player.count(POP_ISOLATE) - invisible
    return player if letters <= LONGEST_NAME else shortened(player, LONGEST_NAME - 1 + invisible)


def shortened(text: str, letters: int) -> str:
    """So many letters of a text, fewer if the last would lose its accents, and “…”; what was isolated ends with it."""
    while letters and category(text[letters]).startswith("M"):
        letters -= 1
    beginning = text[:letters]
    return beginning.rstrip() + "…" + POP_ISOLATE * (beginning.count(ISOLATE) - beginning.count(POP_ISOLATE))


def signed(number: int) -> str:
    """A number with its sign: +3, 0, −5, with a typographic minus."""
    return f"+{number}" if number > 0 else f"−{-number}" if number < 0 else "0"


def minus(number: int) -> str:
    """A number as it is printed: with a typographic minus."""
    return str(number).replace("-", "−")


def wrapped(text: str, room: float, size: float = 12, bold: bool = False, separator: str = " ") -> list[str]:
    """The text in lines that fit into `room`: it breaks at `separator`, but never within what is isolated."""
    lines: list[str] = []
    for word in unbroken(text.split(separator), separator):
        longer = f"{lines[-1]}{separator}{word}" if lines else word
        if lines and width(longer, size, bold) <= room:
            lines[-1] = longer
        else:
            lines.append(cut(word, room, size, bold))
    return lines


def unbroken(words: Iterable[str], separator: str) -> Iterator[str]:
    """The words, those of an isolated text together."""
    held = ""
    for word in words:
        held = f"{held}{separator}{word}" if held else word
        if held.count(ISOLATE) <= held.count(POP_ISOLATE):
            yield held
            held = ""
    if held:
        yield held
