"""Figures that follow from a state of New Game."""

from capomastro.engine import game as engine
from capomastro.games.new_game.state import State
from capomastro.games.new_game.supplies import bag


class Derived(engine.Derived, frozen=True):
    """FILL IN: figures that follow from the state and are worth showing."""

    bag: int


def derived(state: State) -> Derived:
    return Derived(bag(state).size)
