"""What one player receives reveals nothing about the hands of others."""

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from capomastro.documents import json_text
from capomastro.documents.problems import Problem
from capomastro.games import all_games
from capomastro.tables.documents import opened_table, sealed_table
from tests.tables.dealing import has_hands, with_other_hands
from tests.tables.games import RING, most, played
from tests.tables.players import by_hand
from tests.tables.secrecy import leaks, lengths

every_game = pytest.mark.parametrize("game_id", all_games())


@every_game
@pytest.mark.parametrize("draws", ["witnessed", "at-once"])
def test_nobody_ever_holds_secrets_of_others(game_id: str, draws: str) -> None:
    game = all_games()[game_id]
    assert not list(leaks(played(game_id, most(game), draws), RING))


@every_game
def test_the_length_of_the_sealed_part_follows_from_public_data(game_id: str) -> None:
    game = all_games()[game_id]
    for players in (2, most(game)):
        for key, found in lengths(game, played(game_id, players)).items():
            plaintext = 256 * -(-(512 + 16 * key[2]) // 256)
            assert found == {len("1.0515aa10.") + -(-(plaintext + 16) * 4 // 3)}


@pytest.mark.parametrize("game_id", [game.id for game in all_games().values() if has_hands(game)])
def test_answers_to_a_seat_do_not_depend_on_other_hands(game_id: str) -> None:
    """Two tables that differ only in the hands of others: the seat gets the same answers, byte for byte.

    Only the sealed parts differ, but have the same length.
    """
    game, random = all_games()[game_id], Random(4)
    done = played(game_id, most(game))
    ask = by_hand(game, RING)
    compared = 0
    for table in done.tables[8::3]:
        opened = opened_table(game, RING, table)
        (awaited, seat) = table["waiting"]["for"], table["waiting"]["seats"][0]
        if awaited != "move":
            continue
        other_state = with_other_hands(game, opened.state, seat, random)
        if other_state == opened.state:
            continue
        other = json_text.decode(json_text.encode(sealed_table(game, RING.sealing, replace(opened, state=other_state))))
        assert {**other, "sealed": ""} == {**table, "sealed": ""}
        assert len(other["sealed"]) == len(table["sealed"])
        secret = done.players[seat].secret
        views = [
            ask("tables/views", {"table": one, "seat": seat, "secret": secret, "legal_moves": 1000})
            for one in (table, other)
        ]
        assert views[0] == views[1]
        moves = json_text.decode(views[0])["legal_moves"]["moves"]
        for move in [*moves[:2], *moves[-2:], {**moves[0], "type": "pass"}]:
            answers = [answer(ask, one, seat, secret, move) for one in (table, other)]
            assert answers[0] == answers[1]
            compared += 1
    assert compared


def answer(ask: Any, table: Any, seat: int, secret: str, move: Any) -> Any:
    """The answer to a move without the sealed part; or the problem."""
    body = {"table": table, "seat": seat, "secret": secret, "moves": [move]}
    try:
        found = json_text.decode(ask("tables/transitions", body))
    except Problem as problem:
        return problem.document()
    return {**found, "table": {**found["table"], "sealed": len(found["table"]["sealed"])}}
