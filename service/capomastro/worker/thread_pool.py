"""A pool of threads, created on demand and kept for later jobs."""

from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread

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
