"""Figures that follow from a state of The Palaces of Carrara."""

from collections.abc import Mapping

import msgspec

from capomastro.engine import game as engine
from capomastro.games.carrara.components import MARKERS
from capomastro.games.carrara.decisions import objectives
from capomastro.games.carrara.state import State
from capomastro.games.carrara.supplies import bag, markers_used, object_supplies, pile_size


class Objective(msgspec.Struct, frozen=True, gc=False):
    """The current number and the one needed; the objective is met if there is at least as much as needed."""

    there: int
    needed: int


class Objectives(msgspec.Struct, frozen=True, gc=False):
    """A player's progress towards the three objectives for announcing the end."""

    scorings: Objective
    objects: Objective
    cost: Objective


class Derived(engine.Derived, frozen=True):
    """`bag`: the blocks left by colour; `pile`: face-down buildings; `object_supply`: objects for scorings, by kind.

    By seat: scoring `markers` left, and `objectives`.
    """

    bag: Mapping[str, int]
    pile: int
    object_supply: Mapping[str, int]
    markers: tuple[int, ...]
    objectives: tuple[Objectives, ...]


def derived(state: State) -> Derived:
    return Derived(
        bag(state),
        pile_size(state),
        object_supplies(state),
        tuple([MARKERS - markers_used(seat) for seat in state.seats]),
        tuple([objectives_of(state, index) for index in range(len(state.seats))]),
    )


def objectives_of(state: State, index: int) -> Objectives:
    numbers = objectives(state, index)
    return Objectives(
        Objective(numbers["scorings"], numbers["scorings_needed"]),
        Objective(numbers["objects"], numbers["objects_needed"]),
        Objective(numbers["cost"], numbers["cost_needed"]),
    )
