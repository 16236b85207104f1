"""Judges records in several processes; the verdicts come in the order of the records.

A bounded number of batches is in progress at any time, so memory use does not depend on the length of the archive. A
record that kills a process gets a verdict that says so, and the rest continues.
"""

import multiprocessing
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from multiprocessing import resource_tracker
from typing import NamedTuple, Self

from capomastro.archive import Terms
from capomastro.batch.judging import crashed, judge
from capomastro.batch.sources import Meter, Record
from capomastro.cores import cores
from capomastro.documents.languages import current_language, set_language
from capomastro.documents.problems import Problem
from capomastro.documents.reading import reader_of
from capomastro.documents.wordings import phrase
from capomastro.games import all_games

MAXIMUM_BATCH_RECORDS = 32
MAXIMUM_BATCH_BYTES = 256 * 1024
"""Limits of a batch; a single record may be larger."""

BYTES_ALONE = 6 * 1024 * 1024
"""Bytes of records that one process judges in the time in which others start: about two seconds (docs/archives.md)."""
BATCHES_PER_PROCESS = 3
"""Number of batches in progress per process."""

BLOCKED_SIGNALS = {signal.SIGINT}
"""A terminal sends Ctrl-C to all processes; only the first one handles it, and then ends the others."""
STOPPING_SIGNALS = (signal.SIGINT, signal.SIGTERM)
"""What may stop the first process at any time, except while it starts others: it would lose track of them."""

Judge = Callable[[list[Record], Terms], list[bytes]]
"""Returns the verdicts on records; runs in a worker process."""


class Batch(NamedTuple):
    """Records judged together, and the number of bytes read from the sources when the batch was complete."""

    records: list[Record]
    read: int


class Judged(NamedTuple):
    """A batch and the verdicts on its records, in their order."""

    batch: Batch
    verdicts: list[bytes]


def batches(records: Iterable[Record], meter: Meter) -> Iterator[Batch]:
    """Groups records into batches large enough to be worth sending, and small enough not to delay others."""
    begun: list[Record] = []
    weight = 0
    for record in records:
        begun.append(record)
        weight += len(record.line.text or b"")
        if len(begun) >= MAXIMUM_BATCH_RECORDS or weight >= MAXIMUM_BATCH_BYTES:
            yield Batch(begun, meter.read)
            begun, weight = [], 0
    if begun:
        yield Batch(begun, meter.read)


def judged(found: Iterable[Batch], terms: Terms, jobs: int | None, judge: Judge = judge) -> Generator[Judged]:
    """Judges batches in `jobs` processes; in this one if that is 1.

    None: the first `BYTES_ALONE` in this process, the rest in one process per core. Nothing waits for more to come.
    """
    if jobs is None:
        found = iter(found)
        weight = 0
        while weight < BYTES_ALONE and (batch := next(found, None)) is not None:
            yield Judged(batch, judge(batch.records, terms))
            weight += sum(len(record.line.text or b"") for record in batch.records)
        jobs = cores() if weight >= BYTES_ALONE else 1
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
    """Processes that judge batches; `waiting` holds the batches in progress, oldest first."""

    def __init__(self, terms: Terms, jobs: int, judge: Judge = judge) -> None:
        self.terms = terms
        self.jobs = jobs
        self.judge = judge
        self.waiting: deque[tuple[Batch, Future[list[bytes]]]] = deque()
        self.executor = self.new_executor()

    def new_executor(self) -> ProcessPoolExecutor:
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload([__name__])
        return ProcessPoolExecutor(self.jobs, context, begin_worker, (current_language(),))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, error: type[BaseException] | None, *_: object) -> None:
        if error is not None:
            end_processes(self.executor)  # a single record may take them long
        self.executor.shutdown(cancel_futures=True)

    @property
    def are_busy(self) -> bool:
        return len(self.waiting) >= self.jobs * BATCHES_PER_PROCESS

    def give(self, batch: Batch) -> None:
        """Sends a batch to be judged."""
        self.waiting.append((batch, self.submit(batch.records)))

    def submit(self, records: list[Record]) -> Future[list[bytes]]:
        try:
            with processes_may_start():
                return self.executor.submit(self.judge, records, self.terms)
        except BrokenProcessPool as error:
            return failed_future(error)

    def take(self) -> Judged:
        """The oldest batch, judged."""
        if is_lost(self.waiting[0][1]):
            self.recover()
        batch, future = self.waiting.popleft()
        return Judged(batch, future.result())

    def recover(self) -> None:
        """Judges lost batches again, record by record, to find the one that killed a process."""
        self.restart()
        recovered = [
            (batch, finished_future(self.judge_one_by_one(batch.records)) if is_lost(future) else future)
            for batch, future in self.waiting
        ]
        self.waiting = deque(recovered)

    def restart(self) -> None:
        """Restarts the processes.

        Raises:
            Problem: `no-processes` if they die without any record.
        """
        end_processes(self.executor)
        self.executor.shutdown(cancel_futures=True)
        self.executor = self.new_executor()
        if is_lost(self.submit([])):
            raise Problem("no-processes", phrase("processes-die"))

    def judge_one_by_one(self, records: Iterable[Record]) -> list[bytes]:
        verdicts: list[bytes] = []
        for record in records:
            future = self.submit([record])
            if is_lost(future):
                self.restart()
                verdicts.append(crashed(record, self.terms))
            else:
                verdicts += future.result()
        return verdicts


