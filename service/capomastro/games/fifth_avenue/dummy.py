"""The automatic third player of the game for two (rulebook: "Special rules for games with two players")."""

from msgspec.structs import replace

from capomastro.engine.decisions import Played
from capomastro.engine.events import Event
from capomastro.engine.multisets import Multiset
from capomastro.engine.refusals import enforces
from capomastro.games.fifth_avenue import events
from capomastro.games.fifth_avenue.components import BUILDINGS, DUMMY
from capomastro.games.fifth_avenue.lots import District, Lot, Ring
from capomastro.games.fifth_avenue.scoring import points_of_a_building
from capomastro.games.fifth_avenue.state import State


def has_dummy(state: State) -> bool:
    """With two players, the dummy takes part in the auctions."""
    return len(state.seats) == 2


def dummy_supply(state: State) -> int:
    """The buildings that the dummy has left."""
    return BUILDINGS - (state.dummy_removed or 0) - state.districts.buildings_of(DUMMY)


@enforces("fifth-avenue.dummy.pair")
def bid_is_complete(cards: Multiset) -> bool:
    """The dummy's bid is complete when two cards have the same value."""
    return len(set(cards)) < len(cards)


def lots_to_build_on(district: District, ring: Ring, buildings: int) -> list[tuple[str, int]]:
    """The most valuable empty lots, on each of which the dummy builds while `buildings` last, and their value."""
    lots = district.facts.lots
    worth = [(colour, points_of_a_building(lots, ring, colour)) for colour in ring if colour in district.facts.empty]
    most = max((points for _, points in worth), default=0)
    return [(colour, points) for colour, points in worth if points == most][:buildings]


def dummy_built(state: State, name: str) -> Played[State]:
    """After winning a district with empty lots, the dummy builds on each of the most valuable ones."""
    district, happened = state.districts.known_open(name), list[Event]()
    for colour, points in lots_to_build_on(district, state.options.rings[name], dummy_supply(state)):
        state = replace(state, districts=state.districts.with_lot(name, colour, Lot(owner=DUMMY, buildings=1)))
        happened.append(events.DummyBuilt(name, colour, points, 1, "fifth-avenue.dummy.builds"))
    return state, happened
