"""Positions whose pictures are golden files: record, ply, viewing seat (None: all is visible), and what they show."""

from collections.abc import Iterator
from typing import Any

POSITIONS = (
    ("three-plan", 30, None, "the set-up: the row is being filled"),
    ("two-plan", 65, None, "the set-up: cards are being dealt"),
    ("four-plan", 90, None, "four players, first buildings"),
    ("both-phases", 740, None, "an auction of three: who leads, and what was laid"),
    ("shuffled", 368, 1, "an auction of two against the dummy, seen from a seat"),
    ("one-stop", 150, None, "commissioners on their way, markers behind them"),
    ("four-six", 160, None, "six lots in a district"),
    ("two-six-stop", 105, None, "two players on six lots"),
    ("closed-under-foot", 122, None, "a closed district"),
    ("cards-gone", 138, 0, "exhausted piles"),
    ("three-tiles", 121, None, "towards the end"),
    ("shared-win", 142, None, "late: many buildings"),
)

TOLD_OTHERWISE = ("commissioner", "commissioners")


def further_tokens(document: Any) -> Iterator[tuple[str, str]]:
    """The commissioners and the markers that they left behind, which a state has by place."""
    for colour in document["commissioners"]:
        yield f"/commissioners/{colour}", colour
    for colour, districts in document.get("markers", {}).items():
        yield from ((f"/markers/{colour}/{index}", colour) for index in range(len(districts)))
