"""Compares two tables of one game."""

import json
from itertools import pairwise
from typing import Any

import pytest

from capomastro.games import all_games
from capomastro.tables.history import DifferentGames, Fork, extends, fork, last_to_move, lines_of, players_joined
from tests.tables.games import RING, played
from tests.tables.players import by_hand, play

every_game = pytest.mark.parametrize("game_id", all_games())


@every_game
@pytest.mark.parametrize("draws", ["witnessed", "at-once"])
def test_each_table_extends_all_before_it_and_none_after_it(game_id: str, draws: str) -> None:
    tables = played(game_id, 2, draws).tables
    for one, next_one in pairwise(tables):
        assert extends(one, next_one)
        assert extends(tables[0], next_one)
        assert not extends(next_one, one)
        assert extends(one, one)
        assert fork(one, next_one) is fork(next_one, one) is None
    assert [players_joined(table) for table in tables[:4]] == [0, 1, 2, 2]


@every_game
def test_the_last_seat_to_move(game_id: str) -> None:
    table = played(game_id, 2).tables[-1]
    seats = [int(line.split()[0]) for line in lines_of(table["record"]) if line[0].isdigit()]
    assert last_to_move(table["record"], 2) == seats[-1]
    assert last_to_move("", 5) == 4
    assert last_to_move("draw-tile brick-1-1\n", 3) == 2
    assert last_to_move("0 pass\n", 3) == 0
    assert last_to_move("1 pass\ndraw-tile brick-1-1\ndraw-tile brick-1-1\n", 3) == 1
    assert table["waiting"] == {"for": "opening", "seats": [1 - seats[-1]]}


def branches(game_id: str) -> tuple[dict[str, Any], dict[str, Any], int]:
    """Two tables of one game that diverge at a move, and its seat."""
    game = all_games()[game_id]
    ask = by_hand(game, RING)
    game_played = play(game, lambda _: ask, "fork", 2)
    secrets = [player.secret for player in game_played.players]
    for table in game_played.tables:
        if table["waiting"]["for"] != "move":
            continue
        (seat,) = table["waiting"]["seats"]
        asks = {"table": table, "seat": seat, "secret": secrets[seat]}
        moves = json.loads(ask("tables/views", {**asks, "legal_moves": 1000}))["legal_moves"]["moves"]
        if len(moves) > 1:
            answers = (ask("tables/transitions", {**asks, "moves": [move]}) for move in (moves[0], moves[-1]))
            one, other = (json.loads(answer)["table"] for answer in answers)
            return one, other, seat
    raise AssertionError("nobody ever had a choice")


@every_game
def test_a_fork_names_the_seat_that_played_twice(game_id: str) -> None:
    one, other, seat = branches(game_id)
    found = fork(one, other)
    assert found == Fork(len(lines_of(one["record"])) - 1, "seat", seat)
    assert not extends(one, other)
    assert not extends(other, one)


def test_differing_draws_are_blamed_on_the_service() -> None:
    one = next(table for table in played("palazzo", 2).tables if table["record"])
    _, *rest = lines_of(one["record"])
    other = {**one, "record": "".join(f"{line}\n" for line in ("draw-tile brick-9-9", *rest))}
    assert fork(one, other) == Fork(0, "chance")


def test_tables_of_different_games_are_not_compared() -> None:
    one, other = played("palazzo", 2).tables[-1], played("palazzo", 2, "at-once").tables[-1]
    with pytest.raises(DifferentGames):
        fork(one, other)
    assert not extends(one, other)


def test_the_same_words_under_another_key_are_another_game() -> None:
    """While keys are rotated one creation can have two roots; players who joined one must not continue in the other."""
    one = played("palazzo", 2).tables[1]
    other = {**one, "commitment": "0" * 64}
    with pytest.raises(DifferentGames):
        fork(one, other)
    assert not extends(one, other)


def test_joining_does_not_go_back() -> None:
    """The record stays empty: the number of joined players counts as well."""
    none, first, both = played("palazzo", 2).tables[:3]
    assert extends(none, first)
    assert extends(first, both)
    assert not extends(first, none)
    assert not extends(both, first)
