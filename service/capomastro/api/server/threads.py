"""A pool of threads, created on demand and kept for later jobs."""

from collections.abc import Callable
from queue import SimpleQueue
from threading import Thread

Job = Callable[[], None]


class Threads:
    """As many threads as concurrent jobs, which the lanes limit. Only one thread may submit jobs."""

    def __init__(self) -> None:
        self._jobs: SimpleQueue[Job] = SimpleQueue()
        self._count = 0
        self._busy = 0

    def begin(self, job: Job) -> None:
        """Starts a job in a thread."""
        self._busy += 1
        if self._busy > self._count:
            self._count += 1
            # daemon: the process does not wait for unfinished jobs when it must end
            Thread(target=self._work, name=f"work-{self._count}", daemon=True).start()
        self._jobs.put(job)

    def done(self) -> None:
        """Records that a job is done; called by the submitting thread."""
        self._busy -= 1

    def _work(self) -> None:
        while True:
            self._jobs.get()()
