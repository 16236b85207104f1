"""A pool of threads, created on demand and kept for later jobs."""

from collections.abc import Callable
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
        """Runs a job in a thread."""
        self._busy += 1
        if self._busy > self._count:
            self._count += 1
            # daemon: unfinished jobs must not keep the process from ending
            Thread(target=self._work, name=f"work-{self._count}", daemon=True).start()
        self._jobs.put(job)

    def job_done(self) -> None:
        """Records that a job is done; called by the submitting thread."""
        self._busy -= 1

    def _work(self) -> None:
        while True:
            self._jobs.get()()
