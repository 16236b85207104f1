"""Figures that follow from a state of Campanile."""

from typing import Annotated

import msgspec
from msgspec import Meta

from capomastro.engine import game as engine
from capomastro.engine.members import BySeat, titled
from capomastro.games.campanile import components as box
from capomastro.games.campanile import tokens
from capomastro.games.campanile.deck import deck
from capomastro.games.campanile.rows import markers_by_seat
from capomastro.games.campanile.scoring import ranking
from capomastro.games.campanile.state import State


@titled("Markers left", "markers")
class MarkersLeft(msgspec.Struct, frozen=True, gc=False):
    """The number of influence markers of each size that a player has yet to place."""

    small: Annotated[int, Meta(ge=0, le=box.MARKERS["small"])]
    """The small ones, worth 1."""
    medium: Annotated[int, Meta(ge=0, le=box.MARKERS["medium"])]
    """The medium ones, worth 2."""
    large: Annotated[int, Meta(ge=0, le=box.MARKERS["large"])]
    """The large one, worth 3."""


class Derived(engine.Derived, frozen=True):
    """Figures derived from the state, for display. Members may be added; ignore unknown ones."""

    deck: Annotated[int, Meta(ge=0, le=tokens.CARD_COUNT)]
    """The tower cards left in the deck, without the Intermezzo and the Finito."""
    tower_ranks: tokens.EveryStyle
    """The towers from the highest to the lowest; of two equally high ones, the one nearer to the display comes
    first."""
    markers_left: BySeat[MarkersLeft]
    """The influence markers that each player has yet to place, by seat."""
    intermezzo_points: BySeat[Annotated[int, Meta(ge=0, le=sum(tokens.FIRST_SCORING))]]
    """The value of each player's tokens from the Intermezzo, by seat; 0 before it."""


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
        [MarkersLeft(*[owned - placed.count(size) for size, owned in box.MARKERS.items()]) for placed in placed_by_seat]
    )
