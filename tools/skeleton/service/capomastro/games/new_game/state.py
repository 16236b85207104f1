"""The state of a game of New Game: its components, options and stages."""

import msgspec

from capomastro.engine import game as engine
from capomastro.engine.decisions import GameOver, Stage
from capomastro.engine.multisets import Multiset


class Options(msgspec.Struct, frozen=True):
    """FILL IN: variants and choices of the set-up, each with its default."""


class Seat(engine.Seat, frozen=True):
    """FILL IN: the components of a player, instead of this example; secret cards are a `hand` (`engine/hands.py`)."""

    tokens: Multiset


# --- stages ----------------------------------------------------------------------------------------------------------

# FILL IN: a stage for every decision of the rulebook, those of chance included, instead of these examples.


class ChooseAction(Stage, frozen=True):
    """The active seat draws or passes."""


class DrawToken(Stage, frozen=True):
    """The next token of the bag."""


class KeepOrPutBack(Stage, frozen=True):
    """The active seat keeps the token that was drawn, or puts it back."""

    token: str


Stages = ChooseAction | DrawToken | KeepOrPutBack | GameOver


class State(engine.State, frozen=True, kw_only=True):
    """FILL IN: everything on the table, and nothing that follows from it."""

    options: Options
    active_seat: int
    stage: Stages
    seats: tuple[Seat, ...]
