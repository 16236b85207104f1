"""Records judged by several processes at once, the verdicts in the order of the records.

A bounded number of batches is under way at any time, so that memory stays flat however long the archive is. A record
that a process dies of gets a verdict that says so, and the others go on.
"""

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import NamedTuple, Self

from capomastro.archive import Terms
from capomastro.batch.judging import crashed, judge
from capomastro.batch.sources import Meter, Record
from capomastro.documents.problems import Problem
from capomastro.documents.shapes import shape_of
from capomastro.games import all_games

MOST_RECORDS = 32
MOST_BYTES = 256 * 1024
"""Of a batch; a single record may be larger."""

AHEAD = 3
"""So many batches are under way for each process."""

KEPT_FROM_WORKERS = {signal.SIGINT}
"""A terminal sends Ctrl-C to all processes; it is for the first one, which ends the others when it is done."""


Judge = Callable[[list[Record], Terms], list[bytes]]
"""What a process does: the verdicts on records."""


class Batch(NamedTuple):
    """Records that are judged together, and how many bytes of the sources were read when it was complete."""

    records: list[Record]
    read: int


class Judged(NamedTuple):
    """A batch and the verdicts on its records, in their order."""

    batch: Batch
    verdicts: list[bytes]


def cores() -> int:
    """How many processes can run at once."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def batches(records: Iterable[Record], meter: Meter) -> Iterator[Batch]:
    """Records in batches that take long enough to be worth sending, and not so long that others wait for them."""
    begun: list[Record] = []
    weight = 0
    for record in records:
        begun.append(record)
        weight += len(record.line.text or b"")
        if len(begun) >= MOST_RECORDS or weight >= MOST_BYTES:
            yield Batch(begun, meter.read)
            begun, weight = [], 0
    if begun:
        yield Batch(begun, meter.read)


def judged(found: Iterable[Batch], terms: Terms, jobs: int, judge: Judge = judge) -> Iterator[Judged]:
    """Batches with their verdicts, by `jobs` processes; by this one if that is 1."""
    if jobs == 1:
        for batch in found:
            yield Judged(batch, judge(batch.records, terms))
        return
    with Judges(terms, jobs, judge) as judges:
        for batch in found:
            judges.give(batch)
            if judges.are_busy:
                yield judges.take()
        while judges.waiting:
            yield judges.take()


class Judges:
    """Processes that judge batches; those under way stand in `waiting`, the oldest first."""

    def __init__(self, terms: Terms, jobs: int, judge: Judge = judge) -> None:
        self.terms = terms
        self.jobs = jobs
        self.judge = judge
        self.waiting: deque[tuple[Batch, Future[list[bytes]]]] = deque()
        self.executor = self.started()

    def started(self) -> ProcessPoolExecutor:
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload([__name__])
        return ProcessPoolExecutor(self.jobs, context, begin_worker)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.executor.shutdown(cancel_futures=True)

    @property
    def are_busy(self) -> bool:
        return len(self.waiting) >= self.jobs * AHEAD

    def give(self, batch: Batch) -> None:
        """Sends a batch to be judged."""
        self.waiting.append((batch, self.sent(batch.records)))

    def sent(self, records: list[Record]) -> Future[list[bytes]]:
        try:
            with kept_from_workers():  # they may be started only now
                return self.executor.submit(self.judge, records, self.terms)
        except BrokenProcessPool as error:
            return failed(error)

    def take(self) -> Judged:
        """The oldest batch, judged."""
        if is_lost(self.waiting[0][1]):
            self.recover()
        batch, future = self.waiting.popleft()
        return Judged(batch, future.result())

    def recover(self) -> None:
        """Judges anew what was lost with a process, record by record, so that the one it died of is found."""
        self.renew()
        recovered = [
            (batch, done(self.one_by_one(batch.records)) if is_lost(future) else future)
            for batch, future in self.waiting
        ]
        self.waiting = deque(recovered)

    def renew(self) -> None:
        """Starts processes anew.

        Raises:
            Problem: `no-processes` if that cannot be done: then no record is to blame.
        """
        end_processes(self.executor)
        self.executor.shutdown(cancel_futures=True)
        self.executor = self.started()
        if is_lost(self.sent([])):
            detail = "Processes to judge with end as soon as they are started; with --jobs 1 none are needed."
            raise Problem("no-processes", detail)

    def one_by_one(self, records: Iterable[Record]) -> list[bytes]:
        verdicts: list[bytes] = []
        for record in records:
            future = self.sent([record])
            if is_lost(future):
                self.renew()
                verdicts.append(crashed(record, self.terms))
            else:
                verdicts += future.result()
        return verdicts


def end_processes(executor: ProcessPoolExecutor) -> None:
    """Ends the processes of a broken pool.

    It does so itself, but misses one that was being started when it broke, and then waits for it without end.
    """
    for process in list((executor._processes or {}).values()):  # noqa: SLF001 - `terminate_workers` comes with 3.14
        process.terminate()


def is_lost(future: "Future[list[bytes]]") -> bool:
    """Whether a process died before a batch was judged; waits until one knows."""
    return isinstance(future.exception(), BrokenProcessPool)


def done(verdicts: list[bytes]) -> "Future[list[bytes]]":
    future: Future[list[bytes]] = Future()
    future.set_result(verdicts)
    return future


def failed(error: Exception) -> "Future[list[bytes]]":
    future: Future[list[bytes]] = Future()
    future.set_exception(error)
    return future


@contextmanager
def kept_from_workers() -> Iterator[None]:
    """Processes started meanwhile never get some signals: they inherit that these are blocked."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, KEPT_FROM_WORKERS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def begin_worker() -> None:
    """Compiles the schemas; and sees to it that this process does not outlive the first one, even if that is killed."""
    threading.Thread(target=die_with_parent, daemon=True).start()
    for game in all_games():
        shape_of(game, "record")


def die_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
