"""Players who have nothing but their secret and the tables that are passed round."""

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
from capomastro.tables.base64url import encoded
from capomastro.tables.keys import KeyRing
from capomastro.tables.shares import lock_of

MASTERS = tuple(encoded(bytes(range(first, first + 32))) for first in (0, 32, 64))
"""Keys for tests: everybody knows them."""
QUIET = Settings(log_level="CRITICAL", audit_one_in=0)

Ask = Callable[[str, dict[str, Any]], bytes]
"""Asks a service for a resource (`tables/views`) of the game that is played, and gives the bytes of the answer."""


def by_hand(game: AnyGame, keys: KeyRing) -> Ask:
    """A service without HTTP: the question, from bytes to bytes."""
    asked: dict[str, Callable[..., Any]] = {
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
        return json_text.encode(asked[resource](**json_text.decode(json_text.encode(body))))

    return ask


class OverSockets:
    """A service in processes of its own: every request is sent through another connection, and now and then twice.

    Connections are kept, and each belongs to one process of the service: what it answers twice is answered by two.
    """

    def __init__(self, address: str, seed: str) -> None:
        parts = urlsplit(address)
        assert parts.hostname is not None
        self.connections = [HTTPConnection(parts.hostname, parts.port, timeout=60) for _ in range(6)]
        self.random = Random(seed)
        self.repeated = 0

    def of(self, game: AnyGame) -> Ask:
        """Asks about a game."""

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
"""So much of what is sent over sockets is sent twice."""


def posted(connection: HTTPConnection, path: str, content: bytes) -> bytes:
    """What is answered; over a new connection if the server has closed this one meanwhile, as it may."""
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
    """One seat: its secret, the table it keeps, and all bytes it has ever held, each with the ply it was sent at."""

    seat: int
    secret: str
    kept: dict[str, Any] | None = None
    held: list[tuple[int, bytes]] = field(default_factory=list)

    def takes(self, table: dict[str, Any]) -> None:
        """Takes over a table that goes on from the one that is kept; all players do, before they do anything."""
        assert self.kept is None or history.extends(self.kept, table)
        self.kept = table

    def holds(self, ply: int, content: bytes) -> Any:
        self.held.append((ply, content))
        return json_text.decode(content)


@dataclass
class Played:
    """A game that was played to its end."""

    game: AnyGame
    players: list[Player]
    tables: list[dict[str, Any]]
    """Every table there was, in order."""
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
    """Plays a game of random legal moves; `services` gives the one that is asked at a step."""
    random = Random(seed)
    seats = [Player(seat, encoded(random.randbytes(32))) for seat in range(players)]
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
