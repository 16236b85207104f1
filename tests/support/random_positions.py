"""Random games of the library, position by position."""

from collections.abc import Iterator
from random import Random
from typing import Any

import capomastro
from capomastro import Position


def random_positions(game: str, players: int, *, seed: str, **set_up: Any) -> Iterator[Position]:
    """The positions of a random game in which somebody decides, and the last one."""
    position, random = capomastro.set_up(game, players, seed=seed, **set_up), Random(seed)
    yield position
    while not position.is_over:
        position = position.play(random.choice(position.legal_moves), seed=seed)
        yield position
