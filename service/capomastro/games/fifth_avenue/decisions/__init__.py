"""Every decision of Fifth Avenue: `setup`, `turn`, `auctions`, `course` (the end), in the order of the rulebook.

Each has legal moves, refusals and effects, and ends with its part of the table.
"""

from capomastro.games.fifth_avenue.decisions import auctions, course, setup, turn

DECISIONS = (*setup.DECISIONS, *turn.DECISIONS, *auctions.DECISIONS, *course.DECISIONS)
