"""Figures that follow from a state of New Game."""

from typing import Annotated

from msgspec import Meta

from capomastro.engine import game as engine
from capomastro.games.new_game.components import TOKENS
from capomastro.games.new_game.state import State
from capomastro.games.new_game.supplies import bag


class Derived(engine.Derived, frozen=True):
    """FILL IN: what follows from a state and is worth showing. Members can be added; ignore unknown ones."""

    bag: Annotated[int, Meta(ge=0, le=sum(TOKENS.values()))]
    """The tokens left in the bag."""


def derived(state: State) -> Derived:
    return Derived(bag(state).size)
