"""Scoresheets of a played game, and whether the table on a scoresheet is possible, for the campaign `sheets`."""

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from capomastro.games.campanile.components import MARKERS, STYLES, copies
from capomastro.games.campanile.moves import RevealCard
from capomastro.games.campanile.scoresheet import Position, Scoresheet, SheetTower
from capomastro.games.campanile.state import State, Tower
from tests.support.documents import as_document
from tests.support.playouts import Ply


def sheets(plies: Sequence[Ply], random: Random) -> Iterator[tuple[str, dict[str, Any]]]:
    """A sheet with the tokens of the Intermezzo, and one with the towers at that time."""
    end: State = plies[-1].after
    then: State = next(ply.before for ply in plies if ply.move == RevealCard("intermezzo"))
    tokens = {"type": "tokens", "by_seat": [list(seat.tokens) for seat in end.seats]}
    position = {"type": "position", "towers": without_cards(then.towers)}
    for detail, intermezzo in (("tokens", tokens), ("position", position)):
        yield (
            detail,
            {
                "game": "campanile",
                "schema_version": 1,
                "seats": [{} for _ in end.seats],
                "towers": without_cards(end.towers),
                "intermezzo": intermezzo,
                "tower_order": list(end.options.tower_order),
                "move_medium_marker": end.options.move_medium_marker,
            },
        )


def without_cards(towers: dict[str, Tower]) -> Any:
    return as_document({style: SheetTower(tower.height, tower.rows) for style, tower in towers.items()})


# --- whether a table can be like this --------------------------------------------------------------------------------


def possible(sheet: Scoresheet, end: State, random: Random) -> bool | None:
    """False if players have too much, or have lost something since the Intermezzo; no count shows a table possible."""
    players, then = len(sheet.seats), sheet.intermezzo.towers if isinstance(sheet.intermezzo, Position) else {}
    if not are_sound(sheet.towers, players) or (then and not are_sound(then, players)):
        return False
    if then and not sheet.move_medium_marker and not all(can_become(then[at], sheet.towers[at]) for at in STYLES):
        return False
    return None


def are_sound(towers: dict[str, SheetTower], players: int) -> bool:
    """Whether everybody has their own rows and markers, and there are cards for every tower."""
    every = [row for tower in towers.values() for row in tower.rows]
    owned = {seat: Counter(marker for row in every if row.seat == seat for marker in row.markers) for seat in range(9)}
    return (
        all(row.seat < players and row.markers for row in every)
        and all(len({row.seat for row in tower.rows}) == len(tower.rows) for tower in towers.values())
        and all(markers <= Counter(MARKERS) for markers in owned.values())
        and all((tower.height or 0) <= 3 * copies(players) for tower in towers.values())
    )


def can_become(then: SheetTower, now: SheetTower) -> bool:
    """Whether a tower has only grown, its rows keeping their ranks and markers."""
    return (
        (then.height or 0) <= (now.height or 0)
        and [row.seat for row in then.rows] == [row.seat for row in now.rows[: len(then.rows)]]
        and all(Counter(one.markers) <= Counter(other.markers) for one, other in zip(then.rows, now.rows, strict=False))
    )
