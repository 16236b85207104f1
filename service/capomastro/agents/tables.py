"""Tables: the games of one process, each as its last position with its history."""

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import capomastro
from capomastro import Position, Problem
from capomastro.agents.keys import Chair, Keys, new_table
from capomastro.documents.wordings import phrase
from capomastro.library.games import MoveLike

MAXIMUM_IN_MEMORY = 100
"""Maximum number of games that a process holds."""


class Store(Protocol):
    """Where positions are kept, by the name of their table."""

    def require_room(self) -> None:
        """Raises a Problem if there is no room for one more table."""

    def find(self, table: str) -> Position | None: ...

    def keep(self, table: str, position: Position) -> None: ...


class Memory:
    """Positions in this process only: when it ends, they are gone."""

    def __init__(self, most: int = MAXIMUM_IN_MEMORY) -> None:
        self.most = most
        self.positions: OrderedDict[str, Position] = OrderedDict()
        """Those longest untouched first."""

    def require_room(self) -> None:
        """Makes room: the finished game that was longest untouched gives way, a running one never.

        Raises:
            Problem: `busy`.
        """
        if len(self.positions) < self.most:
            return
        finished = next((table for table, position in self.positions.items() if position.is_over), None)
        if finished is None:
            raise Problem("busy", phrase("too-many-tables", most=self.most))
        del self.positions[finished]

    def find(self, table: str) -> Position | None:
        if table in self.positions:
            self.positions.move_to_end(table)
        return self.positions.get(table)

    def keep(self, table: str, position: Position) -> None:
        self.positions[table] = position
        self.positions.move_to_end(table)


class Place(NamedTuple):
    """What the holder of a key may act on: their seat, and the whole position, which they must not see."""

    seat: int
    position: Position

    @property
    def view(self) -> Position:
        """The position as this seat may know it, with the moves of the last call."""
        return self.position.seen_by(self.seat)


class Tables:
    """Tables with a key for each seat. Not for several threads at once."""

    def __init__(self, keys: Keys, store: Store, new_name: Callable[[], str] = new_table) -> None:
        self.keys = keys
        self.store = store
        self.new_name = new_name

    def begin(
        self, game: str, players: int, names: Sequence[str] | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Position, tuple[str, ...]]:
        """A new game, set up by chance, and the keys of its seats.

        Raises:
            Problem: `not-found`, `options`, `shape`; `busy` if there are too many tables.
        """
        table = self.new_name()
        while self.store.find(table) is not None:
            table = self.new_name()
        position = capomastro.set_up(game, players, names=names, options=options, seed=self.keys.seed(table))
        self.store.require_room()  # no table gives way to a game that is refused
        self.store.keep(table, position)
        return position, tuple(self.keys.key(Chair(table, seat)) for seat in range(players))

    def place(self, key: str) -> Place:
        """The seat and the game of a key.

        Raises:
            Problem: `not-found`.
        """
        chair = self.keys.chair(key)
        position = None if chair is None else self.store.find(chair.table)
        if chair is None or position is None:
            raise Problem("not-found", phrase("no-such-key"))
        return Place(chair.seat, position)

    def play(self, key: str, move: MoveLike) -> Place:
        """Plays a move of the key's seat, then all draws that are due; it is kept before anybody learns of it.

        Raises:
            IllegalMove: judged by what the seat may know.
            Problem: `not-found`, or if it is not a move of this game.
        """
        seat, position = self.place(key)
        chair = self.keys.chair(key)
        assert chair is not None
        after = position.play(move, seed=self.keys.seed(chair.table), seat=seat)
        self.store.keep(chair.table, after)
        return Place(seat, after)
