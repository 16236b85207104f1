"""The state of a game of Palazzo: its components and options."""

from typing import Annotated

import msgspec
from msgspec import Meta

from capomastro.engine import game as engine
from capomastro.engine import hands
from capomastro.engine.hands import DECK, HandOf
from capomastro.games.palazzo import components as box
from capomastro.games.palazzo import stages, tokens


class Options(msgspec.Struct, frozen=True):
    """Choices before the game. Omitted options have defaults; answers contain every option."""

    stack_sizes: Annotated[tuple[tokens.StackSize, tokens.StackSize, tokens.StackSize], "palazzo.components.stacks"] = (
        16,
        16,
        16,
    )
    """The number of tiles in the stacks I, II and III, without riders: 48 in total, at least 5 in the first."""
    builder: Annotated[tokens.QuarryIndex, "palazzo.setup.builder"] = 0
    """The quarry where the master builder starts."""


Hand = Annotated[hands.Hand, HandOf(tokens.Card, piles=(DECK,)), Meta(title="Hand of money cards")]
"""A player's money cards, by who knows them. Unknown ones are counted under the pile `deck`."""


class Seat(engine.Seat, frozen=True):
    """A player's components."""

    hand: Hand
    palaces: Annotated[tuple[tokens.Palace, ...], Meta(max_length=box.TILE_COUNT)]
    """Their palaces, in the order in which they were begun."""


class State(engine.State, frozen=True, kw_only=True):
    """Everything on the table and in the hands, and nothing that follows from it. The stacks and the deck consist of
    the rest of the box."""

    options: Options
    active_seat: tokens.SeatIndex
    """Whose turn it is; in an auction or a distribution others decide too."""
    stage: stages.AnyStage
    seats: tokens.BySeat[Seat]
    """The players, clockwise from the first."""
    builder: tokens.QuarryIndex
    """The quarry of the master builder."""
    quarries: tuple[tokens.Tiles, tokens.Tiles, tokens.Tiles, tokens.Tiles]
    """The tiles on the four quarries, clockwise."""
    supply: tokens.Tiles
    """The tiles on the material supply."""
    riders: Annotated[int, Meta(ge=0, le=box.RIDERS)]
    """The number of riders drawn; the fifth ends the game."""
    removed: tokens.Tiles
    """The tiles removed from the game."""
    discards: tokens.Cards
    """The money cards on the discard pile."""
    shuffled_in: tokens.Cards | None = None
    """The cards of the deck's last shuffle, without those revealed since, but with those dealt into hands. Absent
    before the first shuffle."""
