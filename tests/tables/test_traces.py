"""No request leaves anything of a hidden hand in the process: what it holds is compared (`tests/tables/traces.py`)."""

from collections.abc import Iterator
from functools import lru_cache, partial
from itertools import pairwise
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from capomastro.documents import json_text
from capomastro.engine import memory
from capomastro.engine.game import AnyGame
from capomastro.engine.multisets import kinds
from capomastro.games import all_games
from capomastro.games.campanile import decisions
from capomastro.tables.documents import opened_table, sealed_table
from capomastro.tables.history import lines_of
from capomastro.tables.keys import KeyRing
from tests.support.documents import as_document
from tests.tables.dealing import has_hands, with_another_hand
from tests.tables.games import most, played
from tests.tables.players import MASTERS
from tests.tables.sooner import (
    ask_as_player,
    client_of_the_application,
    double_of,
    moves_of_both,
    moving,
    posted_to_the_application,
)
from tests.tables.traces import forget_catalogues, traces

LOOKED_AT = 3
NOTATION = "text/vnd.capomastro.record"
KEYS = KeyRing(MASTERS)
with_hands = pytest.mark.parametrize("game_id", [game.id for game in all_games().values() if has_hands(game)])


@pytest.fixture(autouse=True)
def _without_the_words_of_other_tests() -> None:
    """What another test has had named leaves no trace any more, and hides one."""
    forget_catalogues()


def traces_of_hands(game_id: str, number: int = LOOKED_AT) -> Iterator[str]:
    """What is left of a hand at some tables of a game, where the hand can be another."""
    game, random = all_games()[game_id], Random(game_id)
    done, post = played(game_id, most(game)), posted_to_the_application(game)
    secrets = [player.secret for player in done.players]
    looked_at = 0
    tables = moving(done)
    for table in random.sample(tables, len(tables)):
        double = double_of(game, KEYS, table, random)
        if double is None:
            continue
        (seat,) = table["waiting"]["seats"]
        ask = partial(ask_as_player, post, seat=seat, secrets=secrets, draws=False)
        # before anything else is asked about the double: what is kept for ever is found the first time only
        yield from traces(partial(ask, table, moves=[]), partial(ask, double, moves=[]))
        _, moves = moves_of_both(post, table, double, seat, secrets, random)
        yield from traces(partial(ask, table, moves=moves), partial(ask, double, moves=moves))
        looked_at += 1
        if looked_at == number:
            return
    assert looked_at


@with_hands
def test_a_player_who_asks_about_their_hand_leaves_nothing_of_it(game_id: str) -> None:
    assert not list(traces_of_hands(game_id))


def test_the_room_for_a_group_in_a_hand_is_no_trace() -> None:
    """The bracket under three cards of a value moves all that is drawn below it."""
    assert not list(
        traces_of_palazzo_hands(["red-3", "green-3", "blue-3", "red-5"], ["red-3", "green-4", "blue-3", "red-5"])
    )


def traces_of_palazzo_hands(*hands: list[str]) -> list[str]:
    """What tells which of two hands a picture was asked of."""
    game = all_games()["palazzo"]
    post = posted_to_the_application(game)
    (begun,) = json_text.decode(post("setups", {"players": 2, "seed": "1", "views": [0]}))["views"]
    views = []
    for cards in hands:
        view = msgspec.json.decode(msgspec.json.encode(begun["state"]))
        view["seats"][0]["hand"]["closed"] = sorted(cards)
        views.append(view)
    return traces(*(partial(post, "pictures", {"state": view, "layout": "narrow"}) for view in views))


@with_hands
def test_a_player_who_sends_their_own_record_leaves_nothing_of_what_was_dealt(game_id: str) -> None:
    game, random, client = all_games()[game_id], Random(game_id), client_of_the_application()
    base = f"/v1/games/{game_id}"
    begun = json_text.decode(client.post(f"{base}/setups", json={"players": 2, "seed": "1"}).data)
    state = msgspec.convert(begun["state"], game.state_type)
    records = [own_record(game, begun, one) for one in (state, with_another_hand(game, state, 0, random))]

    def send(record: Any) -> None:
        written = client.post(f"{base}/records", json={"record": record}, headers={"Accept": NOTATION}).data
        answers = [
            client.post(f"{base}/replays", data=written, content_type=NOTATION),
            client.post(f"{base}/replays", json={"record": record, "texts": True}),
            client.post(f"{base}/views", json={"record": record, "seat": 0}),
            *(
                client.post(f"{base}/pictures", json={"record": record, "ply": ply, "seat": 0})
                for ply in range(len(record["moves"]) + 1)
                if ply == len(record["moves"]) or record["moves"][ply - 1].get("card")
            ),
        ]
        assert {answer.status_code for answer in answers} == {200}

    assert not traces(*(partial(send, record) for record in records))


