"""Every decision of Fifth Avenue: `setup`, `turn`, `auctions`, `end`, in the order of the rulebook.

Each has legal moves, refusals and effects, and ends with its part of the table; `phases` determines the next step of a
turn.
"""

from capomastro.games.fifth_avenue.decisions import auctions, end, setup, turn

DECISIONS = (*setup.DECISIONS, *turn.DECISIONS, *auctions.DECISIONS, *end.DECISIONS)
