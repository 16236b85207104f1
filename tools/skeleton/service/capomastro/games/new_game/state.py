"""The state of a game of New Game: its components and options."""

import msgspec

from capomastro.engine import game as engine
from capomastro.games.new_game import stages
from capomastro.games.new_game.tokens import BySeat, SeatIndex, Tokens


class Options(msgspec.Struct, frozen=True):
    """FILL IN: what can be chosen before a game. Omitted options have their defaults."""


class Seat(engine.Seat, frozen=True):
    """FILL IN: the components of a player."""

    tokens: Tokens
    """The tokens that were kept."""


class State(engine.State, frozen=True, kw_only=True):
    """FILL IN: everything on the table and in the hands, and nothing that follows from it."""

    options: Options
    active_seat: SeatIndex
    """Whose turn it is."""
    stage: stages.AnyStage
    seats: BySeat[Seat]
    """The players, clockwise from the first."""