def own_record(game: AnyGame, begun: dict[str, Any], state: Any) -> dict[str, Any]:
    """The set-up as seat 0 knows it, with the hand they have in `state`."""
    moves = [dict(move) for move in begun["moves"]]
    deals = [move for move in moves if move["type"] == "deal-card"]
    own = list(state.seats[0].hand.closed)
    for index, move in enumerate(deals):
        if index < len(deals) // 2:
            move["card"] = next(card for card in own if game.pile_of(card) == game.pile_of(move["card"]))
            own.remove(move["card"])
        else:
            move["card"] = None
    state = begun["state"]
    head = {name: state[name] for name in ("game", "schema_version", "rules_version", "options")}
    return {**head, "players": 2, "moves": moves}


CARDS = ("card", "cards", "payment")


@with_hands
def test_a_move_that_was_tried_leaves_nothing_of_its_cards(game_id: str) -> None:
    """Two moves that differ in closed cards of the hand alone."""
    game = all_games()[game_id]
    done, post = played(game_id, most(game)), posted_to_the_application(game)
    compared = 0
    for table in moving(done):
        (seat,) = table["waiting"]["seats"]
        asks = {"table": table, "seat": seat, "secret": done.players[seat].secret}
        seen = json_text.decode(post("tables/views", {**asks, "legal_moves": 200}))
        pair = moves_with_other_cards(seen["legal_moves"]["moves"], seen["state"]["seats"][seat]["hand"]["closed"])
        if pair is None:
            continue

        def try_out(move: Any, asks: dict[str, Any] = asks, state: Any = seen["state"]) -> None:
            post("tables/transitions", {**asks, "moves": [move], "texts": True})
            post("verdicts", {"state": state, "move": move, "nearest": 3, "texts": True})

        assert not traces(*(partial(try_out, move) for move in pair))
        compared += 1
        if compared == 3:
            return
    assert compared


def moves_with_other_cards(moves: list[dict[str, Any]], closed: list[str]) -> list[dict[str, Any]] | None:
    """Two moves that are the same but for the cards; None if there are none."""
    alike: dict[str, list[dict[str, Any]]] = {}
    for move in moves:
        played_cards = [
            card for name in CARDS if name in move for card in ([move[name]] if name == "card" else move[name])
        ]
        if set(played_cards) & set(closed):
            rest = {name: value for name, value in move.items() if name not in CARDS}
            alike.setdefault(str(rest), []).append(move)
    return next((found[:2] for found in alike.values() if len(found) > 1), None)


def test_what_is_dealt_unseen_leaves_nothing() -> None:
    """The same table, whose sealed root draws another card: the spectator's record of it is the same."""
    game = all_games()["fifth-avenue"]
    done, post = played("fifth-avenue", most(game)), posted_to_the_application(game)
    table = next(
        before
        for before, after in pairwise(done.tables)
        if before["waiting"]["for"] == "draw"
        and set(lines_of(after["record"])[len(lines_of(before["record"])) :]) == {"deal-card ?"}
    )
    opened = opened_table(game, KEYS, table)
    seat = table["waiting"]["seats"][0]
    asks = {"seat": seat, "secret": done.players[seat].secret, "moves": []}
    doubles = [as_document(sealed_table(game, KEYS.sealing, replace(opened, root=f"{n:064x}"))) for n in range(3)]
    requests = [partial(post, "tables/transitions", {"table": double, **asks}) for double in doubles]
    assert len({json_text.decode(ask())["table"]["record"] for ask in requests}) == 1
    for other in requests[1:]:
        assert not traces(requests[0], other)


def test_a_trace_is_found_in_a_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decisions, "kinds", lru_cache(maxsize=100)(kinds))
    assert any(traces_of_hands("campanile"))


def test_a_trace_is_found_in_what_is_kept_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = dict[Any, Any]()

    def remembered(*arguments: Any) -> Any:
        if arguments not in kept:
            kept[arguments] = [*kinds(*arguments)]
        return tuple(kept[arguments])

    monkeypatch.setattr(decisions, "kinds", remembered)
    assert any(traces_of_hands("campanile"))


def test_a_trace_is_found_in_what_a_thread_has_not_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "forget", lambda: None)
    assert any(traces_of_hands("campanile"))
