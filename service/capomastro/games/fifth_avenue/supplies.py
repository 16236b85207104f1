"""Buildings and business tiles: the rest of the box, which documents do not list; and the row of tiles."""

from collections.abc import Sequence

from capomastro.engine.chance import Outcomes
from capomastro.engine.multisets import Multiset
from capomastro.games.fifth_avenue import stages
from capomastro.games.fifth_avenue.components import (
    BUILDINGS,
    BUSINESS_COUNT,
    BUSINESS_TILES,
    DUMMY,
    FIRST_BUILDINGS,
    FIRST_RESERVE,
    GROUPS,
    PLACED_AT_END,
    PLAYER_BUILDINGS,
)
from capomastro.games.fifth_avenue.lots import buildings_of, buildings_on, businesses_on
from capomastro.games.fifth_avenue.state import Seat, State

# --- buildings -------------------------------------------------------------------------------------------------------


def outside_supply(seat: Seat, built: int) -> int:
    """A player's buildings outside the common supply, `built` of them on lots."""
    return seat.reserve + seat.central_park + seat.removed + built


def common_supplies(state: State) -> tuple[int, ...]:
    """Every player's buildings in the common supply; those placed during the set-up have left it from the start."""
    if type(state.stage) in stages.SETUP:
        return (PLAYER_BUILDINGS - FIRST_BUILDINGS - FIRST_RESERVE,) * len(state.seats)
    built = buildings_on(state.districts)
    return tuple([PLAYER_BUILDINGS - outside_supply(seat, built[index]) for index, seat in enumerate(state.seats)])


def common_supply(state: State, seat: int) -> int:
    """A player's buildings in the common supply, after the set-up."""
    built = buildings_of(state.districts, seat)
    return PLAYER_BUILDINGS - outside_supply(state.seats[seat], built)


def has_dummy(state: State) -> bool:
    """With two players, the dummy takes part in the auctions."""
    return len(state.seats) == 2


def dummy_supply(state: State) -> int:
    """The buildings that the dummy has left."""
    return BUILDINGS - (state.dummy_removed or 0) - buildings_of(state.districts, DUMMY)


# --- business tiles --------------------------------------------------------------------------------------------------


def shown_businesses(state: State) -> list[str]:
    """Every tile drawn from the face-down ones, wherever it is."""
    tiles = [*businesses_on(state.districts), *state.under_central_park, *state.removed_businesses]
    for group in state.row:
        tiles += group
    tiles += state.park_tiles or ()
    if isinstance(state.stage, stages.DrawStartingLot):
        tiles.append(state.stage.business)
    return tiles


def next_businesses(state: State) -> Outcomes:
    """The next face-down tile, uniform over all unseen tiles."""
    shown = shown_businesses(state)
    unseen = {business: box - shown.count(business) for business, box in BUSINESS_TILES.items()}
    return Outcomes({business: left for business, left in unseen.items() if left > 0})


def unseen_businesses(state: State) -> int:
    """The number of face-down tiles."""
    return BUSINESS_COUNT - len(shown_businesses(state))


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
    left, groups = sum([len(group) for group in row]), GROUPS - row.count(())
    return PLACED_AT_END - (left - groups)
