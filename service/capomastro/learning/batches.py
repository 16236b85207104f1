"""Batches: many games stepped in one call, in one process or in several.

Each game that ends is followed by the next one, so that there is always something to choose. Needs numpy.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from types import TracebackType
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from capomastro.learning.environments import Environment
from capomastro.library.positions import Position


class Seen(NamedTuple):
    """What the deciding seats see, game by game; arrays, whose first dimension is the game.

    `rewards`: what the game that ended with the last choice was worth to each seat, else 0. `ended`: whether one did.
    """

    observations: Any
    masks: Any
    seats: Any
    rewards: Any
    ended: Any


class Batch:
    """Several games of a title."""

    def __init__(
        self,
        game: str,
        players: int,
        games: int,
        seed: int | str = 0,
        options: Mapping[str, Any] | None = None,
        starts: Sequence[Position] = (),
        first: int = 0,
    ) -> None:
        """`starts`: positions from which the games go on, in turn, also the next ones; otherwise games are begun.

        `first` is the number of the first game among all batches of a run.

        Raises:
            Problem: `not-found` or `options`.
            ValueError: if a position is of another game or number of players, hides something, or is over.
        """
        self.environments = [Environment(game, players, options) for _ in range(games)]
        self.seeds = [f"{seed}/{first + index}" for index in range(games)]
        self.starts = [starts[(first + index) % len(starts)] if starts else None for index in range(games)]
        self.played = [0] * games
        for index in range(games):
            self._begin(index)

    def _begin(self, index: int) -> None:
        environment = self.environments[index]
        environment.reset(f"{self.seeds[index]}/{self.played[index]}", self.starts[index])
        if environment.is_over:
            raise ValueError("there is nothing to decide before the end")
        self.played[index] += 1

    @property
    def positions(self) -> list[Position]:
        """The tables, game by game."""
        return [environment.position for environment in self.environments]

    def see(self) -> Seen:
        """What the deciding seats see before any choice."""
        return self._seen([(0.0,) * self.environments[0].players] * len(self.environments), [])

    def step(self, choices: Sequence[int]) -> Seen:
        """One choice for each game.

        Raises:
            ValueError: if a mask forbids one, or if there are not as many as games; then no game goes on.
        """
        for environment, choice in zip(self.environments, choices, strict=True):
            environment.require_choice(choice)
        rewards, ended = [], []
        for index, (environment, choice) in enumerate(zip(self.environments, choices, strict=True)):
            environment.step(int(choice))
            rewards.append(environment.returns())
            if environment.is_over:
                ended.append(index)
                self._begin(index)
        return self._seen(rewards, ended)

    def _seen(self, rewards: Sequence[Sequence[float]], ended: Sequence[int]) -> Seen:
        seats = [environment.seat or 0 for environment in self.environments]
        observations = [each.observation(seat) for each, seat in zip(self.environments, seats, strict=True)]
        have_ended: NDArray[np.bool_] = np.zeros(len(self.environments), bool)
        have_ended[list(ended)] = True
        return Seen(
            np.stack(observations),
            np.stack([environment.mask() for environment in self.environments]),
            np.array(seats),
            np.array(rewards, np.float32),
            have_ended,
        )


def serve(connection: Connection, arguments: tuple[Any, ...]) -> None:
    """Steps a batch in a process of its own until it is told None, or answers with an error and ends."""
    try:
        batch = Batch(*arguments)
        connection.send(batch.see())
        while (choices := connection.recv()) is not None:
            connection.send(batch.step(choices))
    except EOFError:
        return  # nobody is left to answer
    except Exception as error:  # noqa: BLE001 - the caller raises it
        connection.send(error)


class ProcessBatch:
    """The same over processes: `see` and `step` as in `Batch`; to be closed, or used in a `with` statement.

    The processes are new ones that import the main module: in a script, it is made below `if __name__ == "__main__":`.
    """

    def __init__(
        self,
        game: str,
        players: int,
        games: int,
        processes: int,
        seed: int | str = 0,
        options: Mapping[str, Any] | None = None,
        starts: Sequence[Position] = (),
    ) -> None:
        """`games`: in each process.

        Raises:
            Problem, ValueError: as `Batch` does.
        """
        context = get_context("spawn")
        self.games = games
        self.connections: list[Connection] = []
        self.workers = []
        for number in range(processes):
            ours, theirs = context.Pipe()
            arguments = (game, players, games, seed, options, starts, number * games)
            worker = context.Process(target=serve, args=(theirs, arguments), daemon=True)
            worker.start()
            theirs.close()
            self.connections.append(ours)
            self.workers.append(worker)
        try:
            self.seen = self._received()
        except BaseException:
            self.close()
            raise

    def _received(self) -> Seen:
        answers = [connection.recv() for connection in self.connections]
        for answer in answers:
            if isinstance(answer, Exception):
                raise answer
        return Seen(*map(np.concatenate, zip(*answers, strict=True)))

    def see(self) -> Seen:
        """What the deciding seats saw last."""
        return self.seen

    def step(self, choices: Sequence[int]) -> Seen:
        """One choice for each game, process by process.

        Raises:
            ValueError: if a mask forbids one, or if there are not as many as games; then no game goes on.
        """
        for mask, choice in zip(self.seen.masks, choices, strict=True):
            if not 0 <= choice < len(mask) or not mask[choice]:
                raise ValueError(f"{choice} is not one of the choices: {mask.nonzero()[0].tolist()}")
        for number, connection in enumerate(self.connections):
            connection.send(choices[number * self.games : (number + 1) * self.games])
        self.seen = self._received()
        return self.seen

    def close(self) -> None:
        """Ends the processes."""
        for connection in self.connections:
            with suppress(BrokenPipeError):  # it ended by itself
                connection.send(None)
        for worker in self.workers:
            worker.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
