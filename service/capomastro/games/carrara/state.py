"""The state of a game of The Palaces of Carrara: its components and options."""

from typing import Annotated

import msgspec

from capomastro.engine import game as engine
from capomastro.engine.multisets import Multiset
from capomastro.games.carrara import stages


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


class State(engine.State, frozen=True, kw_only=True):
    """A game of The Palaces of Carrara.

    `face_up`: the buildings on the board; `objects_for_sale`: the objects on the board; `announced_by`: the seat that
    announced the end, absent until one has.
    """

    options: Options
    active_seat: int
    stage: stages.AnyStage
    seats: tuple[Seat, ...]
    wheel: Wheel
    face_up: Multiset
    objects_for_sale: Multiset
    announced_by: int | None = None
