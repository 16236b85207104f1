"""When a request is sent again. Every request may be: the same question has the same answer."""

import random
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

OVERLOADED = frozenset({429, 503})
"""The service, or what is in front of it, is busy, and may say with `Retry-After` when to come back."""

UNREACHED = frozenset({502, 504})
"""A proxy's answers when it could not reach the service."""


@dataclass(frozen=True)
class Retries:
    """How often and after how many seconds to try again."""

    attempts: int = 4
    """How often a request is sent in all, while nothing comes of it."""
    first_pause: float = 0.25
    """Twice as long before each further attempt, give or take a half.

    If the service says how long to wait, we wait that long, and at random up to this much longer.
    """
    longest_pause: float = 30.0
    """If the service asks for more patience than this, there is no further attempt."""

    def pause(self, attempt: int, status: int | None, headers: Mapping[str, str]) -> float | None:
        """The seconds to wait after that attempt, counted from 1; None if another one is of no use.

        `status` is None if the service could not be reached.
        """
        if attempt >= self.attempts:
            return None
        if status is not None and status not in OVERLOADED | UNREACHED:
            return None
        step = self.first_pause * 2.0 ** (attempt - 1)
        wanted = seconds(headers) if status in OVERLOADED else None
        if wanted is None:
            return min(step * random.uniform(0.5, 1.5), self.longest_pause)
        if wanted > self.longest_pause:
            return None
        return min(wanted + step * random.uniform(0.0, 1.5), self.longest_pause)


PATIENT = Retries()
NEVER = Retries(attempts=1)


def seconds(headers: Mapping[str, str]) -> float | None:
    """How long `Retry-After` says to wait, in seconds or as a date (RFC 9110); None if it says nothing of the kind.

    A date is compared with the `Date` of the answer, so that the clocks of both ends may differ.
    """
    retry_after = headers.get("Retry-After", "")
    if retry_after.isascii() and retry_after.isdigit():
        return float(retry_after)
    at = date(retry_after)
    if at is None:
        return None
    return max(0.0, (at - (date(headers.get("Date", "")) or datetime.now(UTC))).total_seconds())


def date(text: str) -> datetime | None:
    """A date of HTTP, in any of its three forms, which are all in UTC; None if it is none."""
    try:
        found = parsedate_to_datetime(text)
    except (ValueError, OverflowError):
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)
