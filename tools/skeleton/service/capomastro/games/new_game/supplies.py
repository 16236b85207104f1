"""What is left of the box."""

from collections import Counter

from capomastro.games.new_game import stages
from capomastro.games.new_game.components import TOKENS
from capomastro.games.new_game.state import State


def shown(state: State) -> Counter[str]:
    """The visible tokens."""
    drawn = (state.stage.token,) if isinstance(state.stage, stages.KeepOrPutBack) else ()
    return Counter([*drawn, *(token for seat in state.seats for token in seat.tokens)])


def bag(state: State) -> dict[str, int]:
    """FILL IN: the supplies of the game, instead of this example: the tokens in the bag."""
    there = shown(state)
    return {token: count - there[token] for token, count in TOKENS.items() if count > there[token]}
