"""Rewards: what a finished game is worth to each seat."""

from collections.abc import Sequence


def rewards(winners: Sequence[int], players: int) -> tuple[float, ...]:
    """By seat: 1 for an only winner, which several share, and -1/(players - 1) for the others; 0 in all."""
    share = players / len(winners)
    return tuple(((share if seat in winners else 0) - 1) / (players - 1) for seat in range(players))
