"""Buildings and business tiles: the rest of the box, which documents do not list; and the row of tiles."""

from collections.abc import Sequence
from itertools import chain

from capomastro.engine.chance import Outcomes
from capomastro.engine.multisets import Multiset
from capomastro.games.fifth_avenue import stages
from capomastro.games.fifth_avenue.components import (
    BUSINESS_COUNT,
    BUSINESS_TILES,
    FIRST_BUILDINGS,
    FIRST_RESERVE,
    GROUPS,
    PLACED_AT_END,
    PLAYER_BUILDINGS,
)
from capomastro.games.fifth_avenue.state import Seat, State

# --- buildings -------------------------------------------------------------------------------------------------------


def common_supply(state: State, seat: int) -> int:
    """A player's buildings in the common supply, after the set-up."""
    return PLAYER_BUILDINGS - outside_supply(state.seats[seat], state.districts.buildings_of(seat))


def common_supplies(state: State) -> tuple[int, ...]:
    """Every player's buildings in the common supply; those placed during the set-up have left it from the start."""
    if type(state.stage) in stages.SETUP:
        return (PLAYER_BUILDINGS - FIRST_BUILDINGS - FIRST_RESERVE,) * len(state.seats)
    built = state.districts.buildings
    return tuple([PLAYER_BUILDINGS - outside_supply(seat, built[index]) for index, seat in enumerate(state.seats)])


def outside_supply(seat: Seat, built: int) -> int:
    """A player's buildings outside the common supply, `built` of them on lots."""
    return seat.reserve + seat.central_park + seat.removed + built


# --- business tiles --------------------------------------------------------------------------------------------------


def businesses_shown(state: State) -> list[str]:
    """Every tile drawn from the face-down ones, wherever it is."""
    in_row = chain.from_iterable(state.row)
    tiles = [*state.districts.businesses, *in_row, *state.under_central_park, *state.removed_businesses]
    if state.park_tiles:
        tiles += state.park_tiles
    if isinstance(state.stage, stages.DrawStartingLot):
        tiles.append(state.stage.business)
    return tiles


def next_businesses(state: State) -> Outcomes:
    """The next face-down tile, uniform over all unseen tiles."""
    shown = businesses_shown(state).count
    return Outcomes({business: left for business, box in BUSINESS_TILES.items() if (left := box - shown(business)) > 0})


def unseen_businesses(state: State) -> int:
    """The number of face-down tiles; counts the same places as `businesses_shown`."""
    in_row = sum(map(len, state.row))
    taken = len(state.under_central_park) + len(state.removed_businesses) + len(state.park_tiles or ())
    drawn = isinstance(state.stage, stages.DrawStartingLot)
    return BUSINESS_COUNT - len(state.districts.businesses) - in_row - taken - drawn


# --- the row ---------------------------------------------------------------------------------------------------------


def group_to_fill(state: State) -> int:
    """The first group that lacks tiles."""
    full = [len(tiles) == size for tiles, size in zip(state.row, state.options.row_groups, strict=True)]
    return full.index(False)


def active_group(state: State) -> int:
    """The leftmost group with tiles: those to the left of it are used up."""
    return state.row.count(())


def businesses_placed(row: Sequence[Multiset]) -> int:
    """The number of tiles from the row that players have placed: all but the last one of each group."""
    left, groups = sum(map(len, row)), GROUPS - row.count(())
    return PLACED_AT_END - (left - groups)
