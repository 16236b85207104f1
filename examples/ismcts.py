"""A bot that searches what it does not know: information-set Monte Carlo tree search, for any game and two players.

Each round deals the hidden cards anew (`sampled`), walks down one tree of moves by what is legal there, and plays on at
random. The move that the planning player suggests counts as tried before: the few rounds there is time for tell little.

Run: python ismcts.py palazzo [games] [seconds a move] [random | planning]
"""

import random
import sys
import time
from dataclasses import dataclass, field
from math import log, sqrt, tanh

import capomastro
from capomastro import Move, Position

CURIOSITY = 0.7  # how much it tries moves about which little is known
WIDEST = 20  # how many moves of a decision it looks at
CLEAR = 20  # a margin of so many points is as good as won
TRUST = 10  # how often the suggested move counts as tried, and half of these as won


@dataclass
class Node:
    """What is known of a move: how often it was possible and was tried, and the worth for the seat that made it."""

    possible: int = 0
    tried: int = 0
    worth: float = 0.0
    after: dict[Move, "Node"] = field(default_factory=dict)

    def promise(self) -> float:
        """The mean worth, and more if it was seldom tried although it was often possible."""
        return self.worth / self.tried + CURIOSITY * sqrt(log(self.possible) / self.tried)


def some_moves(position: Position) -> list[Move]:
    """The moves to look at: the same few at every visit, so that they are tried more than once."""
    moves = position.legal_moves
    number = min(moves.total, WIDEST)
    return [moves[moves.total * index // number] for index in range(number)]


def chosen(node: Node, moves: list[Move]) -> tuple[Move, Node, bool]:
    """A move that was never tried, or else the most promising; whether it is new."""
    children = [(move, node.after.setdefault(move, Node())) for move in dict.fromkeys(moves)]
    for _, child in children:
        child.possible += 1
    untried = [(move, child) for move, child in children if not child.tried]
    if untried:
        return *random.choice(untried), True
    return *max(children, key=lambda found: found[1].promise()), False


def played_out(position: Position, seed: str) -> Position:
    """The end of a game that goes on at random."""
    while not position.is_over:
        moves = position.legal_moves
        position = position.play(moves[random.randrange(moves.total)], seed=seed)
    return position


def margins(end: Position) -> list[float]:
    """What the end is worth to each of the two seats, from -1 to 1."""
    assert end.result is not None
    first, second = end.result.totals
    margin = tanh((first - second) / CLEAR)
    return [margin, -margin]


def search(view: Position, seconds: float) -> Move:
    """The move that was tried most, for the seat that decides, by nothing but its view."""
    root, seat, until = Node(), view.decision.seat, time.monotonic() + seconds
    if suggested := view.suggest(seed=random.getrandbits(64)):
        root.after[suggested] = Node(TRUST, TRUST, TRUST / 2)
    while time.monotonic() < until or not root.after:
        seed = str(random.getrandbits(64))
        position, node, is_new = view.sampled(seat, seed), root, False
        path: list[tuple[int, Node]] = []
        while not position.is_over and not is_new:
            mover = position.decision.seat
            assert mover is not None
            move, node, is_new = chosen(node, [*some_moves(position), *(() if path else root.after)])
            path.append((mover, node))
            position = position.play(move, seed=seed)
        worths = margins(played_out(position, seed))
        for mover, visited in path:
            visited.tried += 1
            visited.worth += worths[mover]
    return max(root.after, key=lambda move: root.after[move].tried)


def game(title: str, number: int, seconds: float, opponent: str) -> float:
    """1 if the bot wins against a player of the service, 0 if it loses, and a half for a tie; it begins every other."""
    position, bot = capomastro.set_up(title, 2, seed=number), number % 2
    while not position.is_over:
        seat = position.decision.seat
        moves = position.legal_moves
        if moves.total == 1:
            move: Move | None = moves[0]
        elif seat == bot:
            move = search(position.seen_by(seat), seconds)
        else:
            move = position.suggest("random" if opponent == "random" else "planning", seed=number)
        assert move is not None
        position = position.play(move, seed=number, seat=seat)
    winners = position.result.winners if position.result else None
    return 0.5 if winners is None or len(winners) != 1 else float(winners[0] == bot)


def main(title: str, games: str = "10", seconds: str = "0.5", opponent: str = "random") -> None:
    scores = [game(title, number, float(seconds), opponent) for number in range(int(games))]
    mean = sum(scores) / len(scores)
    error = 1.96 * sqrt(sum((score - mean) ** 2 for score in scores)) / len(scores)
    print(f"{title}: {mean:.0%} ± {error:.0%} of {games} games against the {opponent} player")


if __name__ == "__main__":
    main(*sys.argv[1:])
