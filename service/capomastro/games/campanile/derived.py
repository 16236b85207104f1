"""Figures that follow from a state of Campanile."""

import msgspec

from capomastro.engine import game as engine
from capomastro.games.campanile.components import MARKERS
from capomastro.games.campanile.deck import deck
from capomastro.games.campanile.rows import markers_by_seat
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
    return Derived(
        deck(state).size,
        tuple(ranking(state.options.tower_order, state.towers)),
        markers_left(state),
        tuple([sum(seat.tokens) for seat in state.seats]),
    )


def markers_left(state: State) -> tuple[MarkersLeft, ...]:
    """By seat."""
    placed_by_seat = markers_by_seat([tower.rows for tower in state.towers.values()], len(state.seats))
    return tuple(
        [MarkersLeft(*[owned - placed.count(size) for size, owned in MARKERS.items()]) for placed in placed_by_seat]
    )
