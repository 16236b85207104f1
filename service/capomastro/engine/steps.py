"""Plays a game step by step: the one loop in which moves are judged, played and told."""

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
from msgspec import UNSET

from capomastro.engine import referee
from capomastro.engine.events import Event
from capomastro.engine.game import AnyGame
from capomastro.engine.moves import ChanceMove, Move
from capomastro.engine.referee import Asker
from capomastro.engine.refusals import Refusal


class Step(msgspec.Struct, frozen=True, gc=False):
    """A move that was played.

    `before` and `after` are states. `events` are what happened.
    """

    game: AnyGame
    before: Any
    move: Move
    after: Any
    events: list[Event]

    @property
    def witness(self) -> int | None:
        """The only seat that saw what the move revealed; None if everybody did."""
        return referee.sole_witness(self.game, self.before)

    def move_seen_by(self, seat: int | None) -> Move:
        """The move as a seat (None: a spectator) saw it."""
        return referee.as_seen(self.move, self.witness, seat)


class Refused(Exception):
    """The move with the index `index` is refused in `state`."""

    def __init__(self, index: int, state: Any, refusal: Refusal) -> None:
        super().__init__(index, state, refusal)
        self.index = index
        self.state = state
        self.refusal = refusal


def play_step(game: AnyGame, state: Any, move: Move) -> Step:
    """Plays a legal move."""
    after, events = referee.play(game, state, move)
    return Step(game, state, move, after, events)


def play_steps(
    game: AnyGame, state: Any, moves: Iterable[Move], seed: str | None = None, asker: Asker = UNSET
) -> Iterator[Step]:
    """Plays `moves` from `state`; a seed draws where chance decides: before the move of a seat, and after the last.

    `asker` is who supplies the moves. If that is a seat, the seed draws after the last move only: otherwise a seat
    could try out with a further move what would be drawn, and take the first one back if it is refused.

    Raises:
        Refused: when it comes to an illegal move.
    """
    for index, move in enumerate(moves):
        if seed is not None and asker is UNSET and not isinstance(move, ChanceMove):
            for step in draw_steps(game, state, seed):
                yield step
                state = step.after
        refusal = referee.why_not_asked_by(game, state, move, asker)
        if refusal is not None:
            raise Refused(index, state, refusal)
        step = play_step(game, state, move)
        yield step
        state = step.after
    if seed is not None:
        yield from draw_steps(game, state, seed)


def draw_steps(game: AnyGame, state: Any, seed: str) -> Iterator[Step]:
    """Draws until a seat must decide or the game is over."""
    while referee.is_at_chance(game, state):
        step = play_step(game, state, referee.draw(game, state, seed))
        yield step
        state = step.after


def state_after(before: Any, steps: Iterable[Step]) -> Any:
    """The state after steps from `before`."""
    for step in steps:
        before = step.after
    return before
