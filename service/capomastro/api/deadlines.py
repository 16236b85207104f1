"""Deadlines: a request that takes too much CPU is ended, wherever it is.

Everything on the way from bytes to answer is meant to be linear in the bytes, or bounded by a limit; a deadline is for
what nobody has thought of. So it cannot rely on the loops that would have to look at a clock: it raises an exception in
the thread that serves the request (`PyThreadState_SetAsyncExc`), which the interpreter does between two steps of Python
code. What runs in C meanwhile (decoding, encoding, validating) is bounded by the size of the body.

An exception that comes from outside must not come late, or the next request would get it. Each piece of work is ended
at most once, only while it is registered, and both happen under one lock. Whoever leaves takes its registration back
under the same lock, and then withdraws an exception that is on its way; one that comes before that is caught here.
It is no `Exception`, so that nothing on the way takes it for its own. Nothing that lasts is left half done: what is
kept from request to request are caches, which are written in one step when a value is there.
"""

import ctypes
from collections.abc import Callable
from threading import Lock, Thread, get_ident
from time import clock_gettime, pthread_getcpuclockid, sleep, thread_time
from typing import Any, TypeVar

from capomastro.documents.problems import Problem

T = TypeVar("T")

TICK = 0.25
"""Seconds between two looks at those who work."""


class Overrun(BaseException):
    """Raised in a thread whose work has taken too much CPU."""


class Work:
    """A piece of work: the thread, and until when by the thread's own clock of CPU time."""

    __slots__ = ("ended", "thread", "until")

    def __init__(self, thread: int, until: float) -> None:
        self.thread = thread
        self.until = until
        self.ended = False


class Watchman:
    """Looks at all who work, and ends what takes too long. One is enough for a process."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.under_way: set[Work] = set()
        self.looking: Thread | None = None

    def begin(self, work: Work) -> None:
        with self.lock:
            self.under_way.add(work)
            # a process that was forked has no threads but its own
            if self.looking is None or not self.looking.is_alive():
                self.looking = Thread(target=self.look, name="deadlines", daemon=True)
                self.looking.start()

    def leave(self, work: Work) -> None:
        """Takes the registration back; after that no exception comes any more."""
        with self.lock:
            self.under_way.discard(work)
        if work.ended:
            raise_in(work.thread, None)

    def look(self) -> None:
        """Looks for ever, and does nothing else."""
        while True:
            sleep(TICK)
            with self.lock:
                for work in self.under_way:
                    if not work.ended and clock_gettime(pthread_getcpuclockid(work.thread)) > work.until:
                        work.ended = True
                        raise_in(work.thread, Overrun)


def raise_in(thread: int, error: type[BaseException] | None) -> None:
    """Has the error raised in a thread before its next step; None withdraws one that is on its way."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(
        ctypes.c_ulong(thread), None if error is None else ctypes.py_object(error)
    )


WATCHMAN = Watchman()


def within(seconds: float, call: Callable[..., T], *arguments: Any, **named: Any) -> T:
    """What `call` returns, if that takes no more than so many seconds of the thread's CPU time.

    Raises:
        Problem: `deadline`, if it takes more.
    """
    work = Work(get_ident(), thread_time() + seconds)
    try:
        try:
            WATCHMAN.begin(work)
            return call(*arguments, **named)
        finally:
            WATCHMAN.leave(work)
    except Overrun:
        # it may have come while leaving; a second one does not
        WATCHMAN.leave(work)
    raise Problem("deadline", f"The answer would take more than {seconds} s of computing.")
