"""The tokens of New Game: the types that several of its documents have."""

from typing import Annotated, TypeVar

from msgspec import Meta

from capomastro.engine.members import one_of
from capomastro.engine.multisets import IN_ANY_ORDER
from capomastro.games.new_game.components import PLAYERS, TOKENS

# FILL IN: every kind of component, and what several documents have, with their bounds, instead of these examples.

Component = Annotated[str, one_of(TOKENS), Meta(title="Component", examples=["token-1"])]
"""A component."""

Token = Component
"""A token: the name of a kind of component in the box."""

Tokens = Annotated[
    tuple[Component, ...],
    IN_ANY_ORDER,
    Meta(max_length=sum(TOKENS.values()), title="Tokens", examples=[["token-1", "token-1"]]),
]
"""Any components, in any order; sorted in answers."""

SeatIndex = Annotated[int, Meta(ge=0, le=PLAYERS[-1] - 1, title="Seat of New Game", examples=[0, 2])]
"""A seat at the table: 0 is the first player, then clockwise."""

Item = TypeVar("Item")
BySeat = Annotated[tuple[Item, ...], Meta(min_length=PLAYERS[0], max_length=PLAYERS[-1])]
"""Something of every player."""