def end_processes(executor: ProcessPoolExecutor) -> None:
    """Ends the processes of a pool, whatever they do.

    A broken pool does so itself, but misses a process that was being started when it broke, and then waits for it for
    ever. Before Python 3.11.5 it also waits for what it writes into a pipe that nobody reads (CPython issue 94777);
    closing the last reader ends that.
    """
    for process in list((executor._processes or {}).values()):  # noqa: SLF001 - `terminate_workers` comes with 3.14
        process.terminate()
    if sys.version_info < (3, 11, 5):
        with suppress(OSError):  # the thread that writes closes it as well, if it has finished
            executor._call_queue._reader.close()  # type: ignore[attr-defined]  # noqa: SLF001


def is_lost(future: "Future[list[bytes]]") -> bool:
    """Waits for a batch; returns whether a process died before it was judged."""
    return isinstance(future.exception(), BrokenProcessPool)


def finished_future(verdicts: list[bytes]) -> "Future[list[bytes]]":
    future: Future[list[bytes]] = Future()
    future.set_result(verdicts)
    return future


def failed_future(error: Exception) -> "Future[list[bytes]]":
    future: Future[list[bytes]] = Future()
    future.set_exception(error)
    return future


@contextmanager
def processes_may_start() -> Iterator[None]:
    """Keeps signals away from processes that are started meanwhile, and from this one as long as it starts them."""
    with signals_deferred(), signals_blocked():
        yield


@contextmanager
def signals_blocked() -> Iterator[None]:
    """Blocks signals in processes started meanwhile, or by threads started meanwhile: they inherit the mask."""
    resource_tracker.ensure_running()  # it unblocks them in the thread that starts it
    before = signal.pthread_sigmask(signal.SIG_BLOCK, BLOCKED_SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def signals_deferred() -> Iterator[None]:
    """Lets signals that would stop this process have their effect only afterwards.

    Blocking them would not do: another thread would get them, and a process started meanwhile would never get them.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    arrived: list[int] = []
    before = {each: signal.signal(each, lambda number, _: arrived.append(number)) for each in STOPPING_SIGNALS}
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
        for number in arrived:
            signal.raise_signal(number)


def begin_worker(language: str) -> None:
    """Makes the readers of records, and ensures that this process does not outlive its parent, even if that is killed.

    Its sentences are in `language`.
    """
    set_language(language)
    threading.Thread(target=die_with_parent, daemon=True).start()
    for game in all_games().values():
        reader_of(game, "record")


def die_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
