"""The moves of New Game."""

from capomastro.engine.moves import ChanceMove, SeatMove
from capomastro.games.new_game.tokens import Component

# FILL IN: every kind of move of the rulebook, instead of these examples.


class Draw(SeatMove, frozen=True):
    """A player draws a token."""


class Pass(SeatMove, frozen=True):
    """A player ends the turn."""


class DrawToken(ChanceMove, frozen=True):
    """Chance: a token comes out of the bag."""

    token: Component
    """The token."""


class Keep(SeatMove, frozen=True):
    """A player keeps the token."""


class PutBack(SeatMove, frozen=True):
    """A player puts the token back."""
