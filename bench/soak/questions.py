"""What the clients of a soak ask, and the answers this process gives to the same: every resource, every game."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from tests.support.archives import archive_lines
from tests.support.conformance import CONFORMANCE
from tests.support.recorded import Replay

from bench.positions import Position, middle_of_games, replays_of, spread
from capomastro.api.application import create_app
from capomastro.api.media_types import JSON, NDJSON
from capomastro.api.resources import RESOURCES
from capomastro.documents import json_text, notation
from capomastro.documents.files import schemas_directory
from capomastro.engine.game import AnyGame
from capomastro.games import all_games
from capomastro.settings import Settings
from capomastro.tables.keys import KeyRing, new_master
from capomastro.tables.questions import create_table
from capomastro.tables.shares import lock_of, new_secret

POSITIONS = 12
"""Of each game."""
RECORDS = 6
"""Of each game, the longest among them."""
ILLEGAL_MOVES = 12
"""Of each game."""
STREAM_LENGTHS = (1, 5, 60)
"""Number of records in one stream."""
SEALING_KEY = new_master()
"""All instances seal with it: a table sealed by one is opened by the other, and by this process."""
LARGE = 300_000
"""Bytes: more than a body with a state may have, and than the proxy keeps in memory."""


class Question(NamedTuple):
    """A request; `lines` are the pieces of a body that is sent piece by piece, each after the answer to the last."""

    name: str
    method: str
    path: str
    body: bytes = b""
    headers: Mapping[str, str] = {}
    lines: Sequence[bytes] = ()


class Expected(NamedTuple):
    """The expected answer to a question, whichever instance gives it."""

    status: int
    content: bytes


def post(name: str, path: str, document: Any, media_type: str = JSON) -> Question:
    body = document if isinstance(document, bytes) else json_text.encode(document)
    return Question(name, "POST", path, body, {"Content-Type": media_type})


def accepting(media_type: str, question: Question) -> Question:
    """The same question, for an answer of this type."""
    return question._replace(headers={**question.headers, "Accept": media_type})


def about_positions(game: AnyGame, base: str) -> Iterator[Question]:
    """Questions about states in the course of a game."""
    position: Position
    for position in spread(middle_of_games(game), POSITIONS):
        state, move = position.state, position.move
        yield post("legal-moves", f"{base}/legal-moves", {"state": state, "limit": 50, "explain": True})
        yield post("suggestions", f"{base}/suggestions", {"state": state, "seed": "7"})
        yield post("verdicts", f"{base}/verdicts", {"state": state, "move": move})
        yield post(
            "transitions", f"{base}/transitions", {"state": state, "moves": [move], "seed": "7", "views": [0, None]}
        )
        yield post("audits", f"{base}/audits", {"state": state})
        yield post("views", f"{base}/views", {"state": state, "seat": 1})
        yield post("samples", f"{base}/samples", {"state": state, "seat": 1, "seed": "7", "count": 2})
        yield post("scores", f"{base}/scores", {"state": state})
        yield post("pictures", f"{base}/pictures", {"state": state})
        yield post("pictures", f"{base}/pictures", {"state": state, "seat": 1, "layout": "narrow"})


def about_records(game: AnyGame, base: str) -> Iterator[Question]:
    """Questions about whole games."""
    replay: Replay
    for replay in spread(replays_of(game), RECORDS):
        record = replay.document
        yield post("replays", f"{base}/replays", {"record": record})
        broken = {**record, "moves": record["moves"][3:]}
        yield post("replays", f"{base}/replays", {"record": broken, "repair": "skip"})
        yield post("records", f"{base}/records", notation.written(game, record).encode(), notation.MEDIA_TYPE)
        yield post("views", f"{base}/views", {"record": record, "seat": None})
        middle = len(record["moves"]) // 2
        yield post("pictures", f"{base}/pictures", {"record": record, "ply": middle})
        yield accepting(JSON, post("pictures", f"{base}/pictures", {"record": record, "ply": middle, "count": 3}))
        if replay.result is not None:
            yield post("scores", f"{base}/scores", {"state": replay.plies[-1].after})


def about_scoresheets(game: AnyGame, base: str) -> Iterator[Question]:
    """The example of its schema, drawn."""
    sheet = json_text.decode((schemas_directory() / game.id / "scoresheet.json").read_bytes())["examples"][0]
    yield post("pictures", f"{base}/pictures", {"scoresheet": sheet})


def about_illegal_moves(game: AnyGame, base: str) -> Iterator[Question]:
    """Moves that break a rule each."""
    vectors = Path(CONFORMANCE, game.id, "illegal-moves.ndjson").read_bytes().splitlines()
    for vector in spread(vectors, ILLEGAL_MOVES):
        case = json.loads(vector)
        asked = {name: case[name] for name in ("state", "seat") if name in case}
        yield post("verdicts", f"{base}/verdicts", {**asked, "move": case["move"]})
        yield post("transitions", f"{base}/transitions", {**asked, "moves": [case["move"]]})


def mistakes(game: AnyGame, base: str) -> Iterator[Question]:
    """Requests that are refused, each for another reason."""
    yield post("mistakes", f"{base}/audits", b'{"state": ')
    yield post("mistakes", f"{base}/audits", b"[" * 10_000)
    yield post("mistakes", f"{base}/verdicts", {"state": {}, "move": {}})
    yield post("mistakes", f"{base}/audits", b'{"state": "' + b"x" * LARGE + b'"}')
    yield post("mistakes", f"{base}/setups", {"players": 2}, "text/plain")
    yield Question("mistakes", "GET", f"{base}/rules/{game.id}.none.none")


def about_tables(game: AnyGame, base: str) -> Iterator[Question]:
    """A sealed table for the fewest players: made, looked at, joined by the first, and opened too early."""
    secrets = [new_secret() for _ in range(game.players[0])]
    players, locks = game.players[0], [lock_of(secret) for secret in secrets]
    yield post("tables", f"{base}/tables", {"players": players, "locks": locks})
    sealed = {"table": create_table(game, KeyRing([SEALING_KEY]), players, None, {}, locks).table}
    yield post("tables", f"{base}/tables/views", {**sealed, "seat": None})
    first = {**sealed, "seat": 0, "secret": secrets[0]}
    yield post("tables", f"{base}/tables/transitions", {**first, "moves": []})
    yield post("tables", f"{base}/tables/records", first)


def streams() -> Iterator[Question]:
    """Records of all games, one a line."""
    for length in STREAM_LENGTHS:
        lines = [line + b"\n" for line in islice(archive_lines(length), length)]
        yield Question("streams", "POST", "/v1/replays", headers={"Content-Type": NDJSON}, lines=lines)


def questions() -> Iterator[Question]:
    """All of them; the same in every run."""
    for resource in RESOURCES:
        if resource.method == "GET" and "{" not in resource.path:
            yield Question("catalogue", "GET", resource.path)
    for game in all_games().values():
        base = f"/v1/games/{game.id}"
        yield Question("catalogue", "GET", base)
        yield Question("catalogue", "GET", f"{base}/rules")
        yield Question("catalogue", "GET", f"{base}/schemas/state")
        for players in game.players:
            yield post("setups", f"{base}/setups", {"players": players, "seed": str(players)})
        yield from about_positions(game, base)
        yield from about_records(game, base)
        yield from about_scoresheets(game, base)
        yield from about_illegal_moves(game, base)
        yield from mistakes(game, base)
        yield from about_tables(game, base)
    yield from streams()


def answered() -> list[tuple[Question, Expected]]:
    """All questions with their answers, given by this process."""
    client = create_app(Settings(log_level="ERROR", sealing_keys=SEALING_KEY)).test_client()
    found = []
    for question in questions():
        body = b"".join(question.lines) or question.body
        response = client.open(question.path, method=question.method, data=body or None, headers=dict(question.headers))
        found.append((question, Expected(response.status_code, response.get_data())))
    return found
