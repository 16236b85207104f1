"""The state of a game of Campanile: its components and options."""

from typing import Annotated

import msgspec

from capomastro.engine import game as engine
from capomastro.engine.hands import Hand
from capomastro.engine.multisets import IN_ANY_ORDER, Multiset
from capomastro.games.campanile import stages
from capomastro.games.campanile.components import STYLES

Tokens = Annotated[tuple[int, ...], IN_ANY_ORDER]
"""Victory-point tokens, by value."""


class Options(msgspec.Struct, frozen=True):
    """The options as submitted.

    `tower_order`: the towers from the display on. `intermezzo_after`: the number of tower cards above the Intermezzo,
    including those of the display; None if unknown; half of the cards, rounded down, if absent.
    """

    tower_order: tuple[str, ...] = STYLES
    intermezzo_after: int | msgspec.UnsetType | None = msgspec.UNSET
    move_medium_marker: bool = False


class SettledOptions(msgspec.Struct, frozen=True):
    """The options of a game, with defaults filled in."""

    tower_order: tuple[str, ...]
    intermezzo_after: int | None
    move_medium_marker: bool


class Row(msgspec.Struct, frozen=True):
    """A player's influence markers under one tower."""

    seat: int
    markers: Multiset


class Tower(msgspec.Struct, frozen=True):
    """`height` in floors; the tower cards in it; the rows under it, by rank."""

    height: int
    cards: int
    rows: tuple[Row, ...]


class Seat(engine.Seat, frozen=True):
    """A player's cards, and the tokens won at the Intermezzo."""

    hand: Hand
    tokens: Tokens


class State(engine.State, frozen=True, kw_only=True):
    """A game of Campanile.

    `towers` by style; `display`: the face-up cards; `intermezzo_seen`: whether the first scoring has taken place.
    """

    options: SettledOptions
    active_seat: int
    stage: stages.AnyStage
    seats: tuple[Seat, ...]
    towers: dict[str, Tower]
    display: Multiset
    intermezzo_seen: bool
