"""Stages: the points in a turn at which something is to be decided."""

from typing import Any, TypeVar

import msgspec

from capomastro.engine.events import kebab_case

StageType = TypeVar("StageType", bound="Stage")


class Stage(msgspec.Struct, frozen=True, gc=False, tag=kebab_case, tag_field="type"):
    """The point in a turn, with everything that is on the table only now. Its `type` is the kind of the decision."""


class GameOver(Stage, frozen=True):
    """The game has ended; nothing is left to decide."""


def stage_of(state: Any, kind: type[StageType]) -> StageType:
    """The stage of a state, typed: the referee asks the rules of a decision only in a stage of this `kind`."""
    stage: StageType = state.stage
    return stage


def deciding_seat(state: Any) -> int:
    """The seat that the stage names; otherwise the seat whose turn it is."""
    seat: int = getattr(state.stage, "seat", state.active_seat)
    return seat
