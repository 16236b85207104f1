"""Events: what happened, for logs and displays. Play continues without them; clients never send them."""

import re
from collections.abc import Iterable
from functools import reduce
from operator import or_
from types import ModuleType
from typing import Any, TypeVar

import msgspec

from capomastro.engine.members import RuleId, SeatIndex


def kebab_case(class_name: str) -> str:
    """`TakeMoney` -> `take-money`: class name to the type of a move, a stage or an event."""
    return re.sub(r"(?<!^)(?=[A-Z])", "-", class_name).lower()


class Event(msgspec.Struct, frozen=True, gc=False, omit_defaults=True, tag=kebab_case, tag_field="type"):
    """Something that happened; the `type` says what. Types and members may be added; ignore unknown ones."""


class SeatEvent(Event, frozen=True):
    """Something that a player did, or that happened to them."""

    seat: SeatIndex
    """The player."""


class GameOver(Event, frozen=True):
    """The game has ended."""

    rule: RuleId
    """The rule that caused it."""


S = TypeVar("S")
Effect = tuple[S, list[Event]]
"""The effect of a move: the next state and the events."""


def with_earlier_events(happened: Iterable[Event], effect: Effect[S]) -> Effect[S]:
    """The effect with the events that `happened` before it in front of its own."""
    state, events = effect
    return state, [*happened, *events]


def events_in(module: ModuleType) -> Any:
    """The union of all events of a game: those in its module, in its order, and the last."""
    kinds = [kind for kind in vars(module).values() if isinstance(kind, type) and issubclass(kind, Event)]
    extended = {base for kind in kinds for base in kind.__bases__}
    return reduce(or_, (kind for kind in (*kinds, GameOver) if kind not in extended))
