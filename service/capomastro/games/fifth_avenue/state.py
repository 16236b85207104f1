"""The state of a game of Fifth Avenue: its components and options."""

from typing import Annotated

import msgspec

from capomastro.engine import game as engine
from capomastro.engine.hands import Hand
from capomastro.engine.multisets import Multiset
from capomastro.games.fifth_avenue import stages
from capomastro.games.fifth_avenue.components import DISTRICTS, LOTS_OF_BOARD
from capomastro.games.fifth_avenue.lots import Districts, Ring

DEFAULT_RINGS: dict[bool, dict[str, Ring]] = {
    six_lots: dict.fromkeys(DISTRICTS, lots) for six_lots, lots in LOTS_OF_BOARD.items()
}


RowGroups = tuple[int, int, int, int, int, int, int, int]
DEFAULT_GROUPS: Annotated[RowGroups, "fifth-avenue.setup.row-groups"] = (3, 2, 3, 2, 3, 2, 3, 2)


class Options(msgspec.Struct, frozen=True):
    """`six_lots`: the other side of the board. `rings` by district; those not given are the default ring.

    `row_groups`: tiles per group of the row, from left to right.
    """

    six_lots: bool = False
    rings: dict[str, Ring] = {}
    row_groups: RowGroups = DEFAULT_GROUPS

    def __post_init__(self) -> None:
        defaults = DEFAULT_RINGS[self.six_lots]
        filled = {**defaults, **self.rings} if self.rings != defaults else defaults
        msgspec.structs.force_setattr(self, "rings", filled)


class Pile(msgspec.Struct, frozen=True, gc=False):
    """A coloured pile: its visible top, and the discards in order; the face-down cards between them follow.

    `top` is null while a new one is to be revealed, and when the pile is exhausted.
    """

    top: str | None
    discards: tuple[str, ...]


class Seat(engine.Seat, frozen=True):
    """A player's cards; buildings in reserve, in Central Park and out of the game; points before the end."""

    hand: Hand
    reserve: Annotated[int, "fifth-avenue.turn.limits"]
    central_park: int
    removed: int
    score: int


class State(engine.State, frozen=True, kw_only=True):
    """A game of Fifth Avenue.

    `districts`: null where a building stop was ordered. `commissioners` and `markers` by colour. `row`: the tiles of
    each group. `removed_businesses`, `dummy_removed` (two players only): tiles and buildings of the dummy that left the
    game. `piles`: the coloured ones. `black_discards`: the cards for the next shuffle of the black pile;
    `shuffled_in`: the cards of the last shuffle, without those turned up since. `park_tiles`: drawn from under Central
    Park at the end.
    """

    options: Options
    active_seat: int
    stage: stages.AnyStage
    seats: tuple[Seat, ...]
    districts: Districts
    commissioners: dict[str, str]
    markers: dict[str, Multiset]
    row: tuple[Multiset, Multiset, Multiset, Multiset, Multiset, Multiset, Multiset, Multiset]
    under_central_park: Multiset
    removed_businesses: Multiset
    piles: dict[str, Pile]
    black_discards: Multiset
    dummy_removed: int | None = None
    shuffled_in: Multiset | None = None
    park_tiles: Multiset | None = None
