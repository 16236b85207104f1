"""The state of a game of The Palaces of Carrara: its components and options."""

from typing import Annotated

import msgspec
from msgspec import Meta

from capomastro.engine import game as engine
from capomastro.engine.members import titled
from capomastro.engine.multisets import IN_ANY_ORDER
from capomastro.games.carrara import components as box
from capomastro.games.carrara import stages, tokens


class Options(msgspec.Struct, frozen=True):
    """The base game has no options."""


@titled("Cities of a player")
class Cities(msgspec.Struct, frozen=True, gc=False):
    """Their buildings by city."""

    livorno: tokens.Buildings
    """Their buildings in Livorno."""
    pisa: tokens.Buildings
    """Their buildings in Pisa."""
    lucca: tokens.Buildings
    """Their buildings in Lucca."""
    viareggio: tokens.Buildings
    """Their buildings in Viareggio."""
    massa: tokens.Buildings
    """Their buildings in Massa."""
    lerici: tokens.Buildings
    """Their buildings in Lerici."""


NOTHING_BUILT = Cities((), (), (), (), (), ())


class Seat(engine.Seat, frozen=True):
    """A player's components. All of them follow from public moves, so everybody may know them."""

    points: tokens.Points
    coins: Annotated[tokens.Coins, "carrara.components.coins"]
    """Their coins."""
    blocks: tokens.Blocks
    """Their blocks."""
    cities: Cities
    objects: tokens.Objects
    """Their objects."""
    scored_types: Annotated[tuple[tokens.BuildingType, ...], IN_ANY_ORDER, Meta(max_length=box.MARKERS)]
    """The types of buildings they have scored, in any order; each holds one of their six markers."""
    scored_cities: Annotated[tuple[tokens.City, ...], IN_ANY_ORDER, Meta(max_length=box.MARKERS)]
    """The cities they have scored, in any order; each holds one of their six markers."""


class Wheel(msgspec.Struct, frozen=True, gc=False, rename="upper"):
    """The blocks on the sections of the wheel."""

    i: tokens.Blocks
    """The blocks on section I."""
    ii: tokens.Blocks
    """The blocks on section II."""
    iii: tokens.Blocks
    """The blocks on section III."""
    iv: tokens.Blocks
    """The blocks on section IV."""
    v: tokens.Blocks
    """The blocks on section V."""
    vi: tokens.Blocks
    """The blocks on section VI."""


class State(engine.State, frozen=True, kw_only=True):
    """Everything on the table, and nothing that follows from it. The bag, the pile of buildings and the supply of
    objects consist of the rest of the box."""

    options: Options
    active_seat: tokens.SeatIndex
    """Whose turn it is; nobody else has decisions."""
    stage: stages.AnyStage
    seats: tokens.BySeat[Seat]
    """The players, clockwise from the start player."""
    wheel: Wheel
    face_up: tokens.Buildings
    """The buildings on the board; the space does not matter."""
    objects_for_sale: tokens.Objects
    """The objects left on the board, without the supply for scorings."""
    announced_by: tokens.SeatIndex | None = None
    """The player who announced the end of the game. Absent until somebody has."""
