"""The state of a game of Campanile: its components, options and stages."""

from typing import Annotated

import msgspec

from capomastro.engine import game as engine
from capomastro.engine.decisions import GameOver, Stage
from capomastro.engine.hands import Hand
from capomastro.engine.multisets import IN_ANY_ORDER, Multiset
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


# --- stages ----------------------------------------------------------------------------------------------------------


class DealCard(Stage, frozen=True):
    """Set-up: the next card for the first seat with fewer than three."""


class RevealSetupCard(Stage, frozen=True):
    """Set-up: the next card of the display."""


class PlayCard(Stage, frozen=True):
    """A: the active seat plays a card on its tower."""


class PlaceMarker(Stage, frozen=True):
    """B: the active seat may place a marker; `floors` were just added."""

    floors: int


class TakeCard(Stage, frozen=True):
    """C: the active seat takes a card from the display."""


class RefillDisplay(Stage, frozen=True):
    """C: the next card of the deck."""


Stages = DealCard | RevealSetupCard | PlayCard | PlaceMarker | TakeCard | RefillDisplay | GameOver


class State(engine.State, frozen=True, kw_only=True):
    """A game of Campanile.

    `towers` by style; `display`: the face-up cards; `intermezzo_seen`: whether the first scoring has taken place.
    """

    options: SettledOptions
    active_seat: int
    stage: Stages
    seats: tuple[Seat, ...]
    towers: dict[str, Tower]
    display: Multiset
    intermezzo_seen: bool
