"""What happened between a request and the end of its answer: the one place where all of it is known.

Whoever keeps count of requests is a listener: the log is one. Each is told once for every request that is answered, a
stream at its end, in the thread that served it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, kw_only=True, slots=True)
class Exchange:
    """A request and its answer, without anything that either says."""

    request_id: str
    method: str
    route: str | None
    """The path as the specification writes it: "/v1/games/{game}/audits"; None if no resource has it."""
    game: str | None
    """The id of the game in the path, if there is such a game."""
    client: str | None
    """The address the request came from."""
    status: int
    bytes_in: int
    """Of the body, as far as it was read."""
    bytes_out: int
    """Of the body of the answer."""
    seconds: float
    """From the request's header and body being there to its answer; of a stream, from its first byte to its last."""
    cpu_seconds: float
    """Of the threads that served it."""
    problem: str | None = None
    """The id of the problem it was answered with."""
    rule: str | None = None
    """The rule of the refusal in the answer."""
    verdict: str | None = None
    """In one word, where a move or a record was judged."""
    stream: Mapping[str, Any] = field(default_factory=dict)
    """What else is known of a stream: records, verdicts, whether it is complete."""


Listener = Callable[[Exchange], None]
