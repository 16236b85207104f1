"""Judges archives on a Dask cluster: workers get parts, read the records and write the verdicts themselves.

The verdicts on a part depend only on its records, and are written atomically to a file of their own. So a part may be
judged any number of times: if a worker is lost, the scheduler gives its parts to others; if this process is lost, the
next run finds the parts already judged. In the end every record has one verdict.
"""

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext, suppress
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import dask
import msgspec
from distributed import Client, KilledWorker, LocalCluster, as_completed

from capomastro.archive import Terms
from capomastro.batch import files
from capomastro.batch.judging import judge
from capomastro.batch.partitions import (
    Part,
    Piece,
    lines_in,
    load_or_make_plan,
    part_bytes,
    part_file,
    records_of_part,
    remove_verdicts,
    split_into_parts,
    terms_digest,
)
from capomastro.batch.processes import Judges, batches, processes_may_start
from capomastro.batch.sources import Meter, Source
from capomastro.batch.statistics import Collected, Question, collect, read_collected
from capomastro.documents.languages import ORIGINAL, current_language, using_language
from capomastro.documents.problems import Problem
from capomastro.documents.system_errors import reason_of
from capomastro.documents.wordings import phrase

LOCAL = "local"
ON_THIS_MACHINE = {
    "threads_per_worker": 1,
    "host": "127.0.0.1",
    "dashboard_address": "127.0.0.1:0",
    "silence_logs": logging.CRITICAL,  # a worker that ends while it reports logs an error
}
WITHOUT_PROFILES = {"distributed.worker.profile.enabled": False}
"""Dask's own workers keep samples of their stacks for an hour: in ten minutes some 80 MB."""
CONNECT_SECONDS, WORKER_SECONDS = 15, 60
"""Time-outs in seconds: for the scheduler to answer or write its file, and for it to have a worker."""
NOTICE_DELAY = 1
"""Seconds to wait for workers before the user is informed."""
POLL_SECONDS = 0.1
"""Seconds between checks for the scheduler's file."""


class Task(msgspec.Struct, frozen=True, rename={"terms_digest": "question"}):
    """All that a worker needs to judge a part; sent as JSON, so that nothing depends on how Dask moves objects.

    The JSON calls `terms_digest` `question`, as before: a worker of another version must be able to read and refuse it.
    """

    terms_digest: str
    terms: Terms
    part: Part
    verdicts: str
    language: str = ORIGINAL
    """The language of all sentences."""


class Counting(msgspec.Struct, frozen=True):
    """All that a worker needs to count what is in a part; `tables` is where its Parquet files go, if wanted."""

    terms_digest: str
    terms: Terms
    part: Part
    question: Question
    number: int
    tables: str | None = None
    language: str = ORIGINAL


class UnfitWorker(Exception):
    """The worker has other rules than this process, or sees other files."""


# --- on a worker -----------------------------------------------------------------------------------------------------


def judge_part(encoded: bytes) -> None:
    """Judges a part, unless its verdicts exist.

    Raises:
        UnfitWorker: if this worker has other rules or sees other files.
        OSError: if the verdicts cannot be written.
    """
    task = decoded(encoded)
    if files.exists(task.verdicts):
        return
    with using_language(task.language):
        require_fit_worker(task)
        with files.atomic_writer(task.verdicts) as file:
            for batch in batches(records_of_part(task.part, task.terms.maximum_bytes), Meter()):
                file.writelines(judge(batch.records, task.terms))


def decoded(encoded: bytes) -> Task:
    return msgspec.json.decode(encoded, type=Task)


def require_fit_worker(task: Task | Counting) -> None:
    if terms_digest(task.terms) != task.terms_digest:
        raise UnfitWorker(phrase("worker-of-other-version"))
    for piece in task.part:
        source = piece.source
        if not source.trouble:
            require_same_file(source)


def require_same_file(source: Source) -> None:
    try:
        here = files.info(source.path)
    except OSError as error:
        raise UnfitWorker(phrase("worker-cannot-read", file=source.name, reason=reason_of(error))) from None
    if (here.bytes, here.written) != (source.bytes, source.written):
        raise UnfitWorker(phrase("changed-since-planned", file=source.name))


def count_lines_of(encoded: bytes, maximum_bytes: int) -> int | None:
    """The number of lines in a range of bytes, as `lines_in` counts them."""
    return lines_in(msgspec.json.decode(encoded, type=Piece), maximum_bytes)


