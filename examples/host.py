"""A host for players who do not trust each other: it keeps the whole game, and each has a token for their seat.

POST /games {"game": "palazzo", "players": ["Ada", "Bruno"]}   begins a game: a token for each seat
GET /game                                                      what the seat of the token may know
POST /game/moves {"turn": 0, "move": {…}}                      plays a move
POST /game/undo {"turn": 1}                                    takes this turn back, once all seats have asked

Run: flask --app host run
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import count, repeat
from secrets import token_urlsafe
from typing import Any

import msgspec
from flask import Flask, abort, request

import capomastro
from capomastro import Position, Problem

TABLES = """create table if not exists seats (token primary key, game, seat, undo);
create table if not exists turns (game, turn, state, moves, primary key (game, turn));"""
app = Flask(__name__)
app.config["DATABASE"] = "games.sqlite"


@contextmanager
def database() -> Iterator[sqlite3.Connection]:
    """A transaction: nobody plays between reading and writing, and after an error nothing is kept."""
    with closing(sqlite3.connect(app.config["DATABASE"], timeout=60, isolation_level=None)) as db, db:
        db.executescript(TABLES)
        db.execute("begin immediate")
        yield db


def table_of_token(db: sqlite3.Connection, turn: Any = None) -> tuple[str, int, int, Position]:
    """Game and seat, the last turn and its position; for a request about a turn, only if that is the last."""
    token = request.headers.get("Authorization", "").removeprefix("Bearer ")
    game, seat = db.execute("select game, seat from seats where token = ?", [token]).fetchone() or abort(401)
    turns = db.execute("select turn, state, moves from turns where game = ? order by turn desc", [game])
    last, state, moves = turns.fetchone()
    if turn not in (None, last):
        abort(409)
    return game, seat, last, Position.from_document(state).play(*msgspec.json.decode(moves))


def keep(db: sqlite3.Connection, game: str, turn: int, position: Position) -> None:
    before, moves = position.before or position, msgspec.json.encode([ply.move for ply in position.plies])
    db.execute("insert into turns values (?, ?, ?, ?)", [game, turn, before.json(), moves])
    db.execute("update seats set undo = false where game = ?", [game])


def seen_by_token(db: sqlite3.Connection) -> dict[str, Any]:
    """All that a player is ever sent: their view, and the moves that are theirs to make."""
    _, seat, turn, position = table_of_token(db)
    view = position.seen_by(seat)
    moves = view.legal_moves[:1000] if view.decision.seat == seat else ()
    return {"turn": turn, "state": view.document(), "happened": view.in_words(), "moves": msgspec.to_builtins(moves)}


@app.post("/games")
def begin() -> dict[str, Any]:
    game, players = request.get_json()["game"], request.get_json()["players"]
    position = capomastro.set_up(game, len(players), names=players, seed=token_urlsafe())
    name, tokens = token_urlsafe(), [token_urlsafe() for _ in players]
    with database() as db:
        db.executemany("insert into seats values (?, ?, ?, false)", zip(tokens, repeat(name), count()))
        keep(db, name, 0, position)
    return {"tokens": tokens}


@app.get("/game")
def look() -> dict[str, Any]:
    with database() as db:
        return seen_by_token(db)


@app.post("/game/moves")
def play() -> dict[str, Any]:
    with database() as db:
        game, seat, turn, position = table_of_token(db, request.get_json()["turn"])
        keep(db, game, turn + 1, position.play(request.get_json()["move"], seat=seat, seed=token_urlsafe()))
        return seen_by_token(db)


@app.post("/game/undo")
def undo() -> dict[str, Any]:
    with database() as db:
        game, seat, turn, _ = table_of_token(db, request.get_json()["turn"] or abort(409))
        db.execute("update seats set undo = true where game = ? and seat = ?", [game, seat])
        if db.execute("select min(undo) from seats where game = ?", [game]).fetchone()[0]:
            db.execute("delete from turns where game = ? and turn = ?", [game, turn])
            db.execute("update seats set undo = false where game = ?", [game])
        return seen_by_token(db)


@app.errorhandler(Problem)
def refused(problem: Problem) -> tuple[dict[str, Any], int]:
    return problem.document(), 422
