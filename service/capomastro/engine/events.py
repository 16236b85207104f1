"""Events: what happened, for logs and displays. They are not needed to play on, and never come back."""

import re
from functools import reduce
from operator import or_
from types import ModuleType
from typing import Any

import msgspec


def kebab_case(class_name: str) -> str:
    """`TakeMoney` -> `take-money`: the type of a move, a stage or an event is the name of its class."""
    return re.sub(r"(?<!^)(?=[A-Z])", "-", class_name).lower()


class Event(msgspec.Struct, frozen=True, gc=False, omit_defaults=True, tag=kebab_case, tag_field="type"):
    """What happened. Its type is the name of its class in kebab case.

    `rule` is the rule by which it happened. `points` are points scored by `seat`, always by a `rule`. A member that is
    None by default is left out where it says nothing.
    """


class SeatEvent(Event, frozen=True):
    """What a player did, or what happened to one."""

    seat: int


def events_in(module: ModuleType) -> Any:
    """The union of all events of a module, in its order."""
    kinds = [one for one in vars(module).values() if isinstance(one, type) and one.__module__ == module.__name__]
    return reduce(or_, (kind for kind in kinds if issubclass(kind, Event)))
