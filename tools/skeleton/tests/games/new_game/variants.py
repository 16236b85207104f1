"""The options of New Game to test other than the defaults."""

from typing import Any

VARIANTS: list[dict[str, Any]] = []
"""FILL IN: documents of options that reach what the defaults do not."""
