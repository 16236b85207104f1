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

    def start_next(self, may_start: Callable[[Request], bool]) -> Request | None:
        """Starts the request that has waited longest of those that may; None if there is none or no room."""
        for place, request in enumerate(self.waiting if self.running < self.limit else ()):
            if may_start(request):
                del self.waiting[place]
                self.running += 1
                return request
        return None


class ThreadPool:
    """As many threads as jobs are under way at once, which the queues limit."""

    def __init__(self) -> None:
        self.jobs: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self.size = 0

    def submit(self, job: Callable[[], None], under_way: int) -> None:
        """Runs a job, with which so many are under way; if the system has no thread left, in one that is free later."""
        self.jobs.put(job)
        if under_way > self.size:
            with suppress(RuntimeError):
                # daemon: unfinished jobs must not keep the process from ending
                Thread(target=self.work, daemon=True).start()
                self.size += 1

    def work(self) -> None:
        """Runs jobs, for ever."""
        while True:
            self.jobs.get()()
