"""Set-up: a new game."""

from collections.abc import Sequence
from typing import Any

from capomastro.adjudicator.answers import Answer, standing
from capomastro.adjudicator.loading import load_names, load_options
from capomastro.engine import referee
from capomastro.engine.game import AnyGame


def set_up(
    game: AnyGame,
    players: int,
    names: Sequence[str] | None = None,
    options: Any = None,
    seed: str | None = None,
) -> Answer:
    """A new game; with a seed, all chance of the set-up is drawn."""
    chosen = load_options(game, players, {} if options is None else options)
    state = game.start(players, chosen, load_names(players, names))
    state, moves, events = referee.draw_chance(game, state, seed) if seed is not None else (state, [], [])
    return {**standing(game, state), "moves": moves, "events": events}
