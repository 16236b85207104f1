"""The stages of New Game, in the order of the rulebook: what is to be decided, and what that depends on."""

from capomastro.engine.decisions import GameOver, Stage

# FILL IN: a stage for every decision of the rulebook, those of chance included, instead of these examples.


class ChooseAction(Stage, frozen=True):
    """The active seat draws or passes."""


class DrawToken(Stage, frozen=True):
    """The next token of the bag."""


class KeepOrPutBack(Stage, frozen=True):
    """The active seat keeps the token that was drawn, or puts it back."""

    token: str


AnyStage = ChooseAction | DrawToken | KeepOrPutBack | GameOver
