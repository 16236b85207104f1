"""Whole games with goal-directed players reach every ending, and no component is lost."""

from collections import Counter
from functools import lru_cache
from itertools import pairwise
from random import Random

import pytest
from msgspec.structs import astuple

from capomastro.engine import referee
from capomastro.engine.players import Player, at_random, planning
from capomastro.engine.stages import GameOver
from capomastro.games.carrara import moves, stages
from capomastro.games.carrara.components import BLOCKS, CITIES, COST_OF, OBJECT_OF, OBJECTS, SECTIONS
from capomastro.games.carrara.game import GAME
from capomastro.games.carrara.state import State
from capomastro.games.carrara.supplies import bag, buildings_built, buildings_of, object_supplies, pile_size
from tests.games.carrara import players as of_carrara
from tests.support.mutations import mutations
from tests.support.oracle import everything_offered
from tests.support.playouts import Ply, by_seat, play_out

PLAYERS = {
    "random": at_random,
    "planning": planning,
    "building on": of_carrara.building_on,
    "racing": of_carrara.racing,
}
GAMES = 1

every_game = pytest.mark.parametrize("players", [2, 3, 4])
every_player = pytest.mark.parametrize("name", list(PLAYERS))


@lru_cache(maxsize=16)
def games(players: int, name: str) -> tuple[tuple[Ply, ...], ...]:
    player: Player = PLAYERS[name]
    return tuple(tuple(play_out(GAME, players, seed=str(seed), player=player)) for seed in range(GAMES))


@every_game
@every_player
def test_every_move_is_legal_and_every_position_passes_the_audit(players: int, name: str) -> None:
    for plies in games(players, name):
        for ply in plies:
            assert referee.refusal(GAME, ply.before, ply.move) is None
            assert GAME.audit(ply.after) == []


@every_game
def test_altered_moves_are_accepted_exactly_if_they_are_offered(players: int) -> None:
    """As in the tests of all games, but with every token of the box, and in games of goal-directed players."""
    random = Random(players)
    tokens = sorted({*BLOCKS, *CITIES, *SECTIONS, *OBJECT_OF, *OBJECTS, *COST_OF})
    verdicts = set[bool]()
    for name in PLAYERS:
        for plies in games(players, name):
            for ply in random.sample(plies, 12):
                offered = everything_offered(GAME, ply.before, 4000)
                assert offered is not None
                for move in set(mutations(GAME, ply.before, ply.move, tokens, random)):
                    legal = referee.refusal(GAME, ply.before, move) is None
                    assert legal == (move in offered), (ply.before, move)
                    verdicts.add(legal)
    assert verdicts == {True, False}


@every_game
@every_player
def test_blocks_buildings_and_objects_are_conserved(players: int, name: str) -> None:
    for plies in games(players, name):
        for ply in plies:
            state: State = ply.after
            in_bag = bag(state)
            for colour, box in BLOCKS.items():
                elsewhere = [*astuple(state.wheel), *(one.blocks for one in state.seats)]
                assert in_bag[colour] >= 0
                assert in_bag[colour] + sum(place.count(colour) for place in elsewhere) == box
            houses = [building for one in state.seats for building in buildings_of(one)]
            assert len({*houses, *state.face_up}) + pile_size(state) == len(COST_OF)
            for kind, box in OBJECTS.items():
                held = sum(one.objects.count(kind) for one in state.seats)
                assert object_supplies(state)[kind] >= 0
                assert object_supplies(state)[kind] + held + state.objects_for_sale.count(kind) == box


@every_game
@every_player
def test_coins_change_as_the_events_say(players: int, name: str) -> None:
    for plies in games(players, name):
        for ply in plies:
            change: Counter[int] = Counter()
            for event in ply.events:
                if event["type"] in {"type-scored", "city-scored", "coins-taken"}:
                    change[event["seat"]] += event["coins"]
                change[event.get("seat", 0)] -= event.get("price", 0)
            for index, (before, after) in enumerate(zip(ply.before.seats, ply.after.seats, strict=True)):
                assert after.coins - before.coins == change[index]
                assert after.coins >= 0


@every_game
@every_player
def test_all_have_the_same_number_of_turns(players: int, name: str) -> None:
    for plies in games(players, name):
        turns: Counter[int] = Counter()
        seats = [ply.before.active_seat for ply in plies] + [None]
        for seat, following in pairwise(seats):
            if seat is not None and seat != following:
                turns[seat] += 1
        assert plies[-1].after.stage == GameOver()
        assert set(turns.values()) == {turns[0]}
        assert len(turns) == players


@every_game
@every_player
def test_the_game_ends_only_after_an_announcement_or_the_thirtieth_building(players: int, name: str) -> None:
    for plies in games(players, name):
        final = plies[-1].after
        assert final.announced_by is not None or buildings_built(final) == len(COST_OF)
        announced = [ply for ply in plies if isinstance(ply.move, moves.AnnounceEnd)]
        assert len(announced) == (final.announced_by is not None)
        for ply in announced:
            assert buildings_built(ply.before) < len(COST_OF)
        for ply in plies:
            if isinstance(ply.move, moves.Pass):
                assert ply.before.announced_by is not None
                assert isinstance(ply.before.stage, stages.ChooseAction)


@every_game
def test_both_endings_and_every_seat_are_reached(players: int) -> None:
    announcers: set[int] = set()
    builders: set[int] = set()
    everybody = set(range(players))
    for seed in range(60):
        for ply in play_out(GAME, players, seed=str(seed), player=planning):
            announcers |= {event["seat"] for event in ply.events if event["type"] == "end-announced"}
        for ply in play_out(GAME, players, seed=str(seed), player=of_carrara.building_on):
            builders |= {event["seat"] for event in ply.events if event["type"] == "last-building-built"}
        if announcers == builders == everybody:
            return
    raise AssertionError(f"announced in the seats {announcers}, the last building built in {builders}")


def test_a_planning_player_beats_a_random_one() -> None:
    mixed_table = by_seat(planning, at_random)
    results = [GAME.result(list(play_out(GAME, 2, seed=str(seed), player=mixed_table))[-1].after) for seed in range(10)]
    assert sum(one.players[0].total for one in results) > sum(one.players[1].total for one in results)
