"""Final scoring."""

from capomastro.engine.multisets import Multiset
from capomastro.engine.results import Line, Score
from capomastro.games.new_game.components import POINTS_OF
from capomastro.games.new_game.state import State

TIE_RULES: tuple[str, ...] = ()
"""FILL IN: the rules that break ties, in their order."""


def lines_of(tokens: Multiset) -> tuple[Line, ...]:
    """FILL IN: the lines of a player's score, each with its rule."""
    return tuple({"rule": "new-game.scoring.tokens", "points": POINTS_OF[token], "token": token} for token in tokens)


def scores(state: State) -> list[Score]:
    """All players' scores at the end."""
    return [Score(index, lines_of(seat.tokens)) for index, seat in enumerate(state.seats)]
