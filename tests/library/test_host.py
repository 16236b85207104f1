"""The host among the examples, with three players; one cheats in every way a request can."""

import json
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from runpy import run_path
from typing import Any

import pytest
from flask import Flask
from msgspec import to_builtins

import capomastro
from capomastro import Position
from tests.support.hidden import occurrences, secrets_of

HOST = Path(__file__).parents[2] / "examples" / "host.py"
LONGEST = 80
ADA, BRUNO, CHIARA = range(3)


class Club:
    """Three players at a host of their own."""

    def __init__(self, folder: Path, game: str = "palazzo") -> None:
        self.app: Flask = run_path(str(HOST))["app"]
        self.file = folder / "games.sqlite"
        self.app.config["DATABASE"] = str(self.file)
        begun = self.app.test_client().post("/games", json={"game": game, "players": ["Ada", "Bruno", "Chiara"]})
        self.tokens: list[str] = begun.get_json()["tokens"]

    def ask(self, seat: int, path: str, body: Any = None, token: str | None = None) -> tuple[int, Any]:
        """Status and answer of a request with the token of a seat; without a body, a GET."""
        headers = {"Authorization": f"Bearer {self.tokens[seat] if token is None else token}"}
        client, method = self.app.test_client(), "GET" if body is None else "POST"
        answer = client.open(path, method=method, headers=headers, json=body)
        return answer.status_code, answer.get_json(silent=True)

    def look(self, seat: int) -> Any:
        status, answer = self.ask(seat, "/game")
        assert status == 200
        return answer

    def play(self, player: int, move: Any, turn: int | None = None, **more: Any) -> tuple[int, Any]:
        turn = self.look(player)["turn"] if turn is None else turn
        return self.ask(player, "/game/moves", {"turn": turn, "move": move, **more})

    def kept(self) -> list[Any]:
        """All that the host has stored of the turns."""
        with sqlite3.connect(self.file) as db:
            return db.execute("select * from turns order by turn").fetchall()

    def position(self) -> Position:
        """The whole game, which only the host knows."""
        _, _, state, moves = self.kept()[-1]
        return Position.from_document(state).play(*json.loads(moves))

    def deciding(self) -> int:
        return next(seat for seat in range(3) if self.look(seat)["moves"])


@pytest.fixture
def club(tmp_path: Path) -> Club:
    return Club(tmp_path)


@pytest.mark.parametrize("game", [game.id for game in capomastro.all_games()])
def test_three_players_play_and_each_sees_only_their_own(game: str, tmp_path: Path) -> None:
    club = Club(tmp_path, game)
    for _ in range(6):
        seat = club.deciding()
        status, answer = club.play(seat, club.look(seat)["moves"][0])
        assert status == 200
        assert answer["happened"]
        position = club.position()
        for viewer in range(3):
            seen = club.look(viewer)
            assert seen["state"] == position.seen_by(viewer).document()
            assert occurrences(secrets_of(position.state, viewer), seen) == []


DRAW = {"type": "draw-tile", "tile": "marble-1-3"}
BUILD_OF_ADA = {"type": "build", "seat": ADA}

FORGED: dict[str, tuple[Any, str | None]] = {
    "the move of another seat": (BUILD_OF_ADA, "palazzo.turn.asker"),
    "the move of another seat, as text": ("0 build", "palazzo.turn.asker"),
    "the move of another seat, by name": ("Ada build", "palazzo.turn.asker"),
    "a draw": (DRAW, "palazzo.turn.asker"),
    "a draw, as text": ("draw-tile marble-1-3", "palazzo.turn.asker"),
    "a move out of turn": ({"type": "build", "seat": BRUNO}, "palazzo.turn.seat"),
    "a seat that is none": ({"type": "build", "seat": 7}, None),
    "no seat": ({"type": "build", "seat": None}, None),
    "no move": (None, None),
    "a number": (1, None),
    "several moves": ([BUILD_OF_ADA, DRAW], None),
    "an unknown move": ({"type": "win", "seat": BRUNO}, None),
    "more members": ({"type": "build", "seat": BRUNO, "state": {}}, None),
}
"""What Bruno sends while Ada is to decide, and the rule that refuses it; None if it is no move of this game."""


def test_no_move_can_be_forged(club: Club) -> None:
    before = club.kept()
    for name, (move, rule) in FORGED.items():
        status, answer = club.play(BRUNO, move)
        assert status == 422, name
        rules = [error["rule"] for error in answer["errors"] if "rule" in error]
        assert rules == ([rule] if rule else []), name
    assert club.kept() == before


def test_requests_with_more_than_a_move_change_nothing_else(club: Club) -> None:
    """Seat, seed, state and views are the host's, whatever a request says of them."""
    claims = {"seat": ADA, "seed": "7", "state": club.look(BRUNO)["state"], "views": [0, 1, 2], "names": ["Bruno"]}
    assert club.play(BRUNO, BUILD_OF_ADA, **claims)[0] == 422
    status, answer = club.play(ADA, BUILD_OF_ADA, **claims)
    assert status == 200
    assert set(answer) == {"turn", "state", "happened", "moves"}
    assert to_builtins(answer["state"]) == club.position().seen_by(ADA).document()


def test_only_the_token_of_a_seat_opens_it(club: Club) -> None:
    for token in ("", "0", club.tokens[ADA][:-1], "' or 1=1 --"):
        assert club.ask(ADA, "/game", token=token)[0] == 401
        assert club.ask(ADA, "/game/moves", {"turn": 0, "move": BUILD_OF_ADA}, token=token)[0] == 401
    assert club.look(ADA)["turn"] == 0


def test_a_turn_is_played_once_however_often_it_is_sent(club: Club) -> None:
    """Late, repeated and simultaneous requests: of eight at once, one is played."""
    with ThreadPoolExecutor(8) as pool:
        sent = [pool.submit(club.play, ADA, {"type": "take-money", "seat": ADA}, 0) for _ in range(8)]
    assert sorted(one.result()[0] for one in sent) == [200, *[409] * 7]
    assert club.play(ADA, BUILD_OF_ADA, turn=0)[0] == 409
    assert club.play(ADA, BUILD_OF_ADA, turn=2)[0] == 409
    assert [turn for _, turn, _, _ in club.kept()] == [0, 1]


def test_undo_needs_everybody_and_draws_again(club: Club) -> None:
    assert club.ask(ADA, "/game/undo", {"turn": 0})[0] == 409
    drawn = set()
    for _ in range(6):
        assert club.play(ADA, BUILD_OF_ADA)[0] == 200
        drawn.add(json.dumps(club.look(ADA)["state"]["supply"]))
        for seat in (ADA, ADA, BRUNO, BRUNO):
            assert club.ask(seat, "/game/undo", {"turn": 1})[1]["turn"] == 1, "not everybody has agreed"
        assert club.ask(CHIARA, "/game/undo", {"turn": 1})[1]["turn"] == 0
    assert len(drawn) > 1, "who has seen the draws cannot choose by them"
    club.ask(BRUNO, "/game/undo", {"turn": 0})
    assert club.play(ADA, BUILD_OF_ADA)[0] == 200
    for seat in (ADA, CHIARA):
        assert club.ask(seat, "/game/undo", {"turn": 1})[1]["turn"] == 1, "an agreement is for one turn"


def test_host_is_short() -> None:
    assert sum(bool(line.strip()) for line in HOST.read_text("utf-8").splitlines()) < LONGEST
