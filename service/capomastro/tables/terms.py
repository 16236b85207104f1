"""What can be agreed at a table besides the game."""

from typing import Literal, get_args

Draws = Literal["witnessed", "at-once"]
"""Who has chance drawn: another seat than moved last; or draws follow each move at once."""
DRAWS: tuple[str, ...] = get_args(Draws)
LONGEST_NONCE = 64
