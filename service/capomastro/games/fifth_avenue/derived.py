"""Figures that follow from a state of Fifth Avenue."""

from collections.abc import Mapping, Sequence
from typing import Annotated

from msgspec import Meta

from capomastro.engine import game as engine
from capomastro.engine.members import Keys
from capomastro.games.fifth_avenue import stages, supplies
from capomastro.games.fifth_avenue.components import (
    BUILDINGS,
    BUSINESS_COUNT,
    DISTRICTS,
    FIRST_BUILDINGS,
    FIRST_RESERVE,
    PILE_COUNT,
    PILES,
    PLACED_AT_END,
    PLAYER_BUILDINGS,
    PLAYERS,
    POINTS_BY_KINDS,
    ROW_TILES,
)
from capomastro.games.fifth_avenue.decisions import now_auctioned
from capomastro.games.fifth_avenue.scoring import totals_of_districts
from capomastro.games.fifth_avenue.state import State
from capomastro.games.fifth_avenue.tokens import BySeat, District, Pile, Place

Piles = Annotated[
    Mapping[Pile, Annotated[int, Meta(ge=0)]],
    Keys(PILES, sentence="The {} cards.", most=tuple(PILE_COUNT.values())),
    Meta(title="Piles"),
]
"""The number of face-down cards in each pile, without the visible card and the discards."""

Totals = Annotated[
    Sequence[Annotated[int, Meta(ge=0, le=PLAYER_BUILDINGS * max(POINTS_BY_KINDS))]],
    Meta(min_length=PLAYERS[0], max_length=PLAYERS[-1], title="Totals of a district"),
]
"""What a normal scoring of a district would give each player, by seat."""

DistrictTotals = Annotated[
    Mapping[District, Totals],
    Keys(DISTRICTS, required=False, sentence="The totals of {}; absent if it is closed."),
    Meta(title="Totals of the districts"),
]
"""What a normal scoring of each district would give every player; closed districts are omitted."""


class Derived(engine.Derived, frozen=True):
    """Figures derived from the state, for display. Members may be added; ignore unknown ones."""

    supplies: BySeat[Annotated[int, Meta(ge=0, le=PLAYER_BUILDINGS - FIRST_RESERVE - FIRST_BUILDINGS)]]
    """The buildings left in each player's common supply, by seat, without their reserve."""
    piles: Piles
    """The face-down cards of each pile."""
    unseen_businesses: Annotated[int, Meta(ge=BUSINESS_COUNT - len(DISTRICTS) - ROW_TILES, le=BUSINESS_COUNT)]
    """The number of business tiles not drawn; after the set-up it stays 9."""
    businesses_placed: Annotated[int, Meta(ge=0, le=PLACED_AT_END)]
    """The total number of businesses from the row that players have placed; the twelfth ends the game."""
    district_totals: DistrictTotals
    """What a normal scoring of each open district would give every player."""
    dummy_supply: Annotated[int, Meta(ge=0, le=BUILDINGS)] | None = None
    """The buildings that the dummy has left. Present with two players only."""
    auctioned: Place | None = None
    """The place being auctioned, or in which the winner may build. Present during auctions only."""


def derived(state: State) -> Derived:
    kind = type(state.stage)
    return Derived(
        supplies.common_supplies(state),
        supplies.pile_sizes(state, supplies.cards_left(state)),
        supplies.unseen_businesses(state),
        0 if kind in stages.SETUP else supplies.businesses_placed(state.row),
        totals_of_districts(state),
        supplies.dummy_supply(state) if supplies.has_dummy(state) else None,
        now_auctioned(state),
    )
