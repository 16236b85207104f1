"""The options of Fifth Avenue to test other than the defaults."""

from typing import Any

VARIANTS: list[dict[str, Any]] = [
    {"six_lots": True},
    {"row_groups": [2, 3, 3, 2, 2, 3, 3, 2], "rings": {"times-square": ["brown", "orange", "purple", "green", "grey"]}},
    {
        "six_lots": True,
        "rings": {"34th-street-west": ["colourless", "brown", "orange", "purple", "green", "grey"]},
    },
]
