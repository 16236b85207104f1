"""The stages of New Game, in the order of the rulebook.

What is to be decided, and what that depends on.
"""

from capomastro.engine.stages import GameOver, Stage
from capomastro.games.new_game.tokens import Component

# FILL IN: a stage for every decision of the rulebook, those of chance included, instead of these examples.


class ChooseAction(Stage, frozen=True):
    """A player draws a token or passes."""


class DrawToken(Stage, frozen=True):
    """Chance: a token is drawn."""


class KeepOrPutBack(Stage, frozen=True):
    """A player keeps a token or puts it back."""

    token: Component
    """The token that was drawn."""


AnyStage = ChooseAction | DrawToken | KeepOrPutBack | GameOver
