"""An evening of Palazzo among three programs."""

import random
from collections.abc import Callable, Sequence

import capomastro
from capomastro import Move, Position, Record
from capomastro.games.palazzo.moves import Buy

Player = Callable[[Position], Move]


def chance_taker(seen: Position) -> Move:
    """Plays any legal move."""
    return random.choice(seen.legal_moves)


def buyer(seen: Position) -> Move:
    """Buys as much as possible, otherwise plays the first legal move."""
    purchases = [move for move in seen.legal_moves if isinstance(move, Buy)]
    return max(purchases, key=lambda move: len(move.tiles), default=seen.legal_moves[0])


def play(players: Sequence[Player], names: Sequence[str], seed: str) -> Record:
    """The record of a whole game."""
    position = capomastro.set_up("palazzo", len(players), names=names, seed=seed)
    while (seat := position.decision.seat) is not None:
        move = players[seat](position.seen_by(seat))
        position = position.play(move, seed=seed)
    return Record.of(position)


if __name__ == "__main__":
    random.seed(7)
    record = play([buyer, chance_taker, chance_taker], ["Ada", "Bruno", "Cleo"], seed="a long and random text")
    print(record.replay())
