"""Forged tables: each is refused, all in the same words."""

from functools import cache
from itertools import islice
from random import Random
from typing import Any

import pytest
from flask.testing import FlaskClient

from capomastro.api.application import create_app
from capomastro.documents import json_text
from capomastro.documents.problems import Problem
from capomastro.games import all_games
from capomastro.tables import documents
from capomastro.tables.documents import foreign_table, opened_table, sealed_table
from capomastro.tables.keys import KeyRing
from tests.tables.altering import WAYS, Genuine, Way, genuine
from tests.tables.games import RING, most, played
from tests.tables.players import MASTERS, QUIET

every_game = pytest.mark.parametrize("game_id", all_games())
every_way = pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)


def tables_of(game_id: str) -> list[dict[str, Any]]:
    """Tables from every part of a game with all players and of one with two."""
    game = all_games()[game_id]
    return [table for players in (2, most(game)) for table in played(game_id, players).tables[::7]]


@cache
def sealed_ones(game_id: str) -> list[Genuine]:
    return genuine(tables_of(game_id))


def canonical_texts(tables: list[Genuine]) -> set[bytes]:
    """Not a forgery: a change can also leave everything as it is."""
    return {json_text.canonical(one.table) for one in tables}


def refused_as(table: Any, game_id: str) -> dict[str, Any]:
    with pytest.raises(Problem) as refused:
        opened_table(all_games()[game_id], RING, table)
    return refused.value.document()


@every_game
@every_way
def test_a_forged_table_is_refused_as_foreign(game_id: str, way: Way) -> None:
    random, tables = Random(way.__name__), sealed_ones(game_id)
    sealed, answer = canonical_texts(tables), foreign_table().document()
    for _ in range(60):
        table = way(random, tables)
        if json_text.canonical(table) not in sealed:
            assert refused_as(table, game_id) == answer


@every_game
def test_a_table_opens_as_it_was_sealed(game_id: str) -> None:
    game = all_games()[game_id]
    for table in tables_of(game_id):
        opened = opened_table(game, RING, table)
        assert json_text.decode(json_text.encode(sealed_table(game, RING.sealing, opened))) == table


def test_blanks_order_and_escapes_are_no_alterations() -> None:
    table = played("palazzo", 2).tables[-1]
    backwards = dict(reversed(table.items()))
    with_escapes = json_text.encode(backwards).replace(b"palazzo", b"pal\\u0061zzo").replace(b":0,", b": -0 ,")
    again = json_text.decode(with_escapes)
    assert opened_table(all_games()["palazzo"], RING, again) == opened_table(all_games()["palazzo"], RING, table)


def test_a_table_of_another_service_is_foreign_as_is_one_whose_key_is_retired() -> None:
    table = played("palazzo", 2).tables[-1]
    for masters in (MASTERS[1:2], MASTERS[1:]):
        with pytest.raises(Problem) as refused:
            opened_table(all_games()["palazzo"], KeyRing(masters), table)
        assert refused.value.document() == foreign_table().document()


@pytest.mark.parametrize("value", [1, "x", [], True])
def test_the_sealed_part_is_a_text(value: Any) -> None:
    assert refused_as({**played("palazzo", 2).tables[0], "sealed": value}, "palazzo") == foreign_table().document()


def test_the_padding_suffices_for_hidden_cards() -> None:
    """For every game: a card with its quotation marks and comma; root and shares of the most players."""
    for game in all_games().values():
        longest = max(map(len, cards_that_are_hidden(game.id)), default=0)
        assert longest + 3 <= documents.BYTES_PER_UNKNOWN_CARD
        hands = ((),) * most(game)
        empty = json_text.canonical(documents.Hidden(hands, "0" * 64, ("0" * 64,) * most(game)))
        assert len(empty) <= documents.MINIMUM_BYTES


def cards_that_are_hidden(game_id: str) -> set[str]:
    """All cards of those groups of the box from which a card was hidden in a game."""
    game = all_games()[game_id]
    states = (opened_table(game, RING, table).state for table in played(game_id, most(game)).tables)
    seen = {card for state in states for hand in documents.closed_cards(state) for card in hand}
    return {card for group in game.components().values() if seen & group.keys() for card in group}


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    settings = {"sealing_keys": MASTERS[0]}
    return create_app(type(QUIET)(**{**vars(QUIET), **settings})).test_client()


def test_over_http_it_is_one_answer_byte_for_byte(client: FlaskClient) -> None:
    random, tables = Random(8), sealed_ones("fifth-avenue")
    sealed = canonical_texts(tables)
    forged = (way(random, tables) for _ in range(10) for way in WAYS)
    answers = set()
    for table in islice((one for one in forged if json_text.canonical(one) not in sealed), 50):
        body = json_text.encode({"table": table, "seat": None})
        answer = client.post("/v1/games/fifth-avenue/tables/views", data=body, content_type="application/json")
        answers.add((answer.status_code, answer.get_data()))
    assert [status for status, _ in answers] == [409]
