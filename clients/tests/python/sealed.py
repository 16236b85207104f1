"""A game of Palazzo at a sealed table through the client: python sealed.py ADDRESS.

Each player has nothing but their secret and the tables that are passed round.
"""

import random
import secrets
import sys
from dataclasses import dataclass, field
from hashlib import sha256

from capomastro_client import UNSET, Capomastro, Problem, extends
from capomastro_client.models import PalazzoMove, PalazzoTable

ALL_MOVES = 1000
PLAYERS = 3


def digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()


@dataclass
class Player:
    seat: int
    secret: str = field(default_factory=lambda: secrets.token_urlsafe(32))
    kept: PalazzoTable | None = None

    @property
    def lock(self) -> str:
        return digest(digest(self.secret))

    def takes(self, table: PalazzoTable) -> None:
        if self.kept is not None and not extends(self.kept, table):
            raise LookupError("somebody has gone back")
        self.kept = table


def moves_of(capomastro: Capomastro, player: Player, table: PalazzoTable) -> list[PalazzoMove]:
    """One of the moves the player can make by what they see."""
    view = capomastro.palazzo.view_table(table=table, seat=player.seat, secret=player.secret, legal_moves=ALL_MOVES)
    if view.legal_moves is UNSET:
        raise LookupError("there are no legal moves")
    return [random.choice(view.legal_moves.moves)]


def main(address: str) -> None:
    players = [Player(seat) for seat in range(PLAYERS)]
    with Capomastro(address) as capomastro:
        table = capomastro.palazzo.create_table(players=PLAYERS, locks=[player.lock for player in players]).table
        first, before = table, table
        while table.waiting.for_ != "opening":
            player = players[random.choice(table.waiting.seats)]
            player.takes(table)
            moves = moves_of(capomastro, player, table) if table.waiting.for_ == "move" else []
            before = table
            table = capomastro.palazzo.advance_table(
                table=table, seat=player.seat, secret=player.secret, moves=moves
            ).table
            player.takes(table)
        if extends(table, before) or not extends(first, table):
            raise LookupError("a game goes on and not back")
        player = players[table.waiting.seats[0]]
        player.takes(table)
        opened = capomastro.palazzo.open_game(table=table, seat=player.seat, secret=player.secret)
        try:
            capomastro.palazzo.view_table(table=table, seat=0, secret=players[1].secret)
        except Problem as problem:
            print(problem.kind)
    if digest(opened.root) != table.commitment or [digest(share) for share in opened.shares] != table.creation.locks:
        raise LookupError("another game was opened")
    print("opened")


if __name__ == "__main__":
    main(*sys.argv[1:])
