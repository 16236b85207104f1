"""Random games with hidden hands through the client: python play.py ADDRESS GAME GAMES.

One function plays every game, since all are asked in the same way; the types say that they are.
"""

import random
import sys
from collections.abc import Sequence
from typing import Protocol, TypeVar

from capomastro_client import UNSET, Capomastro, Position

State = TypeVar("State")
Move = TypeVar("Move")
State_contra = TypeVar("State_contra", contravariant=True)
State_co = TypeVar("State_co", covariant=True)
Move_co = TypeVar("Move_co", covariant=True)

SEATS = (2, 3, 4)
ALL_MOVES = 1000


class Legal(Protocol[Move_co]):
    """One page of legal moves."""

    @property
    def moves(self) -> Sequence[Move_co]: ...
    @property
    def complete(self) -> bool: ...


class Played(Position[State_co, object, object], Protocol[State_co]):
    """A transition."""

    @property
    def result(self) -> object: ...


class CreateSetup(Protocol[State_co]):
    def __call__(self, *, players: int, seed: str, views: list[int | None]) -> Position[State_co, object, object]: ...


class ListLegalMoves(Protocol[State_contra, Move_co]):
    def __call__(self, *, state: State_contra, limit: int) -> Legal[Move_co]: ...


class PlayMoves(Protocol[State, Move]):
    def __call__(self, *, state: State, moves: list[Move], seed: str, views: list[int | None]) -> Played[State]: ...


class Game(Protocol[State, Move]):
    """Any game of the service."""

    @property
    def create_setup(self) -> CreateSetup[State]: ...
    @property
    def list_legal_moves(self) -> ListLegalMoves[State, Move]: ...
    @property
    def play_moves(self) -> PlayMoves[State, Move]: ...


def play(game: Game[State, Move], players: int, seed: str) -> int:
    """A game to its end, each seat choosing from the legal moves of its own view; how many decisions that took."""
    seats: list[int | None] = list(range(players))
    now: Position[State, object, object] = game.create_setup(players=players, seed=seed, views=seats)
    decisions = 0
    while now.decision.actor != "none":
        seat = now.decision.seat
        if seat is UNSET or now.views is UNSET:
            raise LookupError(f"nobody decides {now.decision.kind}")
        (view,) = (viewed.state for viewed in now.views if viewed.seat == seat)
        legal = game.list_legal_moves(state=view, limit=ALL_MOVES)
        if not legal.complete:
            raise LookupError(f"{now.decision.kind}: seat {seat} does not know its own moves")
        now = after = game.play_moves(state=now.state, moves=[random.choice(legal.moves)], seed=seed, views=seats)
        decisions += 1
        if (now.decision.actor == "none") != (after.result is not UNSET):
            raise LookupError(f"{now.decision.kind}: a result is there if the game is over, and only then")
    return decisions


def play_many(game: Game[State, Move], games: int) -> int:
    return sum(play(game, SEATS[number % len(SEATS)], f"{number}") for number in range(games))


def main(address: str, title: str, games: str) -> None:
    with Capomastro(address) as capomastro:
        if title == "campanile":
            decisions = play_many(capomastro.campanile, int(games))
        elif title == "carrara":
            decisions = play_many(capomastro.carrara, int(games))
        elif title == "fifth-avenue":
            decisions = play_many(capomastro.fifth_avenue, int(games))
        elif title == "palazzo":
            decisions = play_many(capomastro.palazzo, int(games))
        else:
            raise LookupError(title)
    print(f"{title}: {games} games, {decisions} decisions")


if __name__ == "__main__":
    main(*sys.argv[1:])
