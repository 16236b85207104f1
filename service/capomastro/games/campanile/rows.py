"""Influence: rows of markers under the towers, in the order in which they were begun."""

from collections.abc import Iterable, Iterator

from capomastro.engine.multisets import minus, plus
from capomastro.engine.refusals import Refusal, implements, refuse
from capomastro.engine.seats import replaced
from capomastro.games.campanile import components as box
from capomastro.games.campanile import tokens
from capomastro.games.campanile.state import State, Tower


def influence(row: tokens.Row) -> int:
    """The total value of the markers in a row."""
    return sum([box.VALUES[marker] for marker in row.markers])


def markers_left(state: State, seat: int, size: str) -> int:
    """The number of markers of a size that a seat has yet to place."""
    placed = [row.markers.count(size) for tower in state.towers.values() for row in tower.rows if row.seat == seat]
    return box.MARKERS[size] - sum(placed)


def has_marker(rows: tokens.Rows, seat: int, size: str) -> bool:
    return any(row.seat == seat and size in row.markers for row in rows)


@implements("campanile.row.rank", "campanile.row.one-each")
def with_marker(rows: tokens.Rows, seat: int, size: str) -> tokens.Rows:
    """Adds a marker to its owner's row, or begins a new row, which ranks last."""
    for index, row in enumerate(rows):
        if row.seat == seat:
            return replaced(rows, index, tokens.Row(seat, plus(row.markers, (size,))))
    return (*rows, tokens.Row(seat, (size,)))


@implements("campanile.row.rank", "campanile.row.empty")
def without_marker(rows: tokens.Rows, seat: int, size: str) -> tokens.Rows:
    """Removes a marker from its owner's row; an empty row loses its rank."""
    shortened = (tokens.Row(seat, minus(row.markers, (size,))) if row.seat == seat else row for row in rows)
    return tuple(row for row in shortened if row.markers)


def with_rows(towers: dict[str, Tower], style: str, rows: tokens.Rows) -> dict[str, Tower]:
    tower = towers[style]
    return {**towers, style: Tower(tower.height, tower.cards, rows)}


def markers_by_seat(all_rows: Iterable[tokens.Rows], players: int) -> list[list[str]]:
    """All markers of each player; rows of non-existent players are ignored."""
    markers: list[list[str]] = [[] for _ in range(players)]
    for rows in all_rows:
        for row in rows:
            if row.seat < players:
                markers[row.seat] += row.markers
    return markers


# --- what rows can be ------------------------------------------------------------------------------------------------


def row_findings(rows: tokens.Rows, players: int, pointer: str) -> Iterator[Refusal]:
    """Each row belongs to a different player and is not empty."""
    seats = [row.seat for row in rows]
    for index, row in enumerate(rows):
        if row.seat >= players:
            yield refuse("campanile.turn.seats", f"{pointer}/{index}/seat", seat=row.seat, players=players)
        if not row.markers:
            yield refuse("campanile.row.empty", f"{pointer}/{index}/markers", seat=row.seat)
        if row.seat in seats[:index]:
            yield refuse("campanile.row.one-each", f"{pointer}/{index}/seat", seat=row.seat)


def marker_findings(markers: list[list[str]], pointer: str) -> Iterator[Refusal]:
    """Nobody has placed more markers than they own; `markers` has those of each seat."""
    for seat, placed in enumerate(markers):
        for size, owned in box.MARKERS.items():
            number = placed.count(size)
            if number > owned:
                yield refuse("campanile.components.markers", pointer, seat=seat, number=number, size=size, owned=owned)
