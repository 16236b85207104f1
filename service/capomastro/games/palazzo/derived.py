"""Figures that follow from a state of Palazzo."""

from typing import Annotated

from msgspec import Meta

from capomastro.engine import game as engine
from capomastro.games.palazzo import components as box
from capomastro.games.palazzo import tokens
from capomastro.games.palazzo.decisions import price
from capomastro.games.palazzo.scoring import BEST_PALACES, SINGLE_FLOOR, points_of_palaces
from capomastro.games.palazzo.state import State
from capomastro.games.palazzo.supplies import deck_size, stacks, tiles_shown


class Derived(engine.Derived, frozen=True):
    """Figures derived from the state, for display. Members may be added; ignore unknown ones."""

    stacks: tuple[tokens.StackSize, tokens.StackSize, tokens.StackSize]
    """The tiles left in the stacks I, II and III, without riders."""
    deck: Annotated[int, Meta(ge=0, le=box.MONEY_COUNT)]
    """The money cards left in the deck."""
    price_of_one: Annotated[int, Meta(ge=0, le=box.FULL_PRICE)]
    """The price of a tile from the supply: 10 minus the number of tiles there, never below 0."""
    palace_points: tokens.BySeat[Annotated[int, Meta(ge=box.TILE_COUNT * SINGLE_FLOOR, le=BEST_PALACES)]]
    """The points that each player's palaces would score now, by seat."""


def derived(state: State) -> Derived:
    return Derived(
        stacks(state, len(tiles_shown(state))),
        deck_size(state),
        price(state, 1),
        points_of_palaces(state),
    )
