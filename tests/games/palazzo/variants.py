"""The options of Palazzo to test other than the defaults."""

from typing import Any

VARIANTS: list[dict[str, Any]] = [
    {"builder": 2},
    {"stack_sizes": [5, 0, 43]},
    {"stack_sizes": [24, 24, 0], "builder": 3},
]
