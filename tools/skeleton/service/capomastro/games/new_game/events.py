"""The events of New Game."""

from capomastro.engine.events import Event, SeatEvent

# FILL IN: everything that can happen, instead of these examples.


class Passed(SeatEvent, frozen=True):
    """A player ended the turn."""


class TokenDrawn(Event, frozen=True):
    """A token was drawn from the bag."""

    token: str


class TokenKept(SeatEvent, frozen=True):
    """A player kept a token."""

    token: str


class TokenPutBack(SeatEvent, frozen=True):
    """A player put a token back into the bag."""

    token: str


class TokenScored(SeatEvent, frozen=True):
    """Final scoring: one token."""

    rule: str
    points: int
    token: str
