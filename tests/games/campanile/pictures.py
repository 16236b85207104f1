"""Positions whose pictures are golden files: record, ply, viewing seat (None: all is visible), and what they show."""

from collections.abc import Iterator
from typing import Any

POSITIONS = (
    ("three-plan", 4, None, "the set-up: cards are being dealt, no tower has a floor"),
    ("three-plan", 12, None, "the first turn: the display is complete"),
    ("two-variant", 27, None, "a medium marker was moved"),
    ("two-plan", 42, 0, "two players, seen from one seat; the Intermezzo is next"),
    ("five-plan", 84, None, "five rows of hands, before the Intermezzo"),
    ("five-plan", 96, None, "another order of the towers; after the Intermezzo, with tokens"),
    ("four-plan", 92, 1, "from a seat: unknown cards; the Intermezzo at the arrow"),
    ("intermezzo-unknown", 60, None, "nobody knows where the Intermezzo lies"),
    ("both-scorings-at-once", 49, None, "the Intermezzo was turned up, the refill is still to come"),
    ("markers-run-out", 150, None, "a player without small markers"),
    ("token-of-the-intermezzo", 200, None, "high towers, just before the end"),
    ("shared-win", 188, None, "the end: a shared win"),
)


def further_tokens(document: Any) -> Iterator[tuple[str, str]]:
    """The tokens that were won, which are numbers in a state."""
    for seat, one in enumerate(document["seats"]):
        yield from ((f"/seats/{seat}/tokens", str(value)) for value in one["tokens"])
