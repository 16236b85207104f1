"""A recorded game told in sentences: a heading for every turn, below it what happened, ply by ply."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from textwrap import wrap
from typing import Any

from capomastro.documents.wordings import capitalised, phrase
from capomastro.layout.formatting import WIDTH, player_name, printable

MARGIN = 7
"""Width of the column of plies."""


def narrative_lines(course: Sequence[Mapping[str, Any]], names: Sequence[str] | None) -> Iterator[str]:
    """A game as `replays` tells it (`course`), turn by turn."""
    first = next((ply for ply, entry in enumerate(course) if entry["decision"]["actor"] == "seat"), len(course))

    def turn_at(numbered: tuple[int, Mapping[str, Any]]) -> int | None:
        ply, entry = numbered
        return entry["active_seat"] if ply >= first else None

    for turn, plies in groupby(enumerate(course), turn_at):
        heading = phrase("set-up") if turn is None else player_name(turn, names)
        yield heading if names else capitalised(heading)
        for ply, entry in plies:
            yield from ply_lines(ply, sentences_of(entry))
        yield ""


def sentences_of(entry: Mapping[str, Any]) -> list[str]:
    """What happened; before it the move itself, if no event says that its seat did something."""
    events, seat = entry["events"], entry["move"].get("seat")
    is_in_events = any(event.get("seat") == seat for event in events) if seat is not None else bool(events)
    return [*([] if is_in_events else [entry["text"]]), *(event["text"] for event in events)]


def ply_lines(ply: int, sentences: Sequence[str]) -> Iterator[str]:
    """The sentences of a ply below each other, its number beside the first."""
    margin, further = f"{ply:>{MARGIN - 2}}  ", " " * (MARGIN + 2)
    for sentence in sentences:
        yield from wrap(
            printable(sentence), WIDTH, initial_indent=margin, subsequent_indent=further, break_on_hyphens=False
        )
        margin = " " * MARGIN
