"""The components in the box."""

PLAYERS = range(2, 5)
"""FILL IN: the numbers of players."""

TOKENS: dict[str, int] = {"token-1": 4, "token-2": 2}
"""FILL IN: every kind of component by its token, and how many there are; tables to compare with the rulebook."""

POINTS_OF = {"token-1": 1, "token-2": 2}
