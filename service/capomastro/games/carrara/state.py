"""The state of a game of The Palaces of Carrara: its components and options."""

from typing import Annotated

import msgspec
from msgspec import Meta

from capomastro.engine import game as engine
from capomastro.engine.members import titled
from capomastro.engine.multisets import IN_ANY_ORDER
from capomastro.games.carrara import stages
from capomastro.games.carrara.components import MARKERS
from capomastro.games.carrara.tokens import (
    Blocks,
    Buildings,
    BuildingType,
    BySeat,
    City,
    Coins,
    Objects,
    Points,
    SeatIndex,
)


class Options(msgspec.Struct, frozen=True):
    """The base game has no options."""


@titled("Cities of a player")
class Cities(msgspec.Struct, frozen=True):
    """Their buildings by city."""

    livorno: Buildings
    """Their buildings in Livorno."""
    pisa: Buildings
    """Their buildings in Pisa."""
    lucca: Buildings
    """Their buildings in Lucca."""
    viareggio: Buildings
    """Their buildings in Viareggio."""
    massa: Buildings
    """Their buildings in Massa."""
    lerici: Buildings
    """Their buildings in Lerici."""


NOTHING_BUILT = Cities((), (), (), (), (), ())


class Seat(engine.Seat, frozen=True):
    """A player's components. All of them follow from public moves, so everybody may know them."""

    points: Points
    coins: Annotated[Coins, "carrara.components.coins"]
    """Their coins."""
    blocks: Blocks
    """Their blocks."""
    cities: Cities
    objects: Objects
    """Their objects."""
    scored_types: Annotated[tuple[BuildingType, ...], IN_ANY_ORDER, Meta(max_length=MARKERS)]
    """The types of buildings they have scored, in any order; each holds one of their six markers."""
    scored_cities: Annotated[tuple[City, ...], IN_ANY_ORDER, Meta(max_length=MARKERS)]
    """The cities they have scored, in any order; each holds one of their six markers."""


class Wheel(msgspec.Struct, frozen=True, rename="upper"):
    """The blocks on the sections of the wheel."""

    i: Blocks
    """The blocks on section I."""
    ii: Blocks
    """The blocks on section II."""
    iii: Blocks
    """The blocks on section III."""
    iv: Blocks
    """The blocks on section IV."""
    v: Blocks
    """The blocks on section V."""
    vi: Blocks
    """The blocks on section VI."""


class State(engine.State, frozen=True, kw_only=True):
    """Everything on the table, and nothing that follows from it. The bag, the pile of buildings and the supply of
    objects consist of the rest of the box."""

    options: Options
    active_seat: SeatIndex
    """Whose turn it is; nobody else has decisions."""
    stage: stages.AnyStage
    seats: BySeat[Seat]
    """The players, clockwise from the start player."""
    wheel: Wheel
    face_up: Buildings
    """The buildings on the board; the space does not matter."""
    objects_for_sale: Objects
    """The objects left on the board, without the supply for scorings."""
    announced_by: SeatIndex | None = None
    """The player who announced the end of the game. Absent until somebody has."""
