"""The events of New Game."""

from capomastro.engine.events import Event, SeatEvent
from capomastro.engine.members import RuleId
from capomastro.engine.results import Points
from capomastro.games.new_game.tokens import Component

# FILL IN: everything that can happen, instead of these examples.


class Passed(SeatEvent, frozen=True):
    """A player ended the turn."""


class TokenDrawn(Event, frozen=True):
    """A token came out of the bag."""

    token: Component
    """The token."""


class TokenKept(SeatEvent, frozen=True):
    """A player kept a token."""

    token: Component
    """The token."""


class TokenPutBack(SeatEvent, frozen=True):
    """A token went back into the bag."""

    token: Component
    """The token."""


class TokenScored(SeatEvent, frozen=True):
    """Final scoring: a token."""

    rule: RuleId
    """The rule that gives the points."""
    points: Points
    """The points; negative if they are lost."""
    token: Component
    """The token."""
