"""The state of a game of Palazzo: its components and options."""

from typing import Annotated

import msgspec

from capomastro.engine import game as engine
from capomastro.engine.hands import Hand
from capomastro.engine.multisets import Multiset
from capomastro.games.palazzo import stages

Palace = tuple[str, ...]
"""Tiles from bottom to top."""


class Options(msgspec.Struct, frozen=True):
    """`stack_sizes`: tiles in the stacks I, II, III, without riders. `builder`: the quarry where the builder starts."""

    stack_sizes: Annotated[tuple[int, int, int], "palazzo.components.stacks"] = (16, 16, 16)
    builder: Annotated[int, "palazzo.setup.builder"] = 0


class Seat(engine.Seat, frozen=True):
    """A player's money cards, and their palaces in the order in which they were begun."""

    hand: Hand
    palaces: tuple[Palace, ...]


class State(engine.State, frozen=True, kw_only=True):
    """A game of Palazzo.

    `builder`: the quarry of the master builder; `quarries` clockwise; `riders` drawn; `removed`: tiles out of the
    game; `shuffled_in`: the cards of the deck's last shuffle, without those revealed since.
    """

    options: Options
    active_seat: int
    stage: stages.AnyStage
    seats: tuple[Seat, ...]
    builder: int
    quarries: tuple[Multiset, Multiset, Multiset, Multiset]
    supply: Multiset
    riders: int
    removed: Multiset
    discards: Multiset
    shuffled_in: Multiset | None = None
