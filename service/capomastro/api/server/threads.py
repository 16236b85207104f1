"""Threads that work off jobs: made when they are needed, kept for what comes next."""

from collections.abc import Callable
from queue import SimpleQueue
from threading import Thread

Job = Callable[[], None]


class Threads:
    """As many threads as there are jobs at once; the lanes say how many that may be. One thread may give jobs."""

    def __init__(self) -> None:
        self._jobs: SimpleQueue[Job] = SimpleQueue()
        self._count = 0
        self._busy = 0

    def begin(self, job: Job) -> None:
        """Has a thread do a job, at once."""
        self._busy += 1
        if self._busy > self._count:
            self._count += 1
            # daemon: what is not done when the process has to end is not waited for
            Thread(target=self._work, name=f"work-{self._count}", daemon=True).start()
        self._jobs.put(job)

    def done(self) -> None:
        """Notes that a job is done; the thread that gives jobs calls this."""
        self._busy -= 1

    def _work(self) -> None:
        while True:
            self._jobs.get()()
