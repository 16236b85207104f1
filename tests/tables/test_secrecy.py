"""What one player holds says nothing of what another has."""

from collections import Counter
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from capomastro.adjudicator import sound_states
from capomastro.documents import json_text
from capomastro.documents.problems import Problem
from capomastro.engine.game import AnyGame
from capomastro.engine.hands import Hand
from capomastro.games import all_games
from capomastro.tables.documents import opened_table, sealed_table
from tests.tables.games import RING, most, played
from tests.tables.players import by_hand
from tests.tables.secrecy import leaks, lengths

every_game = pytest.mark.parametrize("game_id", all_games())


@every_game
@pytest.mark.parametrize("draws", ["witnessed", "at-once"])
def test_nobody_ever_holds_secrets_of_others(game_id: str, draws: str) -> None:
    sound_states.clear()
    game = all_games()[game_id]
    assert not list(leaks(played(game_id, most(game), draws), RING))


@every_game
def test_the_length_of_the_sealed_part_follows_from_public_data(game_id: str) -> None:
    game = all_games()[game_id]
    for players in (2, most(game)):
        for key, found in lengths(game, played(game_id, players)).items():
            plaintext = 256 * -(-(512 + 16 * key[2]) // 256)
            assert found == {len("1.0515aa10.") + -(-(plaintext + 16) * 4 // 3)}


def has_hands(game: AnyGame) -> bool:
    """Whether cards are held in a game."""
    state = game.start(2, game.options_type(), None)
    return any(isinstance(getattr(seat, "hand", None), Hand) for seat in state.seats)


def with_other_hands(game: AnyGame, state: Any, seat: int, random: Random) -> Any:
    """The state with the closed cards of all but one seat dealt anew among them, pile by pile."""
    hands = [one.hand for one in state.seats]
    by_pile: dict[str, list[str]] = {}
    for other, hand in enumerate(hands):
        if other != seat:
            for card in hand.closed:
                by_pile.setdefault(game.pile_of(card), []).append(card)
    for cards in by_pile.values():
        random.shuffle(cards)
    seats = []
    for other, one in enumerate(state.seats):
        if other == seat:
            seats.append(one)
            continue
        counts = Counter(game.pile_of(card) for card in one.hand.closed)
        closed = [by_pile[pile].pop() for pile, count in counts.items() for _ in range(count)]
        seats.append(replace(one, hand=Hand(one.hand.open, tuple(sorted(closed)))))
    return replace(state, seats=tuple(seats))


@pytest.mark.parametrize("game_id", [game.id for game in all_games().values() if has_hands(game)])
def test_answers_to_a_seat_do_not_depend_on_other_hands(game_id: str) -> None:
    """Two tables that differ only in the hands of others: the seat is answered the same, byte for byte.

    But for what is sealed, which is as long.
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
    assert compared > 10


def answer(ask: Any, table: Any, seat: int, secret: str, move: Any) -> Any:
    """The answer to a move but for what is sealed; or the problem."""
    body = {"table": table, "seat": seat, "secret": secret, "moves": [move]}
    try:
        found = json_text.decode(ask("tables/transitions", body))
    except Problem as problem:
        return problem.document()
    return {**found, "table": {**found["table"], "sealed": len(found["table"]["sealed"])}}
