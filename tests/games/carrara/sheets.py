"""Scoresheets of a played game, for the campaign `sheets`."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from capomastro.games.carrara.components import COST_OF
from capomastro.games.carrara.scoresheet import Scoresheet
from capomastro.games.carrara.state import State
from capomastro.games.carrara.supplies import buildings_of
from tests.support.playouts import Ply


def sheets(plies: Sequence[Ply], random: Random) -> Iterator[tuple[str, dict[str, Any]]]:
    """A sheet with the objects by kind, and one with their number."""
    end: State = plies[-1].after
    for detail in ("kinds", "numbers"):
        yield (
            detail,
            {
                "game": "carrara",
                "schema_version": 1,
                "seats": [
                    {
                        "points": seat.points,
                        "objects": list(seat.objects) if detail == "kinds" else len(seat.objects),
                        "costs": [COST_OF[building] for building in buildings_of(seat)],
                        "coins": seat.coins,
                        "blocks": len(seat.blocks),
                    }
                    for seat in end.seats
                ],
            },
        )


def possible(sheet: Scoresheet, end: State, random: Random) -> None:
    """Counting shows no table to be possible."""
