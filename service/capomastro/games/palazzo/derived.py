"""Figures that follow from a state of Palazzo."""

from capomastro.engine import game as engine
from capomastro.games.palazzo.decisions import price
from capomastro.games.palazzo.scoring import palace_points
from capomastro.games.palazzo.state import State
from capomastro.games.palazzo.supplies import deck_size, stacks, tiles_shown


class Derived(engine.Derived, frozen=True):
    """`stacks`: tiles left, without riders; `deck`: cards left; `price_of_one`: of a tile from the supply.

    `palace_points`: what each player's palaces would score now, by seat.
    """

    stacks: tuple[int, int, int]
    deck: int
    price_of_one: int
    palace_points: tuple[int, ...]


def derived(state: State) -> Derived:
    return Derived(
        stacks(state, len(tiles_shown(state))),
        deck_size(state),
        price(state, 1),
        tuple([sum(map(palace_points, seat.palaces)) for seat in state.seats]),
    )
