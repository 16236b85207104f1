"""The state of a game of Campanile: its components and options."""

from typing import Annotated

import msgspec
from msgspec import Meta

from capomastro.engine import game as engine
from capomastro.engine import hands
from capomastro.engine.hands import DECK, HandOf
from capomastro.engine.members import BySeat, Keys, SeatIndex, settled, titled
from capomastro.engine.multisets import IN_ANY_ORDER
from capomastro.games.campanile import components as box
from capomastro.games.campanile import stages
from capomastro.games.campanile.tokens import Card, MoveMediumMarker, PointTokens, Rows, Style, TowerOrder

LAST_INTERMEZZO = max(box.cards_after_dealing(players) for players in box.PLAYERS) - box.LAST_CARDS
HIGHEST = box.COPIES * max(box.FLOORS)

IntermezzoAfter = Annotated[int, Meta(ge=box.FIRST_INTERMEZZO, le=LAST_INTERMEZZO)]


class Options(msgspec.Struct, frozen=True):
    """Choices before the game. Omitted options have defaults; answers contain every option."""

    tower_order: TowerOrder = box.STYLES
    intermezzo_after: IntermezzoAfter | msgspec.UnsetType | None = msgspec.UNSET
    """The number of tower cards above the Intermezzo, including the three of the first display: at least 3, at most 14,
    41, 38 or 35 with two, three, four or five players; null if nobody knows. The default is half of the cards left
    after dealing, rounded down: 12, 25, 24, 22."""
    move_medium_marker: MoveMediumMarker = False


@settled(Options)
@titled("Options in a state", "options")
class SettledOptions(msgspec.Struct, frozen=True):
    """All options of this game."""

    tower_order: TowerOrder
    intermezzo_after: IntermezzoAfter | None
    move_medium_marker: MoveMediumMarker


class Tower(msgspec.Struct, frozen=True, gc=False):
    """A tower and the influence under it."""

    height: Annotated[int, Meta(ge=0, le=HIGHEST)]
    """Its number of floors; the base card adds none."""
    cards: Annotated[int, Meta(ge=0, le=box.COPIES)]
    """The tower cards in it, without the base card."""
    rows: Rows


Hand = Annotated[hands.Hand, HandOf(Card, piles=(DECK,)), Meta(title="Hand of tower cards")]
"""A player's tower cards, by who knows them: those taken from the display are open. Unknown ones are counted under the
pile `deck`."""


class Seat(engine.Seat, frozen=True):
    """A player's components. The markers they have yet to place are those under no tower."""

    hand: Hand
    tokens: PointTokens
    """The tokens they won at the Intermezzo; those from the Finito are in the result only."""


class State(engine.State, frozen=True, kw_only=True):
    """Everything on the table and in the hands, and nothing that follows from it. The deck consists of the rest of the
    box."""

    options: SettledOptions
    active_seat: SeatIndex
    """Whose turn it is."""
    stage: stages.AnyStage
    seats: BySeat[Seat]
    """The players, clockwise from the first."""
    towers: Annotated[dict[Style, Tower], Keys(box.STYLES)]
    """The five towers, by style."""
    display: Annotated[tuple[Card, ...], IN_ANY_ORDER, Meta(max_length=box.DISPLAY_SIZE)]
    """The face-up cards, in any order; sorted in answers."""
    intermezzo_seen: bool
    """Whether the Intermezzo has been revealed and the first scoring has taken place."""