def count_part(encoded: bytes) -> bytes:
    """What was counted of the records of a part.

    Raises:
        UnfitWorker: if this worker has other rules or sees other files.
        Problem: `unwritable` if the tables cannot be written.
    """
    task = msgspec.json.decode(encoded, type=Counting)
    found = Collected()
    with using_language(task.language):
        require_fit_worker(task)
        with tables_of(task) as tables:
            for batch in batches(records_of_part(task.part, task.terms.maximum_bytes), Meter()):
                for line in collect(batch.records, task.terms, task.question):
                    collected = read_collected(line)
                    if tables is not None:
                        tables.add(collected.rows)
                    found.merge(collected)
    return msgspec.json.encode(found)


def tables_of(task: Counting) -> AbstractContextManager[Any]:
    if task.tables is None:
        return nullcontext()
    from capomastro.batch.parquet import Tables  # noqa: PLC0415 - an optional extra

    return Tables(task.tables, f"-{task.number:05}")


# --- in this process -------------------------------------------------------------------------------------------------


class JudgedPart(NamedTuple):
    """A part that has been judged: its number, the bytes of its records, and the file with its verdicts."""

    number: int
    bytes: int
    verdicts: str


@contextmanager
def connected(address: str, workers: int, say: Callable[[str], None]) -> Iterator[Any]:
    """A client of the cluster at `address`, or of a temporary one on this machine.

    An address that ends with `.json` is the file in which the scheduler has written its address. `say` informs the user
    about waiting.

    Raises:
        Problem: `no-cluster` if no scheduler answers there, or no worker comes.
    """
    for logger in ("distributed", "distributed.client", "asyncio"):  # the last reports what a client gives up
        logging.getLogger(logger).setLevel(logging.CRITICAL)  # we report errors ourselves
    if address.endswith(".json"):
        wait_for_file(address)
    with ExitStack() as opened:
        try:
            where = {"scheduler_file": address} if address.endswith(".json") else {"address": address}
            if address == LOCAL:
                with processes_may_start(), dask.config.set(WITHOUT_PROFILES):  # as may the thread that restarts them
                    where = {"address": opened.enter_context(LocalCluster(**ON_THIS_MACHINE, n_workers=workers))}
            client = opened.enter_context(Client(**where, timeout=CONNECT_SECONDS, set_as_default=False))
        except (OSError, ValueError) as error:
            raise Problem("no-cluster", phrase("no-scheduler", address=address, reason=str(error))) from None
        try:
            wait_for_worker(client, address, say)
            yield client
        except TimeoutError:
            raise Problem("no-cluster", phrase("no-workers", address=address)) from None


def wait_for_worker(client: Any, address: str, say: Callable[[str], None]) -> None:
    """Waits until there is a worker, and says so if it takes long.

    Raises:
        TimeoutError: if none comes.
    """
    with suppress(TimeoutError):
        client.wait_for_workers(1, timeout=NOTICE_DELAY)
        return
    say(phrase("no-workers-yet", address=address, seconds=WORKER_SECONDS))
    client.wait_for_workers(1, timeout=WORKER_SECONDS)


def wait_for_file(name: str) -> None:
    """Waits for the file of a scheduler that is just starting; Dask itself would wait for ever.

    Raises:
        Problem: `no-cluster` if it does not appear.
    """
    end = time.monotonic() + CONNECT_SECONDS
    while not Path(name).exists():
        if time.monotonic() > end:
            raise Problem("no-cluster", phrase("no-scheduler-file", file=files.path_text(name)))
        time.sleep(POLL_SECONDS)


def judged(client: Any, sources: Sequence[Source], terms: Terms, directory: str, restart: bool) -> Iterator[JudgedPart]:
    """Yields the parts of an archive as they are judged.

    Raises:
        Problem: `other-verdicts`, `unreadable`, `unwritable`, `unfit-worker` or `no-cluster`.
    """
    sources = with_absolute_paths(sources)
    directory = files.absolute(directory)
    try:
        files.make_directory(directory)
        if restart:
            remove_verdicts(directory)
        workers = sum(client.nthreads().values())
        plan = load_or_make_plan(directory, sources, terms, workers, partial(count_lines, client, terms.maximum_bytes))
    except OSError as error:
        raise files.unwritable(directory, reason_of(error)) from None
    tasks = {
        number: Task(plan.terms_digest, terms, part, part_file(directory, number), current_language())
        for number, part in enumerate(plan.parts)
    }
    futures = {
        client.submit(judge_part, msgspec.json.encode(task), pure=False): number for number, task in tasks.items()
    }
    for future in as_completed(futures, loop=client.loop):
        number = futures[future]
        task = tasks[number]
        ensure_judged(future, task)
        future.release()
        yield JudgedPart(number, sum(piece.bytes for piece in task.part), task.verdicts)


