"""A player of Carrara who plans: scores when it pays, buys cheap, builds, and announces the end as soon as they can."""

from capomastro.engine.moves import Move
from capomastro.games.carrara import components as box
from capomastro.games.carrara import moves, supplies
from capomastro.games.carrara.scoring import COINS_FOR_A_POINT, OBJECT_POINTS, proceeds
from capomastro.games.carrara.state import State


def gain(state: State, buildings: list[tuple[str, str]]) -> float:
    """What scoring buildings is worth in points: objects and coins turned into points."""
    pay = proceeds(buildings)
    kinds = [box.OBJECT_OF[box.TYPE_OF[building]] for building, _ in buildings]
    objects = sum(min(kinds.count(kind), supplies.object_supplies(state)[kind]) for kind in set(kinds))
    return pay["points"] + pay["coins"] / COINS_FOR_A_POINT + OBJECT_POINTS * objects


def wants(state: State, move: Move) -> float:
    """How much the player wants a move."""
    seat = state.seats[state.active_seat]
    match move:
        case moves.AnnounceEnd():
            return 100
        case moves.ScoreType():
            return 3 * gain(state, supplies.of_type(seat.cities, move.building_type)) - 20
        case moves.ScoreCity():
            return 3 * gain(state, supplies.in_city(seat.cities, move.city)) - 20
        case moves.Build():
            rate = box.CITIES[move.city].rate
            unscored = move.city not in seat.scored_cities and box.TYPE_OF[move.building] not in seat.scored_types
            return box.COST_OF[move.building] * (2 + rate) + 3 * unscored - 4
        case moves.TurnWheel():
            return 12 - len(seat.blocks)
        case moves.BuyBlocks():
            price = sum(supplies.PRICES[move.section][block] for block in move.blocks)
            quality = sum(supplies.PRICES["I"][block] for block in move.blocks)
            return quality + len(move.blocks) - 1.5 * price
        case moves.BuyObject():
            return 1 if seat.coins >= 16 else -1
        case moves.Pass():
            return 5
        case _:
            return 0
