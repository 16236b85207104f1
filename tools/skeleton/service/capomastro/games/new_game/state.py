"""The state of a game of New Game: its components and options."""

import msgspec

from capomastro.engine import game as engine
from capomastro.engine.multisets import Multiset
from capomastro.games.new_game import stages


class Options(msgspec.Struct, frozen=True):
    """FILL IN: variants and choices of the set-up, each with its default."""


class Seat(engine.Seat, frozen=True):
    """FILL IN: the components of a player, instead of this example; secret cards are a `hand` (`engine/hands.py`)."""

    tokens: Multiset


class State(engine.State, frozen=True, kw_only=True):
    """FILL IN: everything on the table, and nothing that follows from it."""

    options: Options
    active_seat: int
    stage: stages.AnyStage
    seats: tuple[Seat, ...]
