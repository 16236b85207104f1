"""Parts of regular expressions that never give back what they have matched, so that reading takes linear time."""

import sys

HAS_SOUND_POSSESSIVE_GROUPS = sys.version_info >= (3, 11, 5)
"""In earlier releases, a possessive group can match too much (CPython issues 100061 and 106052)."""


def as_often_as_possible(part: str, least: int = 1, *, sound: bool = HAS_SOUND_POSSESSIVE_GROUPS) -> str:
    """The pattern that repeats `part` at `least` 0 or 1 times.

    It is possessive where that is `sound`; otherwise an atomic group, which needs memory for every repetition.
    """
    sign = "+" if least else "*"
    return f"(?:{part}){sign}+" if sound else f"(?>(?:{part}){sign})"
