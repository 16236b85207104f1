"""Scheduling: each kind of request has a queue with its own concurrency limit, so no kind can starve another.

Only one thread of a process uses the queues, so nothing is locked.
"""

from collections import deque
from collections.abc import Callable
from typing import Generic, TypeVar

Request = TypeVar("Request")


class RequestQueue(Generic[Request]):
    """Requests of one kind: up to `limit` run at the same time, the others wait in order."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.running = 0
        self.waiting: deque[Request] = deque()

    @property
    def has_room(self) -> bool:
        return self.running < self.limit

    def start_next(self, may_start: Callable[[Request], bool]) -> Request | None:
        """Starts the request that has waited longest of those that may; None if there is none or no room."""
        if not self.has_room:
            return None
        for place, request in enumerate(self.waiting):
            if may_start(request):
                del self.waiting[place]
                self.running += 1
                return request
        return None

    def finish(self) -> None:
        """Records that a request has been answered."""
        self.running -= 1

    def move(self, other: "RequestQueue[Request]") -> bool:
        """Counts a running request in another queue from now on; returns whether that has room for it."""
        if not other.has_room:
            return False
        self.running -= 1
        other.running += 1
        return True
