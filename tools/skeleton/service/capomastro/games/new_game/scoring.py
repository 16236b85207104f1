"""Final scoring."""

from capomastro.engine import results
from capomastro.engine.multisets import Multiset
from capomastro.engine.results import Score
from capomastro.games.new_game.components import POINTS_OF
from capomastro.games.new_game.state import State
from capomastro.games.new_game.tokens import Component

TIE_RULES: tuple[str, ...] = ()
"""FILL IN: the rules that break ties, in their order."""


class ScoreLine(results.ScoreLine, frozen=True):
    """What a token scores."""

    token: Component
    """The token."""


Result = results.Result[ScoreLine]
"""Who won, and why. FILL IN: what the lines are."""


def lines_of(tokens: Multiset) -> tuple[ScoreLine, ...]:
    """FILL IN: the lines of a player's score, each with its rule."""
    return tuple(ScoreLine("new-game.scoring.tokens", POINTS_OF[token], token) for token in tokens)


def scores(state: State) -> list[Score[ScoreLine]]:
    """All players' scores at the end."""
    return [Score(index, lines_of(seat.tokens)) for index, seat in enumerate(state.seats)]
