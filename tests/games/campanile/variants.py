"""The options of Campanile to test other than the defaults."""

from typing import Any

VARIANTS: list[dict[str, Any]] = [
    {"intermezzo_after": None},
    {"intermezzo_after": 3, "tower_order": ["c", "e", "a", "d", "b"]},
    {"intermezzo_after": 35},
    {"move_medium_marker": True},
    {"move_medium_marker": True, "intermezzo_after": 14},
    {"move_medium_marker": True, "intermezzo_after": None},
]
"""35 is the last place with five players, 14 with two."""
