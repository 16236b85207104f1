"""The automatic third player of the game for two (rulebook: "Special rules for games with two players")."""

from capomastro.engine.multisets import Multiset
from capomastro.games.fifth_avenue.lots import District, Ring, points_of_a_building


def bid_is_complete(cards: Multiset) -> bool:
    """He turns cards until two have the same value."""
    return len(set(cards)) < len(cards)


def lots_to_build_on(district: District, ring: Ring, buildings: int) -> list[tuple[str, int]]:
    """Where he builds one building each, and what it is worth: every empty lot that is worth most, while his last."""
    lots = district.facts.lots
    worth = [(colour, points_of_a_building(lots, ring, colour)) for colour in ring if colour in district.facts.empty]
    most = max((points for _, points in worth), default=0)
    return [(colour, points) for colour, points in worth if points == most][:buildings]
