"""Figures that follow from a state of Fifth Avenue."""

from collections.abc import Mapping, Sequence
from typing import Annotated

from msgspec import Meta

from capomastro.engine import game as engine
from capomastro.engine.members import Keys
from capomastro.games.fifth_avenue import components as box
from capomastro.games.fifth_avenue import stages, supplies, tokens
from capomastro.games.fifth_avenue.decisions import now_auctioned
from capomastro.games.fifth_avenue.scoring import totals_of_seats
from capomastro.games.fifth_avenue.state import State

Piles = Annotated[
    Mapping[tokens.Pile, Annotated[int, Meta(ge=0)]],
    Keys(box.PILES, sentence="The {} cards.", most=tuple(box.PILE_COUNT.values())),
    Meta(title="Piles"),
]
"""The number of face-down cards in each pile, without the visible card and the discards."""

Totals = Annotated[
    Sequence[Annotated[int, Meta(ge=0, le=box.PLAYER_BUILDINGS * max(box.POINTS_BY_KINDS))]],
    Meta(min_length=box.PLAYERS[0], max_length=box.PLAYERS[-1], title="Totals of a district"),
]
"""What a normal scoring of a district would give each player, by seat."""

DistrictTotals = Annotated[
    Mapping[tokens.District, Totals],
    Keys(box.DISTRICTS, required=False, sentence="The totals of {}; absent if it is closed."),
    Meta(title="Totals of the districts"),
]
"""What a normal scoring of each district would give every player; closed districts are omitted."""


class Derived(engine.Derived, frozen=True):
    """Figures derived from the state, for display. Members may be added; ignore unknown ones."""

    supplies: tokens.BySeat[Annotated[int, Meta(ge=0, le=box.COMMON_SUPPLY)]]
    """The buildings left in each player's common supply, by seat, without their reserve."""
    piles: Piles
    """The face-down cards of each pile."""
    unseen_businesses: Annotated[int, Meta(ge=box.NEVER_DRAWN, le=box.BUSINESS_COUNT)]
    """The number of business tiles not drawn; after the set-up it stays 9."""
    businesses_placed: Annotated[int, Meta(ge=0, le=box.PLACED_AT_END)]
    """The total number of businesses from the row that players have placed; the twelfth ends the game."""
    district_totals: DistrictTotals
    """What a normal scoring of each open district would give every player."""
    dummy_supply: Annotated[int, Meta(ge=0, le=box.BUILDINGS)] | None = None
    """The buildings that the dummy has left. Present with two players only."""
    auctioned: tokens.Place | None = None
    """The place being auctioned, or in which the winner may build. Present during auctions only."""


def derived(state: State) -> Derived:
    rings, players, setting_up = state.options.rings, len(state.seats), type(state.stage) in stages.SETUP
    return Derived(
        supplies.common_supplies(state),
        supplies.pile_sizes(state, supplies.cards_left(state)),
        supplies.businesses(state).size,
        0 if setting_up else supplies.businesses_placed(state.row),
        {name: totals_of_seats(district, rings[name], players) for name, district in state.districts.open},
        supplies.dummy_supply(state) if supplies.has_dummy(state) else None,
        now_auctioned(state),
    )
