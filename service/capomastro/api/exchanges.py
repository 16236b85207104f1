"""Exchanges: what is known of a request while it is answered, and of its answer at the end.

The log and the metrics read each once: an answered request, or a stream at its end, in the thread that served it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from time import perf_counter, thread_time
from typing import Any

from capomastro.worker.behaviour import CPU_COUNTED, CPU_SPENT

Environ = dict[str, Any]
"""The WSGI environment of a request."""


@dataclass(slots=True)
class Exchange:
    """A request and its answer, without the content of either; filled in on the way."""

    request_id: str
    method: str
    client: str | None
    """The address the request came from."""
    route: str | None = None
    """The path template in the specification: "/v1/games/{game}/audits"; None if no resource has the path."""
    game: str | None = None
    """The id of the game in the path, if there is such a game."""
    status: int = 0
    bytes_in: int = 0
    """Bytes read of the request body."""
    bytes_out: int = 0
    """Bytes of the response body."""
    began: float = field(default_factory=perf_counter)
    seconds: float = 0
    """From the complete request to its answer; of a stream, from its first byte to its last."""
    cpu_seconds: float = 0
    """CPU time of the threads that read and served it."""
    problem: str | None = None
    """The id of the problem in the answer."""
    rule: str | None = None
    """The rule of the refusal in the answer."""
    verdict: str | None = None
    """The verdict in one word, if a move or a record was judged."""
    stream: Mapping[str, Any] = field(default_factory=dict)
    """For a stream also: records, verdicts, whether it is complete."""
    ends_later: bool = False
    """Whether it ends when its answer has been sent, as a stream does, not when that begins."""

    def end(self, environ: Environ) -> None:
        """Stops its clocks; those of the server began before the application saw the request."""
        now = thread_time()
        self.seconds = perf_counter() - self.began
        self.cpu_seconds += now - environ[CPU_COUNTED] + environ.get(CPU_SPENT, 0.0)
        environ[CPU_COUNTED] = now


_KEY = "capomastro.exchange"
REFUSED = "capomastro.refused"
"""The key in the WSGI environment under which the server puts the `Problem` with which it refuses a request."""


def begin_exchange(environ: Environ, request_id: str) -> None:
    """Begins the exchange of a request and keeps it in its environment; from now on, this thread works on it."""
    if CPU_COUNTED not in environ:
        environ[CPU_COUNTED] = thread_time()
    environ[_KEY] = Exchange(request_id, environ["REQUEST_METHOD"], environ.get("REMOTE_ADDR"))


def exchange_of(environ: Environ) -> Exchange:
    """The exchange that is kept with a request."""
    exchange: Exchange = environ[_KEY]
    return exchange
