"""Scheduling: which request is answered next, and in which thread.

Each kind of request has a queue with its own concurrency limit, so no kind can starve another. Only one thread of a
process uses the queues, so nothing is locked.
"""

from collections import deque
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread
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


Job = Callable[[], None]


class ThreadPool:
    """As many threads as concurrent jobs, which the queues limit. Only one thread may submit jobs."""

    def __init__(self) -> None:
        self._jobs: SimpleQueue[Job] = SimpleQueue()
        self._count = 0
        self._busy = 0

    def submit(self, job: Job) -> None:
        """Runs a job in a thread; if the system has none left, in one that is free later."""
        self._busy += 1
        self._jobs.put(job)
        if self._busy > self._count:
            # daemon: unfinished jobs must not keep the process from ending
            thread = Thread(target=self._work, name=f"work-{self._count + 1}", daemon=True)
            with suppress(RuntimeError):
                thread.start()
                self._count += 1

    def job_done(self) -> None:
        """Records that a job is done; called by the submitting thread."""
        self._busy -= 1

    def _work(self) -> None:
        while True:
            self._jobs.get()()
