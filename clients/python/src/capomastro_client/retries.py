"""When a request is sent again. Every request may be: the same question has the same answer."""

import random
from collections.abc import Mapping
from dataclasses import dataclass

OVERLOADED = frozenset({429, 503})
"""Whoever answers this says with `Retry-After` when to come back; without it, coming back is of no use."""

UNREACHED = frozenset({502, 504})
"""A proxy's answers when it could not reach the service."""


@dataclass(frozen=True)
class Retries:
    """How often and after how many seconds to try again."""

    attempts: int = 4
    """How often a request is sent in all, while nothing comes of it."""
    first_pause: float = 0.25
    """Twice as long before each further attempt, give or take a half, unless the service says how long."""
    longest_pause: float = 30.0
    """If the service asks for more patience than this, there is no further attempt."""

    def pause(self, attempt: int, status: int | None, headers: Mapping[str, str]) -> float | None:
        """The seconds to wait after that attempt, counted from 1; None if another one is of no use.

        `status` is None if the service could not be reached.
        """
        if attempt >= self.attempts:
            return None
        if status in OVERLOADED:
            pause = seconds(headers.get("Retry-After", ""))
            return None if pause is None or pause > self.longest_pause else pause
        if status is None or status in UNREACHED:
            pause = self.first_pause * 2.0 ** (attempt - 1) * random.uniform(0.5, 1.5)
            return min(pause, self.longest_pause)
        return None


PATIENT = Retries()
NEVER = Retries(attempts=1)


def seconds(retry_after: str) -> float | None:
    """What a `Retry-After` in seconds says; None for a date, which this service does not send."""
    return float(retry_after) if retry_after.isascii() and retry_after.isdigit() else None
