"""Compares the blocks that can be bought together and the ways to pay for a building with brute force."""

from itertools import combinations, product
from random import Random

import pytest
from msgspec.structs import astuple

from capomastro.engine import referee
from capomastro.engine.moves import Move
from capomastro.engine.players import planning
from capomastro.games.carrara import moves, stages
from capomastro.games.carrara.components import CITIES, COLOURS, COSTS, SECTIONS, TYPES, price_of
from capomastro.games.carrara.game import GAME
from capomastro.games.carrara.purchases import Payments, payments_by_city, purchases
from capomastro.games.carrara.state import State
from capomastro.games.carrara.supplies import bag_size
from tests.games.carrara.table import ALL_BLOCKS, audited, blocks, offered, seat, table
from tests.support.oracle import legal_by_trying, sub_multisets
from tests.support.playouts import Ply, play_out

Blocks = tuple[str, ...]


def payments(blocks_held: Blocks, cost: int) -> Payments:
    return Payments(blocks_held, cost, payments_by_city(blocks_held))


def random_blocks(number: int, most: int) -> list[Blocks]:
    random = Random(number)
    return [blocks("".join(random.sample(ALL_BLOCKS, random.randint(0, most)))) for _ in range(number)]


def test_prices_by_section_and_colour() -> None:
    table_of_prices = [[price_of(colour, section) for colour in COLOURS] for section in SECTIONS]
    assert table_of_prices == [
        [6, 5, 4, 3, 2, 1],
        [5, 4, 3, 2, 1, 0],
        [4, 3, 2, 1, 0, 0],
        [3, 2, 1, 0, 0, 0],
        [2, 1, 0, 0, 0, 0],
        [1, 0, 0, 0, 0, 0],
    ]


@pytest.mark.parametrize("coins", [0, 1, 3, 7, 20, 66])
def test_purchases_agree_with_brute_force(coins: int) -> None:
    for available in random_blocks(40, 11):
        for section in SECTIONS:
            found = purchases(available, section, coins)
            by_trying = {
                part
                for part in sub_multisets(available)
                if part and sum(price_of(block, section) for block in part) <= coins
            }
            assert set(found) == by_trying
            assert len(found) == len(by_trying)
            assert found == sorted(found, key=lambda part: [part.count(colour) for colour in dict.fromkeys(available)])


def in_order_of_cities(way: tuple[str, Blocks]) -> tuple[int, list[int]]:
    """City by city, those with the fewest of the first colour first."""
    name, paid = way
    return list(CITIES).index(name), [paid.count(colour) for colour in CITIES[name].accepts]


@pytest.mark.parametrize("cost", COSTS)
def test_payments_agree_with_brute_force(cost: int) -> None:
    for held in [*random_blocks(60, 14), blocks("wyrgbk" * 3), ()]:
        found = payments(held, cost)
        walked = list(found.starting_at(0))
        by_trying = {
            (name, paid)
            for name, city in CITIES.items()
            for paid in set(combinations(held, cost))
            if set(paid) <= set(city.accepts)
        }
        assert set(walked) == by_trying
        assert walked == sorted(walked, key=in_order_of_cities)
        assert len(walked) == found.total
        assert [found.pick(index) for index in range(found.total)] == walked
        for start in {0, 1, found.total // 2, found.total}:
            assert list(found.starting_at(start)) == walked[start:]


def test_the_richest_player_has_462_ways_to_pay_a_cost_of_5() -> None:
    assert payments(blocks(ALL_BLOCKS), 5).total == 1 + 6 + 21 + 56 + 126 + 252


def test_the_longest_list_of_legal_moves_is_counted_and_paged() -> None:
    everything = table(seat(ALL_BLOCKS), seat(), sections=(), face_up="li5 pa5 ga5 ca5 cs5 vi5 li4 pa4 ga4")
    assert audited(everything) == []
    found = referee.legal_moves(GAME, everything)
    assert found.total == 6 * 462 + 3 * payments(blocks(ALL_BLOCKS), 4).total
    last = found.pick(found.total - 1)
    assert list(found.starting_at(found.total - 1)) == [last]
    assert isinstance(last, moves.Build)
    assert referee.refusal(GAME, everything, last) is None


# --- every decision --------------------------------------------------------------------------------------------------


def by_trying(state: State) -> set[Move]:
    """Every legal move of the seat to decide, by trying all blocks of the wheel and of the player."""
    held = state.seats[state.active_seat].blocks
    parts: set[Blocks] = set()
    if state.stage == stages.BuyBlocks():
        for section in astuple(state.wheel):
            parts |= sub_multisets(section)
    else:
        parts = {part for part in sub_multisets(held) if len(part) <= max(COSTS)}
    return legal_by_trying(
        GAME,
        state,
        {
            "section": SECTIONS,
            "blocks": parts,
            "payment": parts,
            "building": [*state.face_up, "library-1", "villa-5"],
            "city": list(CITIES),
            "building_type": TYPES,
            "object": ["book", "crown", "gate", "cup", "flag", "coat-of-arms"],
        },
    )


def small(ply: Ply) -> bool:
    """Few enough blocks to try everything."""
    return len(ply.before.seats[ply.before.active_seat].blocks) <= 7


@pytest.mark.parametrize("players", [2, 3, 4])
def test_offered_purchases_agree_with_brute_force(players: int) -> None:
    random = Random(players)
    plies = [ply for seed in ("1", "2") for ply in play_out(GAME, players, seed=seed, player=planning) if small(ply)]
    decisions = [ply for ply in plies if referee.decision(GAME, ply.before).actor == "seat"]
    kinds = {type(ply.before.stage) for ply in decisions}
    for kind, ply in product(kinds, random.sample(decisions, 60)):
        if type(ply.before.stage) is kind:
            assert set(offered(ply.before)) == by_trying(ply.before)
    assert {stages.BuyBlocks, stages.BuyObject} <= kinds


def test_the_bag_is_the_rest_of_the_box() -> None:
    assert bag_size(table(seat("www"), seat("k"))) == 42 - 6 - 4