def counted(
    client: Any, sources: Sequence[Source], terms: Terms, question: Question, tables: str | None
) -> Iterator[tuple[int, Collected]]:
    """Yields the bytes of each part of an archive, and what was counted of it.

    Raises:
        Problem: `unreadable`, `unfit-worker`, `unwritable` or `no-cluster`.
    """
    sources = with_absolute_paths(sources)
    language = current_language()
    size = part_bytes(sources, sum(client.nthreads().values()))
    parts = split_into_parts(sources, size, partial(count_lines, client, terms.maximum_bytes))
    where = None if tables is None else files.absolute(tables)
    tasks = [Counting(terms_digest(terms), terms, part, question, n, where, language) for n, part in enumerate(parts)]
    futures = {client.submit(count_part, msgspec.json.encode(task), pure=False): task for task in tasks}
    for future in as_completed(futures, loop=client.loop):
        task = futures[future]
        try:
            found = read_collected(future.result())
        except (UnfitWorker, ImportError) as error:
            raise Problem("unfit-worker", str(error)) from None
        except OSError as error:  # not of the tables, nor of a source, which are told by their names
            raise Problem("unfit-worker", phrase("worker-cannot-read-records", reason=reason_of(error))) from None
        except (KilledWorker, CancelledError):
            raise Problem("no-cluster", phrase("scheduler-lost")) from None
        future.release()
        yield sum(piece.bytes for piece in task.part), found


def with_absolute_paths(sources: Sequence[Source]) -> list[Source]:
    """The sources as workers find them.

    Raises:
        Problem: `unreadable` for standard input, which workers cannot read.
    """
    if any(source.path == files.STANDARD_INPUT for source in sources):
        raise Problem("unreadable", phrase("no-input-for-workers"))
    return [msgspec.structs.replace(source, path=files.absolute(source.path)) for source in sources]


def count_lines(client: Any, maximum_bytes: int, pieces: Sequence[Piece]) -> Sequence[int | None]:
    """Counts the lines of ranges on the workers, which will read them later.

    Raises:
        Problem: `unfit-worker`.
    """
    try:
        lines_of = partial(count_lines_of, maximum_bytes=maximum_bytes)
        lines: Sequence[int | None] = client.gather(client.map(lines_of, [*map(msgspec.json.encode, pieces)]))
    except (OSError, ImportError) as error:
        raise Problem("unfit-worker", phrase("worker-cannot-read-records", reason=str(error))) from None
    return lines


def ensure_judged(future: Any, task: Task) -> None:
    """Checks that a part has been judged; judges it here if every worker that tried has died.

    Does not fetch the result, which may be on a worker that is lost by now: only the file of verdicts matters.

    Raises:
        Problem: `no-cluster`, `unfit-worker` or `unwritable`.
    """
    if future.status == "finished":
        return
    error = future.exception() if future.status == "error" else None
    match error:
        case KilledWorker():
            judge_part_in_own_process(task)
        case UnfitWorker():
            raise Problem("unfit-worker", str(error))
        case OSError():
            raise Problem(
                "unwritable",
                phrase("worker-cannot-write", file=files.path_text(task.verdicts), reason=reason_of(error)),
            )
        case ImportError():
            raise Problem("unfit-worker", phrase("worker-without-module", reason=str(error)))
        case None:
            raise Problem("no-cluster", phrase("scheduler-lost"))
        case _:
            raise error


def judge_part_in_own_process(task: Task) -> None:
    """Judges a part in a separate process, to find the record that kills it."""
    records = records_of_part(task.part, task.terms.maximum_bytes)
    with Judges(task.terms, 1) as judges, files.atomic_writer(task.verdicts) as file:
        for batch in batches(records, Meter()):
            judges.give(batch)
            file.writelines(judges.take().verdicts)
