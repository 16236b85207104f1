"""What two tables of one game say about each other. No key is needed for it: a client has a copy of this.

A table is kept by its witnesses. Of two that were sealed for the same game the record of one begins with that of the
other; else somebody has gone back and played twice.
"""

from collections.abc import Mapping
from typing import Any, Literal

from msgspec import Struct

JOIN = "join"
IDENTITY = ("creation", "id", "commitment")
"""What never changes: a table that differs in it is of another game, if that was created with the same words."""


def last_to_move(record: str, players: int) -> int:
    """The seat of the last move that a player made; before any, the last seat, which was the last to join."""
    end = len(record) - 1
    while end > 0:
        start = record.rfind("\n", 0, end) + 1
        seat = seat_in(record[start:end])
        if seat is not None:
            return seat
        end = start - 1
    return players - 1


def lines_of(record: str) -> list[str]:
    """The lines of a record, each of which ends with a line feed."""
    return record.split("\n")[:-1]


def seat_in(line: str) -> int | None:
    """Who made the move in a line of a record: a seat; None if it was chance."""
    word = line.partition(" ")[0]
    return int(word) if word.isascii() and word.isdigit() else None


def joined(table: Mapping[str, Any]) -> int:
    """How many seats have joined."""
    awaited = table["waiting"]
    seat: int = awaited["seats"][0]
    return seat if awaited["for"] == JOIN else table["creation"]["players"]


def extends(kept: Mapping[str, Any], new: Mapping[str, Any]) -> bool:
    """Whether a table goes on from one that was kept: the same game, and all that happened in it happened still.

    Ask this before every move, every draw and every opening, and then keep the new table. It takes it for granted that
    both are genuine, which the service tells (`tables/views`) and refuses if they are not.
    """
    same = all(kept[name] == new[name] for name in IDENTITY)
    return same and joined(new) >= joined(kept) and new["record"].startswith(kept["record"])


class Fork(Struct, frozen=True, omit_defaults=True):
    """Where two tables of one game part."""

    line: int
    """The number of moves they agree in: the first that differs is the next."""
    by: Literal["seat", "chance"]
    """Who made that move: a seat, which has played twice; or chance, and the service is at fault."""
    seat: int | None = None


class DifferentGames(ValueError):
    """Two tables are not of one game: nothing follows from it that their records differ."""


def fork(one: Mapping[str, Any], other: Mapping[str, Any]) -> Fork | None:
    """Where two genuine tables of one game part; None if one goes on from the other.

    Raises:
        DifferentGames: if they are not of one game.
    """
    if any(one[name] != other[name] for name in IDENTITY):
        raise DifferentGames
    lines = lines_of(one["record"]), lines_of(other["record"])
    for number, (here, there) in enumerate(zip(*lines, strict=False)):
        if here != there:
            seat = seat_in(here)
            return Fork(number, "chance") if seat is None else Fork(number, "seat", seat)
    return None
