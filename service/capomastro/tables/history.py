"""Compares two tables of one game. This needs no key: clients have a copy of this code.

Players keep the tables they have seen. Of two genuine tables of one game, the record of one is a prefix of the other's;
otherwise somebody went back and played twice.
"""

from collections.abc import Mapping
from typing import Any, Literal

from msgspec import Struct

JOIN = "join"
IDENTITY = ("creation", "id", "commitment")
"""Members that never change during a game: tables that differ in one of them belong to different games."""


def last_to_move(record: str, players: int) -> int:
    """The seat of the last move made by a player; before the first, the last seat, which joined last."""
    end = len(record) - 1
    while end > 0:
        start = record.rfind("\n", 0, end) + 1
        seat = seat_in_line(record[start:end])
        if seat is not None:
            return seat
        end = start - 1
    return players - 1


def lines_of(record: str) -> list[str]:
    """The lines of a record, without the line feeds that end them."""
    return record.split("\n")[:-1]


def seat_in_line(line: str) -> int | None:
    """The seat that made the move in a line of a record; None if it was chance."""
    word = line.partition(" ")[0]
    return int(word) if word.isascii() and word.isdigit() else None


def players_joined(table: Mapping[str, Any]) -> int:
    """How many seats have joined."""
    awaited = table["waiting"]
    seat: int = awaited["seats"][0]
    return seat if awaited["for"] == JOIN else table["creation"]["players"]


def extends(kept: Mapping[str, Any], new: Mapping[str, Any]) -> bool:
    """Whether a table continues a kept one: the same game, with everything that had happened by then.

    Check this before every move, draw and opening, then keep the new table. Both tables must be genuine; the service
    (`tables/views`) refuses tables that are not.
    """
    same = all(kept[name] == new[name] for name in IDENTITY)
    return same and players_joined(new) >= players_joined(kept) and new["record"].startswith(kept["record"])


class Fork(Struct, frozen=True, omit_defaults=True):
    """The point at which two tables of one game diverge."""

    line: int
    """The number of moves that both have in common; the next one differs."""
    by: Literal["seat", "chance"]
    """Who made that move: a seat, which played twice, or chance, for which the service is at fault."""
    seat: int | None = None


class DifferentGames(ValueError):
    """Two tables belong to different games, so their records say nothing about each other."""


def fork(first: Mapping[str, Any], second: Mapping[str, Any]) -> Fork | None:
    """The point at which two genuine tables of one game diverge; None if one continues the other.

    Raises:
        DifferentGames: if they belong to different games.
    """
    if any(first[name] != second[name] for name in IDENTITY):
        raise DifferentGames
    lines = lines_of(first["record"]), lines_of(second["record"])
    for number, (line, other_line) in enumerate(zip(*lines, strict=False)):
        if line != other_line:
            seat = seat_in_line(line)
            return Fork(number, "chance") if seat is None else Fork(number, "seat", seat)
    return None
