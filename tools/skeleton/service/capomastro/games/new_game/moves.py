"""The moves of New Game."""

from capomastro.engine.decisions import ChanceMove, SeatMove

# FILL IN: every kind of move of the rulebook, instead of these examples.


class Draw(SeatMove, frozen=True):
    """Draws a token."""


class Pass(SeatMove, frozen=True):
    """Ends the turn."""


class DrawToken(ChanceMove, frozen=True):
    """Draws a token from the bag."""

    token: str


class Keep(SeatMove, frozen=True):
    """Keeps the token."""


class PutBack(SeatMove, frozen=True):
    """Puts the token back into the bag."""
