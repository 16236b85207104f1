"""Figures that follow from a state of Fifth Avenue."""

from collections.abc import Mapping, Sequence

from capomastro.engine import game as engine
from capomastro.games.fifth_avenue import stages, supplies
from capomastro.games.fifth_avenue.decisions import now_auctioned
from capomastro.games.fifth_avenue.scoring import totals_of_districts
from capomastro.games.fifth_avenue.state import State


class Derived(engine.Derived, frozen=True):
    """`supplies`: buildings in the common supplies, by seat; `piles`: the number of face-down cards in each.

    `unseen_businesses`: tiles not drawn; `businesses_placed` in total; `district_totals`: what a normal scoring of each
    open district would give every player, by seat. `dummy_supply`: the buildings of the dummy, with two players;
    `auctioned`: the place being auctioned, during auctions.
    """

    supplies: tuple[int, ...]
    piles: Mapping[str, int]
    unseen_businesses: int
    businesses_placed: int
    district_totals: Mapping[str, Sequence[int]]
    dummy_supply: int | None = None
    auctioned: str | None = None


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
