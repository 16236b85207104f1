"""What players can agree on in addition to the game and its options."""

from typing import Literal, get_args

Draws = Literal["witnessed", "at-once"]
"""Who triggers draws: a seat other than the last to move, or every move at once."""
DRAWS: tuple[str, ...] = get_args(Draws)
LONGEST_NONCE = 64
