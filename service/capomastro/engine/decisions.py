"""Decisions: the stage of a game, who decides, and the rules of each kind of move.

A game is a table of decisions. Each has a *stage*, the part of the state that says what is to be decided, and either
the rules of the moves of a seat, or one rule of chance. One `MoveRule` says which moves are legal, why others are
refused, and what a move does.
"""

from collections.abc import Callable, Sequence
from typing import Annotated, Any, Generic, Literal, TypeVar

import msgspec
from msgspec import Meta

from capomastro.engine.members import SeatIndex
from capomastro.engine.rules import ChanceRule, MoveRule
from capomastro.engine.stages import Stage, deciding_seat

S = TypeVar("S")


class Decision(msgspec.Struct, frozen=True, omit_defaults=True):
    """The next decision and who makes it."""

    actor: Literal["seat", "chance", "none"]
    """A player (`seat`), chance (draws and deals), or nobody because the game is over."""
    kind: Annotated[str, Meta(examples=["raise-or-pass"])]
    """The kind of decision, which is the `type` of the state's stage."""
    seat: SeatIndex | None = None
    """The player who decides; present if the actor is a seat."""


class SeatDecision(Generic[S]):
    """A decision of a player: its stage and the rules of its moves, in the order of the rulebook.

    The seat that the stage names decides, otherwise the one whose turn it is, unless a game says who does.
    """

    actor: Literal["seat"] = "seat"

    def __init__(
        self, stage: type[Stage], rules: Sequence[MoveRule[S, Any]], seat: Callable[[S], int] | None = None
    ) -> None:
        self.stage = stage
        self.seat = seat or deciding_seat
        self.rules = {rule.move: rule for rule in rules}


class ChanceDecision(Generic[S]):
    """A decision of chance: its stage and its rule."""

    actor: Literal["chance"] = "chance"

    def __init__(self, stage: type[Stage], rule: ChanceRule[S, Any]) -> None:
        self.stage = stage
        self.rule = rule
        self.rules = {rule.move: rule}
