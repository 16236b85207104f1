"""A player of Fifth Avenue who plans: takes what they need, scores where they lead, and bids within reason."""

from capomastro.engine.moves import Move
from capomastro.engine.stages import stage_of
from capomastro.games.fifth_avenue import components as box
from capomastro.games.fifth_avenue import moves, stages
from capomastro.games.fifth_avenue.bids import limit_of, worth
from capomastro.games.fifth_avenue.decisions import auctioned_district
from capomastro.games.fifth_avenue.lots import businesses_in, has_building, is_full
from capomastro.games.fifth_avenue.scoring import totals_of_seats
from capomastro.games.fifth_avenue.state import State


def net_points(state: State, name: str, seat: int) -> float:
    """What a scoring gives a seat more than the best of the others."""
    district = state.districts[name]
    if district is None:
        return 0
    totals = totals_of_seats(district, state.options.rings[name], len(state.seats))
    return totals[seat] - max(total for rival, total in enumerate(totals) if rival != seat)


def worth_of_auction(state: State, seat: int) -> float:
    """What a seat would lay for the place that is auctioned, in face values."""
    district = auctioned_district(state)
    if district is None:
        return 12 if state.seats[seat].reserve else 0
    if is_full(district):
        return 14
    return 17 if state.seats[seat].reserve and not has_building(district, seat) else 11


def wants(state: State, move: Move) -> float:
    """How much the player wants a move."""
    match move:
        case moves.PlaceFirstBuilding(district=name):
            return len(businesses_in(state.districts[name]))
        case moves.ScoreDistrict(district=name, seat=seat):
            return net_points(state, name, seat) - 1
        case moves.TakeBuildings(seat=seat):
            return 5 - 3 * state.seats[seat].reserve
        case moves.TakeBlackCard(seat=seat):
            return 3.5 - state.seats[seat].hand.size / 4
        case moves.PlaceBusiness(seat=seat, district=name):
            return 2 + net_points(state, name, seat) / 4
        case moves.MoveCommissioner(to=to, seat=seat):
            return 1 if to == box.CITY_HALL else (2 if to == box.CENTRAL_PARK else 1 + net_points(state, to, seat) / 3)
        case moves.Bid(seat=seat, cards=cards):
            total = stage_of(state, stages.BidOrPass).offers[seat].total + worth(cards)
            return worth_of_auction(state, seat) - total + limit_of(cards)
        case moves.Build(buildings=number):
            return number
        case moves.OrderStop():
            return 1.5
        case _:
            return 0
