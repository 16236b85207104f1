"""Figures that follow from a state of Campanile."""

from functools import lru_cache

import msgspec

from capomastro.engine import game as engine
from capomastro.games.campanile.components import MARKERS
from capomastro.games.campanile.deck import deck_size
from capomastro.games.campanile.rows import Rows, markers_by_seat
from capomastro.games.campanile.scoring import ranking
from capomastro.games.campanile.state import State


class MarkersLeft(msgspec.Struct, frozen=True, gc=False):
    """The number of influence markers of each size that a player has yet to place."""

    small: int
    medium: int
    large: int


class Derived(engine.Derived, frozen=True):
    """`deck`: tower cards left; `tower_ranks`: the towers from the highest to the lowest.

    By seat: `markers_left` to place, and `intermezzo_points`, the value of the tokens from the Intermezzo.
    """

    deck: int
    tower_ranks: tuple[str, ...]
    markers_left: tuple[MarkersLeft, ...]
    intermezzo_points: tuple[int, ...]


def derived(state: State) -> Derived:
    rows = tuple([tower.rows for tower in state.towers.values()])
    return Derived(
        deck_size(state),
        tuple(ranking(state.options.tower_order, state.towers)),
        markers_left(rows, len(state.seats)),
        tuple([sum(seat.tokens) for seat in state.seats]),
    )


@lru_cache(maxsize=1024)
def markers_left(all_rows: tuple[Rows, ...], players: int) -> tuple[MarkersLeft, ...]:
    """By seat; remembered, since the rows under the towers stay the same for many moves."""
    placed = markers_by_seat(all_rows, players)
    return tuple([MarkersLeft(*[owned - mine.count(size) for size, owned in MARKERS.items()]) for mine in placed])
