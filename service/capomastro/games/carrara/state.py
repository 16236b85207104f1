"""The state of a game of The Palaces of Carrara: its components and stages."""

from typing import Annotated

import msgspec

from capomastro.engine import game as engine
from capomastro.engine.decisions import GameOver, Stage
from capomastro.engine.multisets import Multiset


class Options(msgspec.Struct, frozen=True):
    """The base game has no options."""


class Cities(msgspec.Struct, frozen=True):
    """The buildings of a player by city, in the order of the board."""

    livorno: Multiset
    pisa: Multiset
    lucca: Multiset
    viareggio: Multiset
    massa: Multiset
    lerici: Multiset


NOTHING_BUILT = Cities((), (), (), (), (), ())


class Seat(engine.Seat, frozen=True):
    """A player's components. `points`: on the track; `scored_types`, `scored_cities`: the places of their markers."""

    points: int
    coins: Annotated[int, "carrara.components.coins"]
    blocks: Multiset
    cities: Cities
    objects: Multiset
    scored_types: Multiset
    scored_cities: Multiset


class Wheel(msgspec.Struct, frozen=True, rename="upper"):
    """The blocks on the sections I to VI."""

    i: Multiset
    ii: Multiset
    iii: Multiset
    iv: Multiset
    v: Multiset
    vi: Multiset


# --- stages, in the order of a turn ----------------------------------------------------------------------------------


class RevealSetupBuilding(Stage, frozen=True):
    """Set-up: the next building for the board."""


class ChooseAction(Stage, frozen=True):
    """The active seat buys blocks, builds or scores; before that, it may announce the end."""


class DrawBlock(Stage, frozen=True):
    """Buy blocks: the next block for section I of the wheel."""


class BuyBlocks(Stage, frozen=True):
    """Buy blocks: the active seat buys from one section."""


class RevealBuilding(Stage, frozen=True):
    """Build: the next building for the empty space of the board."""


class BuyObject(Stage, frozen=True):
    """After the action: the active seat may buy one object."""


class AnnounceOrEndTurn(Stage, frozen=True):
    """At the end of its turn: the active seat may announce the end of the game."""


Stages = (
    RevealSetupBuilding
    | ChooseAction
    | DrawBlock
    | BuyBlocks
    | RevealBuilding
    | BuyObject
    | AnnounceOrEndTurn
    | GameOver
)


class State(engine.State, frozen=True, kw_only=True):
    """A game of The Palaces of Carrara.

    `face_up`: the buildings on the board; `objects_for_sale`: the objects on the board; `announced_by`: the seat that
    announced the end, absent until one has.
    """

    options: Options
    active_seat: int
    stage: Stages
    seats: tuple[Seat, ...]
    wheel: Wheel
    face_up: Multiset
    objects_for_sale: Multiset
    announced_by: int | None = None
