"""Deadlines: aborts a request that takes too much CPU time, wherever it is.

All work from bytes to answer is meant to be linear in the bytes, or bounded by a limit; the deadline is for cases that
nobody thought of. So it cannot rely on loops that check a clock: it raises an exception in the thread that serves the
request (`PyThreadState_SetAsyncExc`), which the interpreter delivers between two bytecodes. Work in C (decoding,
encoding, validating) is bounded by the size of the body.

An exception from outside may be swallowed on the way: by a callback of a library in C, or by a handler that catches
everything. So it is raised again at each tick until the work ends.

An exception from outside must not arrive late, or it would hit the next request. Work is aborted only
while it is registered, and under a lock. A thread that leaves unregisters under the same lock: that takes calls, and
after each call the interpreter delivers a pending exception, so it arrives before the thread has left and is caught
here. `Overrun` is not an `Exception`, so no handler on the way swallows it. No lasting data is left half done:
only caches live longer than a request, and each entry is written in one step.
"""

import ctypes
from collections.abc import Callable
from threading import Lock, Thread, get_ident
from time import clock_gettime, pthread_getcpuclockid, sleep, thread_time
from typing import Any, TypeVar

from capomastro.cores import HAS_THREADS
from capomastro.documents.problems import Problem
from capomastro.documents.wordings import phrase

T = TypeVar("T")

TICK = 0.25
"""Seconds between two checks."""


class Overrun(BaseException):
    """Raised in a thread whose work has taken too much CPU time."""


class Work:
    """Work in a thread, with a deadline on that thread's CPU clock."""

    __slots__ = ("leaving", "thread", "until")

    def __init__(self, thread: int, until: float) -> None:
        self.thread = thread
        self.until = until
        self.leaving = False
        """Whether it has ended with the exception, which is then not raised again."""


class Watchdog:
    """Aborts registered work that takes too long. A process needs only one."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.under_way: set[Work] = set()
        self.thread: Thread | None = None

    def begin(self, work: Work) -> None:
        with self.lock:
            self.under_way.add(work)
            # a forked process does not inherit threads
            if self.thread is None or not self.thread.is_alive():
                self.thread = Thread(target=self.watch, name="deadlines", daemon=True)
                self.thread.start()

    def leave(self, work: Work) -> None:
        """Unregisters work of this thread; no exception arrives after that."""
        with self.lock:
            self.under_way.discard(work)

    def watch(self) -> None:
        """Checks all registered work, for ever."""
        while True:
            sleep(TICK)
            with self.lock:
                for work in self.under_way:
                    if not work.leaving and clock_gettime(pthread_getcpuclockid(work.thread)) > work.until:
                        raise_in(work.thread, Overrun)


def raise_in(thread: int, error: type[BaseException]) -> None:
    """Raises an error in a thread, before one of its next bytecodes, instead of one that is pending there."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(error))


WATCHDOG = Watchdog()


def within(seconds: float, call: Callable[..., T], *arguments: Any, **named: Any) -> T:
    """Returns what `call` returns, if that takes at most `seconds` of the thread's CPU time.

    Raises:
        Problem: `too-costly`, if it takes more.
    """
    if not HAS_THREADS:  # nobody else waits for this one, and nothing could watch it
        return call(*arguments, **named)
    work = Work(get_ident(), thread_time() + seconds)
    try:
        try:
            WATCHDOG.begin(work)
            return call(*arguments, **named)
        finally:
            WATCHDOG.leave(work)
    except Overrun:
        # it may have arrived in `leave`; before the next line another may have been raised, but no third
        work.leaving = True
        try:
            WATCHDOG.leave(work)
        except Overrun:
            WATCHDOG.leave(work)
    raise Problem("too-costly", phrase("too-costly", seconds=str(seconds)))
