"""What an application tells the server about itself, and the keys under which both leave things in the environment."""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, Protocol

from capomastro.settings import Settings

Environ = dict[str, Any]
Application = Callable[[Environ, Callable[..., Any]], Iterable[bytes]]

AFTERWARDS = "capomastro.afterwards"
"""Key of a list of functions that the server calls once it has sent the answer."""
CPU_SPENT = "capomastro.cpu_spent"
"""Key of the seconds of CPU time that the server has spent on the request so far, other than in this thread."""
CPU_COUNTED = "capomastro.cpu_counted"
"""Key of this thread's CPU clock up to which its time is counted as the request's: at first when it began with it."""


class Refusal(Exception):
    """The server refuses a request itself; `facts` are the numbers that belong to the reason."""

    def __init__(self, reason: str, **facts: Any) -> None:
        super().__init__(reason)
        self.reason = reason
        self.facts = facts


class BodyHandling(NamedTuple):
    """What to do with the body of a request."""

    maximum_bytes: int = 0
    """The body is read before the request is answered, if it is no longer than this."""
    skip: bool = False
    """The body is not read: the request is refused or answered without it."""
    stream: bool = False
    """The body is read while the request is answered."""


class Behaviour(Protocol):
    """The application's part in serving it; the methods never block."""

    settings: Settings
    application: Application

    def is_health_check(self, method: str, path: str) -> bool:
        """Whether a request must be answered whatever else is going on."""

    def is_stream(self, method: str, path: str) -> bool:
        """Whether a request is answered while its body arrives."""

    def body_handling(self, environ: Environ) -> BodyHandling:
        """What to do with a body that is large, or that the client has not sent yet."""

    def client_of(self, peer: str, forwarded_for: str) -> tuple[str, str | None]:
        """The address of the client who sends a request, as a trusted proxy names it, and the owner of the request.

        Requests of one owner take turns, and its CPU time is limited; without an owner they do not, and it is not.
        """

    def require_share(self, owner: str) -> None:
        """Called before a large body is read.

        Raises:
            Refusal: if the owner has used up its CPU time.
        """

    def charge(self, owner: str, seconds: float) -> None:
        """Called with CPU time spent on an owner's request that was not answered."""

    def refuse(self, refusal: Refusal, environ: Environ, start_response: Callable[..., Any]) -> Iterable[bytes]:
        """Answers a request that the server refuses, as WSGI demands."""

    def stopping(self) -> None:
        """Called when the process has been told to stop."""

    def log_fault(self, error: BaseException) -> None:
        """Called with a bug, or with an answer that breaks off."""

    def count_open(self, connections: int, requests: int) -> None:
        """Called with the numbers of open connections and of requests under way."""

    def count_closed(self, reason: str) -> None:
        """Called with why a connection was closed."""

    def count_cpu(self, activity: str, seconds: float) -> None:
        """Called with CPU time that was spent beside what is a request's own."""
