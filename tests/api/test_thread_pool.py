"""Threads that answer requests, also where the system has no more of them (TasksMax, pids_limit)."""

import threading
from collections.abc import Callable

import pytest

from capomastro.worker.scheduling import ThreadPool

PATIENCE = 60


@pytest.fixture
def refuse(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Makes the system refuse the next threads, so many of them."""
    left = 0
    start = threading.Thread.start

    def start_unless(thread: threading.Thread) -> None:
        nonlocal left
        if left:
            left -= 1
            raise RuntimeError("can't start new thread")
        start(thread)

    def refuse_next(count: int) -> None:
        nonlocal left
        left = count

    monkeypatch.setattr(threading.Thread, "start", start_unless)
    return refuse_next


def test_a_job_waits_for_the_threads_there_are(refuse: Callable[[int], None]) -> None:
    pool, done, go_on = ThreadPool(), threading.Semaphore(0), threading.Event()

    def wait() -> None:
        assert go_on.wait(PATIENCE)
        done.release()

    pool.submit(wait, 1)
    refuse(1)
    pool.submit(done.release, 2)
    assert not done.acquire(timeout=0.1)
    go_on.set()
    assert done.acquire(timeout=PATIENCE)
    assert done.acquire(timeout=PATIENCE)


def test_a_job_without_any_thread_is_done_with_the_next(refuse: Callable[[int], None]) -> None:
    pool, done = ThreadPool(), threading.Semaphore(0)
    refuse(1)
    for number in (1, 2):
        pool.submit(done.release, number)
    assert done.acquire(timeout=PATIENCE)
    assert done.acquire(timeout=PATIENCE)
