"""Figures that follow from a state of The Palaces of Carrara."""

from collections.abc import Mapping
from typing import Annotated

import msgspec
from msgspec import Meta

from capomastro.engine import game as engine
from capomastro.engine.members import Keys, titled
from capomastro.games.carrara import components as box
from capomastro.games.carrara import tokens
from capomastro.games.carrara.decisions import objectives
from capomastro.games.carrara.state import State
from capomastro.games.carrara.supplies import bag, markers_used, object_supplies, pile_size

NEEDED = [box.SCORINGS_NEEDED, *box.OBJECTS_NEEDED.values(), *box.COST_NEEDED.values()]

Bag = Annotated[
    Mapping[tokens.Block, Annotated[int, Meta(ge=0, le=max(box.BLOCKS.values()))]],
    Keys(tuple(box.BLOCKS), sentence="The {} ones."),
    Meta(title="Bag"),
]
"""The number of blocks of each colour in the bag."""

ObjectSupply = Annotated[
    Mapping[tokens.Object, Annotated[int, Meta(ge=0, le=max(box.OBJECTS.values()) - 1)]],
    Keys(tuple(box.OBJECTS), sentence="The objects of the kind {}."),
    Meta(title="Supply of objects"),
]
"""The number of objects of each kind that scorings can still give, without those for sale."""


class Objective(msgspec.Struct, frozen=True, gc=False):
    """The progress towards an objective, which is met if it reaches the number needed."""

    progress: Annotated[int, Meta(ge=0, le=sum(box.COST_OF.values()))]
    """The current number."""
    needed: Annotated[int, Meta(ge=min(NEEDED), le=max(NEEDED))]
    """The number needed."""


@titled("Objectives of a player")
class Objectives(msgspec.Struct, frozen=True, gc=False):
    """A player's progress towards the three objectives."""

    scorings: Objective
    """Their scorings; 4 are needed."""
    objects: Objective
    """Their objects; 8, 7 or 6 are needed with 2, 3 or 4 players."""
    cost: Objective
    """The total cost of their buildings; 30, 25 or 20 is needed with 2, 3 or 4 players."""


class Derived(engine.Derived, frozen=True):
    """Figures derived from the state, for display. Members may be added; ignore unknown ones."""

    bag: Bag
    """The blocks left in the bag, by colour."""
    pile: Annotated[int, Meta(ge=0, le=box.BUILDING_COUNT)]
    """The buildings left face down."""
    object_supply: ObjectSupply
    """The objects left for scorings, by kind."""
    markers: tokens.BySeat[Annotated[int, Meta(ge=0, le=box.MARKERS)]]
    """The scoring markers that each player has left, by seat."""
    objectives: tokens.BySeat[Objectives]
    """Each player's progress towards the three objectives, by seat: a player who has met all can announce the end."""


def derived(state: State) -> Derived:
    return Derived(
        bag(state),
        pile_size(state),
        object_supplies(state),
        tuple([box.MARKERS - markers_used(seat) for seat in state.seats]),
        tuple([objectives_of(state, index) for index in range(len(state.seats))]),
    )


def objectives_of(state: State, index: int) -> Objectives:
    numbers = objectives(state, index)
    return Objectives(*[Objective(numbers[name], numbers[f"{name}_needed"]) for name in Objectives.__struct_fields__])
