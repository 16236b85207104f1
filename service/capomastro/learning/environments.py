"""A game as an environment: a choice is one symbol of a move, chance is drawn in between.

Nothing but numpy is needed. The adapters for PettingZoo and others are made of this.
"""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from capomastro.adjudicator.loading import game_of, load_options
from capomastro.engine import referee
from capomastro.engine.decisions import Move
from capomastro.engine.game import AnyGame
from capomastro.engine.steps import draw_steps
from capomastro.learning.alphabet import alphabet_of
from capomastro.learning.observations import Vector, observer_of
from capomastro.learning.rewards import rewards
from capomastro.learning.spelling import Prefix, empty_prefix

Mask: TypeAlias = NDArray[np.int8]
Course: TypeAlias = NDArray[np.int16]

LONGEST = 4_096
"""The number of symbols in an information state: the last ones, if a game has more."""


class Environment:
    """A game for a number of players, with seats that choose symbol by symbol."""

    def __init__(self, game: str, players: int, options: Mapping[str, Any] | None = None) -> None:
        """`game`: its id; `options`: as in a document.

        Raises:
            Problem: `not-found` or `options`.
        """
        self.game: AnyGame = game_of(game)
        self.players = players
        self.options = load_options(self.game, players, dict(options or {}))
        self.alphabet = alphabet_of(self.game)
        self.observer = observer_of(self.game, players)
        self.reset(0)

    def reset(self, seed: int | str) -> None:
        """Begins a new game; the seed draws all its chance."""
        self.seed = str(seed)
        self.state: Any = self.game.start(self.players, self.options, None)
        self.moves: list[tuple[Move, int | None]] = []
        self.spelled: tuple[int, ...] = ()
        self._draw()

    def _draw(self) -> None:
        """Draws until a seat decides or the game is over."""
        for step in draw_steps(self.game, self.state, self.seed):
            self.state = step.after
            self.moves.append((step.move, step.witness))
        self.spelled = ()
        due = referee.decision(self.game, self.state)
        self.seat = due.seat
        self.is_over = due.actor == "none"
        self.prefix: Prefix | None = None if self.is_over else empty_prefix(self.game, self.state)
        self.choices: list[int] = self.prefix.choices if self.prefix else []

    def step(self, choice: int) -> None:
        """The deciding seat chooses a symbol; when that completes its move, the move is played.

        Raises:
            ValueError: if it is not one of the `choices`.
        """
        if self.prefix is None or choice not in self.choices:
            raise ValueError(f"{choice} is not one of the choices: {self.choices}")
        following = self.prefix.then(choice)
        if isinstance(following, Move):
            self.state, _ = referee.play(self.game, self.state, following)
            self.moves.append((following, None))
            self._draw()
        else:
            self.prefix, self.spelled = following, (*self.spelled, choice)
            self.choices = following.choices

    def mask(self, seat: int | None = None) -> Mask:
        """1 for each id that may be chosen; all 0 for a seat that does not decide, and at the end."""
        mask: Mask = np.zeros(self.alphabet.size, np.int8)
        if seat is None or seat == self.seat:
            mask[self.choices] = 1
        return mask

    def observation(self, seat: int) -> Vector:
        """What a seat may know."""
        return self.observer.observation(self.state, seat, self.spelled if seat == self.seat else ())

    def information_state(self, seat: int) -> Course:
        """All that a seat has seen: the ids of the moves in order, and of its own in progress, each plus 1; then 0."""
        seen = [referee.as_seen(move, witness, seat) for move, witness in self.moves]
        ids = [choice for move in seen for choice in self.alphabet.spelling(move)]
        return course([*ids, *(self.spelled if seat == self.seat else ())])

    def returns(self) -> tuple[float, ...]:
        """What the game is worth to each seat: 1 for its only winner, and 0 in all; nothing before the end."""
        if not self.is_over:
            return (0.0,) * self.players
        return rewards(self.game.result(self.state).winners or (), self.players)


def course(ids: Sequence[int]) -> Course:
    """The last `LONGEST` ids, each plus 1; then 0."""
    vector: Course = np.zeros(LONGEST, np.int16)
    last = ids[-LONGEST:]
    vector[: len(last)] = np.array(last, np.int16) + 1
    return vector
