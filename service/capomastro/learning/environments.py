"""A game as an environment: a choice is one symbol of a move, chance is drawn in between.

Nothing but numpy is needed. The adapter for PettingZoo and batches are made of this.
"""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from capomastro.adjudicator.loading import game_of, load_options
from capomastro.engine.game import AnyGame
from capomastro.engine.samples import unknown_in
from capomastro.learning.alphabet import Alphabet
from capomastro.learning.moments import Moment, moment_at
from capomastro.learning.observations import Sight, Vector, observer_of
from capomastro.library.games import game as title_of
from capomastro.library.positions import Position

Mask: TypeAlias = NDArray[np.int8]
Ids: TypeAlias = NDArray[np.int16]

LONGEST = 4_096
"""The number of symbols in an information state: the last ones, if a game has more."""


class Environment:
    """A game for a number of players, with seats that choose symbol by symbol."""

    def __init__(self, game: str, players: int, options: Mapping[str, Any] | None = None) -> None:
        """`game`: its id; `options`: as in a document.

        Raises:
            Problem: `not-found` or `options`.
        """
        self.players = players
        definition = game_of(game)
        self.options = load_options(definition, players, dict(options or {}))
        self.observer = observer_of(definition, players)
        self.sights = [Sight(self.observer, seat) for seat in range(players)]
        self.reset(0)

    def reset(self, seed: int | str, start: Position | None = None) -> None:
        """Begins a new game, or one that goes on from a position; the seed draws all its chance.

        Raises:
            ValueError: if the position is of another game or number of players, or hides something.
        """
        state: Any = start.state if start else self.game.start(self.players, self.options, None)
        if start and (start.game.id, start.players) != (self.game.id, self.players):
            raise ValueError(f"this is {start.game.id} for {start.players}, not {self.game.id} for {self.players}")
        if any(unknown_in(player) for player in state.seats):
            raise ValueError("a position to go on from must show all hands; draw one with sampled()")
        self.seed = str(seed)
        self._go_to(moment_at(self.game, state))

    def _go_to(self, moment: Moment) -> None:
        """Draws until a seat decides or the game is over."""
        self.moment = moment.draw_onwards(self.seed)
        self.choices = self.moment.choices

    @property
    def game(self) -> AnyGame:
        return self.observer.game

    @property
    def alphabet(self) -> Alphabet:
        return self.observer.alphabet

    @property
    def seat(self) -> int | None:
        """The seat that decides; None at the end."""
        return self.moment.seat

    @property
    def is_over(self) -> bool:
        return self.moment.due is None

    @property
    def position(self) -> Position:
        """The table."""
        return Position(title_of(self.game.id), self.moment.state)

    def step(self, choice: int) -> None:
        """The deciding seat chooses a symbol; when that completes its move, the move is played.

        Raises:
            ValueError: if it is not one of the `choices`.
        """
        self.require_choice(choice)
        self._go_to(self.moment.then(choice))

    def require_choice(self, choice: int) -> None:
        """Checks a choice.

        Raises:
            ValueError: if it is not one of the `choices`.
        """
        if choice not in self.choices:
            raise ValueError(f"{choice} is not one of the choices: {self.choices}")

    def mask(self, seat: int | None = None) -> Mask:
        """1 for each id that may be chosen; all 0 for a seat that does not decide, and at the end."""
        mask = bytearray(self.observer.alphabet.size)  # single places are set faster than in an array of numpy
        for choice in self.choices if seat in (None, self.seat) else ():
            mask[choice] = 1
        return np.frombuffer(mask, np.int8)

    def observation(self, seat: int) -> Vector:
        """What a seat may know."""
        return self.sights[seat].observation(self.moment.state, self.moment.spelled if seat == self.seat else ())

    def information_state(self, seat: int) -> Ids:
        """All that a seat has seen: the ids of the moves in order, and of its own in progress, each plus 1; then 0."""
        return last_of(self.moment.seen_by(seat))

    def returns(self) -> tuple[float, ...]:
        """What the game is worth to each seat: 1 for its only winner, and 0 in all; nothing before the end."""
        return self.moment.returns


def last_of(ids: Sequence[int]) -> Ids:
    """The last `LONGEST` ids, each plus 1; then 0."""
    vector: Ids = np.zeros(LONGEST, np.int16)
    last = ids[-LONGEST:]
    vector[: len(last)] = np.array(last, np.int16) + 1
    return vector
