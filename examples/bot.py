"""A bot that looks one move ahead, against one that moves at random.

It plays by legal moves alone: it knows no rule of Palazzo, and tries each move of its view before it chooses.

Run: python bot.py http://localhost:8000 [seed]
"""

import random
import sys

from capomastro_client import UNSET, Capomastro, view_of
from capomastro_client.models import PalazzoLegalMoves, PalazzoMove, PalazzoResult, PalazzoState
from capomastro_client.questions import PalazzoPosition

GREEDY, RANDOM = 0, 1
"""Their seats."""

SOME = 12
"""How many moves are tried where there are more."""


def points_after(capomastro: Capomastro, view: PalazzoState, move: PalazzoMove, seat: int) -> tuple[int, int]:
    """What the palaces of a seat are worth after a move, and how many cards it holds."""
    after = capomastro.palazzo.play_moves(state=view, moves=[move])
    hand = after.state.seats[seat].hand
    return after.derived.palace_points[seat], len(hand.open or []) + len(hand.closed or [])


def greedy(capomastro: Capomastro, view: PalazzoState, legal: PalazzoLegalMoves, seat: int) -> PalazzoMove:
    """The move after which the seat has most; of several, one at random."""
    some = random.sample(legal.moves, min(SOME, len(legal.moves)))
    return max(some, key=lambda move: points_after(capomastro, view, move, seat))


def choose(capomastro: Capomastro, view: PalazzoState, seat: int) -> PalazzoMove:
    legal = capomastro.palazzo.list_legal_moves(state=view)
    return greedy(capomastro, view, legal, seat) if seat == GREEDY else random.choice(legal.moves)


def play(capomastro: Capomastro, seed: str) -> PalazzoResult:
    """A game to its end: each seat chooses by what it may know."""
    seats = [GREEDY, RANDOM]
    position: PalazzoPosition = capomastro.palazzo.create_setup(players=2, seed=seed, views=seats)
    while (seat := position.decision.seat) is not UNSET:
        move = choose(capomastro, view_of(position, seat).state, seat)
        position = after = capomastro.palazzo.play_moves(
            state=position.state, moves=[move], seat=seat, seed=seed, views=seats
        )
        if after.result is not UNSET:
            return after.result
    raise LookupError("nobody decides, and yet there is no result")


def main(address: str, seed: str = "") -> None:
    with Capomastro(address) as capomastro:
        result = play(capomastro, seed or str(random.getrandbits(128)))
    for name, seat in (("the bot", GREEDY), ("chance", RANDOM)):
        print(f"{name}: {result.players[seat].total} points")


if __name__ == "__main__":
    main(*sys.argv[1:])
