"""Positions whose pictures are golden files: record, ply, viewing seat (None: all is visible), and what they show."""

from collections.abc import Iterator
from typing import Any

POSITIONS = (
    ("four-plan", 4, None, "the set-up: the fourth quarry has its tile"),
    ("two-plan", 13, 0, "the first action of two players, seen from a seat"),
    ("three-plan", 316, None, "an auction: the highest bid, and the certificate that opened"),
    ("reshuffle", 293, None, "an auction in which two have passed, and long hands"),
    ("four-plan", 336, None, "the row of money lies face up, four players"),
    ("distribution", 72, 1, "six tiles on a quarry, to be distributed; from a seat"),
    ("random", 188, None, "two tiles to place, six palaces, eight tiles on the supply"),
    ("three-plan", 127, None, "tiles of a distribution are placed, a new palace can be begun"),
    ("all-rebuildings", 236, None, "five tiles on a quarry, many out of the game"),
    ("reshuffle", 201, 3, "a hand of 19, from another seat"),
    ("fourth-and-fifth-rider", 52, None, "the fourth rider has just been drawn"),
    ("three-plan", 329, None, "the end"),
)


def further_tokens(document: Any) -> Iterator[tuple[str, str]]:
    """The drawn riders, which are a number in a state."""
    return (("/riders", "rider") for _ in range(document["riders"]))
