"""Players of Fifth Avenue with a goal, and rigged draws, for records and golden playthroughs."""

from typing import Any

from capomastro.engine.game import AnyGame
from capomastro.engine.moves import Move
from capomastro.engine.players import Player, planning, preferring
from capomastro.games.fifth_avenue import moves, stages
from capomastro.games.fifth_avenue.components import CENTRAL_PARK, CITY_HALL, DISTRICTS
from capomastro.games.fifth_avenue.decisions import auctioned_district, highest_bid
from capomastro.games.fifth_avenue.lots import EMPTY, is_full
from capomastro.games.fifth_avenue.plan import net_points
from capomastro.games.fifth_avenue.state import State
from tests.support.playouts import mixed, wishing

TARGETS = ("34th-street-west", "42nd-street-west")
"""Two districts on one way that can both be stopped in one set of auctions."""

# --- the two endings -------------------------------------------------------------------------------------------------


def places(game: AnyGame, state: State, move: Move) -> float:
    return isinstance(move, moves.PlaceBusiness)


placing: Player = preferring(places)
"""A business in every turn, so that the twelfth comes soon."""


def open_targets(state: State) -> list[str]:
    """The districts to stop: as many as there are stops left."""
    left = 2 - len(state.districts.closed)
    names = [name for name in TARGETS if state.districts[name] is not None]
    return (names + [name for name, _ in state.districts.open if name not in TARGETS])[:left]


def full(state: State, name: str) -> bool:
    district = state.districts[name]
    return district is not None and is_full(district)


def closes(game: AnyGame, state: State, move: Move) -> float:
    """How much a move helps to get two districts stopped."""
    match move:
        case moves.PlaceFirstBuilding(district=name):
            return name in TARGETS
        case moves.PlaceBusiness(district=name, lot=lot):
            district = state.districts[name]
            return 5 if name in open_targets(state) and district is not None and district[lot] == EMPTY else -1
        case moves.TakeBlackCard():
            return 3
        case moves.MoveCommissioner(commissioner=colour, to=to):
            if to == CITY_HALL:
                return 5 if any(full(state, name) for name in state.markers[colour]) else 1
            return 4 if to in open_targets(state) else 2 + (to == CENTRAL_PARK)
        case moves.Bid(cards=cards):
            assert isinstance(state.stage, stages.BidOrPass)
            district = auctioned_district(state)
            return 10 - len(cards) if district is not None and is_full(district) else -1
        case moves.OrderStop():
            return 1
        case _:
            return 0


closing: Player = preferring(closes, look_at=250)
"""Fills two districts, gets them auctioned, and stops them."""


def leaves_stops_to_the_dummy(game: AnyGame, state: State, move: Move) -> float:
    return 20 if isinstance(move, moves.Pass) else closes(game, state, move)


leaving: Player = preferring(leaves_stops_to_the_dummy, look_at=250)
"""Fills two districts, gets them auctioned, and passes, so that the dummy stops them."""


def closes_one_then_places(game: AnyGame, state: State, move: Move) -> float:
    return places(game, state, move) if state.districts.closed else closes(game, state, move)


closing_one: Player = preferring(closes_one_then_places, look_at=250)
"""Gets one district stopped, then places businesses."""


def strolls(game: AnyGame, state: State, move: Move) -> float:
    return 6 if isinstance(move, moves.TakeBuildings) else closes(game, state, move)


strolling: Player = preferring(strolls, look_at=250)
"""Closes, by option A as long as it can: commissioners are moved in phase 3."""


def auctions_long(game: AnyGame, state: State, move: Move) -> float:
    match move:
        case moves.TakeBlackCard():
            return 3
        case moves.TakeBuildings() | moves.ScoreDistrict():
            return 2
        case moves.MoveCommissioner(to=to):
            return to == CITY_HALL
        case moves.Bid(cards=cards):
            assert isinstance(state.stage, stages.BidOrPass)
            return 5 - len(cards) if highest_bid(state.stage) < 12 else -1
        case _:
            return 0


auctioning: Player = preferring(auctions_long)
"""Draws black cards and causes many auctions, but places nothing."""


def scores(game: AnyGame, state: State, move: Move) -> float:
    match move:
        case moves.ScoreDistrict(district=name, seat=seat):
            return 1 + net_points(state, name, seat)
        case moves.MoveCommissioner(to=to, seat=seat):
            return net_points(state, to, seat) if to in DISTRICTS else 0
        case _:
            return game.wants(state, move) / 10


scoring: Player = preferring(scores)
"""Moves commissioners where it leads, and scores there."""

long_then_placing: Player = mixed(0.85, auctioning, placing)
mostly_placing: Player = mixed(0.7, placing, planning)
often_scoring: Player = mixed(0.4, scoring, placing)
mostly_closing: Player = mixed(0.8, closing, planning)

# --- chance ----------------------------------------------------------------------------------------------------------


def equal_park_tiles(game: AnyGame, state: Any, move: Move) -> float:
    """Tiles from under Central Park of one kind."""
    if not isinstance(state.stage, stages.DrawParkTile) or not isinstance(move, moves.DrawBusiness):
        return 0
    tiles: tuple[str, ...] = state.park_tiles or state.under_central_park
    return tiles.count(move.business)


one_kind = wishing(equal_park_tiles)
