"""Exchanges: all that is known of a request at the end of its answer.

The log and the metrics are listeners. Each is called once per answered request, for a stream at its end, in the thread
that served it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, kw_only=True, slots=True)
class Exchange:
    """A request and its answer, without the content of either."""

    request_id: str
    method: str
    route: str | None
    """The path template in the specification: "/v1/games/{game}/audits"; None if no resource has the path."""
    game: str | None
    """The id of the game in the path, if there is such a game."""
    client: str | None
    """The address the request came from."""
    status: int
    bytes_in: int
    """Bytes read of the request body."""
    bytes_out: int
    """Bytes of the response body."""
    seconds: float
    """From the complete request to its answer; of a stream, from its first byte to its last."""
    cpu_seconds: float
    """CPU time of the threads that served it."""
    problem: str | None = None
    """The id of the problem in the answer."""
    rule: str | None = None
    """The rule of the refusal in the answer."""
    verdict: str | None = None
    """The verdict in one word, if a move or a record was judged."""
    stream: Mapping[str, Any] = field(default_factory=dict)
    """For a stream also: records, verdicts, whether it is complete."""


Listener = Callable[[Exchange], None]
