"""Players who have only their secret and the tables that are passed round."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from http.client import HTTPConnection, RemoteDisconnected
from random import Random
from typing import Any
from urllib.parse import urlsplit

from capomastro.documents import json_text
from capomastro.engine.game import AnyGame
from capomastro.settings import Settings
from capomastro.tables import history, questions
from capomastro.tables.base64url import to_base64url
from capomastro.tables.keys import KeyRing
from capomastro.tables.shares import lock_of

MASTERS = tuple(to_base64url(bytes(range(first, first + 32))) for first in (0, 32, 64))
"""Keys for tests only: they are public."""
QUIET = Settings(log_level="CRITICAL")

Ask = Callable[[str, dict[str, Any]], bytes]
"""Sends a request for a resource (`tables/views`) of the game to a service, and returns the bytes of the answer."""


def by_hand(game: AnyGame, keys: KeyRing) -> Ask:
    """A service without HTTP: from the bytes of a request to those of the answer."""
    resources: dict[str, Callable[..., Any]] = {
        "tables": lambda **given: questions.create_table(
            game, keys, **{"names": None, "options": {}, "draws": "witnessed", "nonce": "", **given}
        ),
        "tables/views": lambda table, seat, secret=None, legal_moves=None: questions.view_of_table(
            game, keys, table, seat, secret, legal_moves
        ),
        "tables/transitions": lambda table, seat, secret, moves: questions.advance(
            game, keys, table, seat, secret, moves
        ),
        "tables/records": lambda table, seat, secret: questions.open_game(game, keys, table, seat, secret),
    }

    def ask(resource: str, body: dict[str, Any]) -> bytes:
        return json_text.encode(resources[resource](**json_text.decode(json_text.encode(body))))

    return ask


class OverSockets:
    """A service in separate processes: each request uses another connection, and some are sent twice.

    Connections stay open, and each belongs to one process, so a repeated request is answered by two processes.
    """

    def __init__(self, address: str, seed: str) -> None:
        parts = urlsplit(address)
        assert parts.hostname is not None
        self.connections = [HTTPConnection(parts.hostname, parts.port, timeout=60) for _ in range(6)]
        self.random = Random(seed)
        self.repeated = 0

    def of(self, game: AnyGame) -> Ask:
        """Sends requests about a game."""

        def ask(resource: str, body: dict[str, Any]) -> bytes:
            content = json_text.encode(body)
            often = 2 if self.random.random() < REPEATED else 1
            chosen = self.random.sample(self.connections, often)
            answers = [posted(one, f"/v1/games/{game.id}/{resource}", content) for one in chosen]
            assert len(set(answers)) == 1, "the same request is answered differently"
            self.repeated += often - 1
            return answers[0]

        return ask


REPEATED = 0.2
"""The share of requests over sockets that are sent twice."""


def posted(connection: HTTPConnection, path: str, content: bytes) -> bytes:
    """The answer; over a new connection if the server has closed this one, as it may."""
    try:
        connection.request("POST", path, content, {"Content-Type": "application/json"})
        response = connection.getresponse()
    except (RemoteDisconnected, BrokenPipeError, ConnectionResetError):
        connection.close()
        connection.request("POST", path, content, {"Content-Type": "application/json"})
        response = connection.getresponse()
    answer = response.read()
    assert response.status == 200, answer
    return answer


@dataclass
class Player:
    """One seat: its secret, the table it keeps, and all bytes it ever received, each with the ply of its request."""

    seat: int
    secret: str
    kept: dict[str, Any] | None = None
    held: list[tuple[int, bytes]] = field(default_factory=list)

    def takes(self, table: dict[str, Any]) -> None:
        """Keeps a table that extends the one kept before; all players check this before they do anything."""
        assert self.kept is None or history.extends(self.kept, table)
        self.kept = table

    def holds(self, ply: int, content: bytes) -> Any:
        self.held.append((ply, content))
        return json_text.decode(content)


@dataclass
class Played:
    """A finished game."""

    game: AnyGame
    players: list[Player]
    tables: list[dict[str, Any]]
    """All tables, in order."""
    opened: dict[str, Any]


def play(
    game: AnyGame,
    services: Callable[[int], Ask],
    seed: str,
    players: int,
    draws: str = "witnessed",
    options: dict[str, Any] | None = None,
    names: Sequence[str] | None = None,
) -> Played:
    """Plays a game of random legal moves; `services` returns the service to use at a step."""
    random = Random(seed)
    seats = [Player(seat, to_base64url(random.randbytes(32))) for seat in range(players)]
    creation = {
        "players": players,
        "locks": [lock_of(one.secret) for one in seats],
        "options": options or {},
        "draws": draws,
        "nonce": seed,
        **({"names": list(names)} if names else {}),
    }
    table = json_text.decode(services(0)("tables", creation))["table"]
    tables = [table]
    for step in range(1, 20_000):
        awaited = table["waiting"]
        player = seats[random.choice(awaited["seats"])]
        player.takes(table)
        asks = {"table": table, "seat": player.seat, "secret": player.secret}
        ply = table["state"]["ply"]
        if awaited["for"] == "opening":
            opened = json_text.decode(services(step)("tables/records", asks))
            return Played(game, seats, tables, opened)
        moves = []
        if awaited["for"] == "move":
            view = player.holds(ply, services(step)("tables/views", {**asks, "legal_moves": 1000}))
            moves = [random.choice(view["legal_moves"]["moves"])]
        answer = player.holds(-1, services(step)("tables/transitions", {**asks, "moves": moves}))
        table = answer["table"]
        player.held[-1] = (table["state"]["ply"], player.held[-1][1])
        tables.append(table)
    raise AssertionError("the game goes round in circles")
