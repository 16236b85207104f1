"""Archives judged by a Dask cluster: parts go to workers, which read the records and write the verdicts themselves.

A part is a pure function of its records, and its verdicts appear as a whole under a name of its own. So it does not
matter how often a part is judged: when a worker is lost the scheduler gives its parts to others, when this process is
lost the next run finds what is there, and every record has one verdict in the end.
"""

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from distributed import Client, KilledWorker, LocalCluster, as_completed

from capomastro.archive import Terms
from capomastro.batch import files
from capomastro.batch.judging import judge
from capomastro.batch.partitions import (
    Block,
    Part,
    Piece,
    block_of,
    forget,
    part_file,
    planned,
    question,
    records_of_part,
)
from capomastro.batch.processes import Judges, batches
from capomastro.batch.sources import Meter, Source
from capomastro.batch.summaries import Summary
from capomastro.batch.verdict_file import read_verdict
from capomastro.documents.problems import Problem

LOCAL = "local"
ON_THIS_MACHINE = {
    "threads_per_worker": 1,
    "host": "127.0.0.1",
    "dashboard_address": "127.0.0.1:0",
    "silence_logs": logging.CRITICAL,  # a worker that ends while it reports calls that an error
}
CONNECTING, FINDING_WORKERS = 15, 60
"""Seconds until the scheduler answers or has written its file, and until it has a worker."""
SAYING_SO = 1
"""Seconds until it is said that workers are waited for."""
LOOKING_AGAIN = 0.1
"""Seconds between two looks for that file."""


class Order(msgspec.Struct, frozen=True):
    """All that a worker needs to know to judge a part, as JSON: nothing in it depends on how Dask moves objects."""

    question: str
    terms: Terms
    part: Part
    verdicts: str


class Unfit(Exception):
    """A worker that would not judge as this process does, or does not see the same files."""


# --- on a worker -----------------------------------------------------------------------------------------------------


def carry_out(encoded: bytes) -> None:
    """Judges a part, unless its verdicts are there.

    Raises:
        Unfit: if this worker has other rules, or finds other files.
        OSError: if the verdicts cannot be written.
    """
    order = decoded(encoded)
    if files.exists(order.verdicts):
        return
    refuse_unfit(order)
    with files.written_whole(order.verdicts) as file:
        for batch in batches(records_of_part(order.part, order.terms.most_bytes), Meter()):
            file.writelines(judge(batch.records, order.terms))


def decoded(encoded: bytes) -> Order:
    return msgspec.json.decode(encoded, type=Order)


def refuse_unfit(order: Order) -> None:
    if question(order.terms) != order.question:
        raise Unfit("A worker has another version of capomastro, with other rules.")
    for piece in order.part:
        source = piece.source
        if not source.trouble:
            refuse_other_file(source)


def refuse_other_file(source: Source) -> None:
    try:
        here = files.found(source.path)
    except OSError as error:
        raise Unfit(f"A worker cannot read {source.name}: {error.strerror or error}.") from None
    if (here.bytes, here.written) != (source.bytes, source.written):
        raise Unfit(f"{source.name} is another file than when the work was planned.")


def looked_at(encoded: bytes) -> Block:
    """Counts the lines in a range of bytes."""
    return block_of(msgspec.json.decode(encoded, type=Piece))


# --- here ------------------------------------------------------------------------------------------------------------


class Done(msgspec.Struct, frozen=True):
    """A part whose verdicts are there: its number, the bytes of its records, what became of them."""

    number: int
    bytes: int
    summary: Summary


@contextmanager
def connected(address: str, workers: int, say: Callable[[str], None]) -> Iterator[Any]:
    """A client of the cluster at `address`, or of one on this machine that lasts as long as it is needed.

    An address that ends with `.json` is a file in which the scheduler has written where it is. `say` tells whoever
    waits what for.

    Raises:
        Problem: `no-cluster` if nobody answers there, or no worker comes.
    """
    for logger in ("distributed", "distributed.client"):
        logging.getLogger(logger).setLevel(logging.CRITICAL)  # what goes wrong is told in our words
    if address.endswith(".json"):
        wait_for_file(address)
    try:
        cluster = LocalCluster(**ON_THIS_MACHINE, n_workers=workers) if address == LOCAL else None
        where = {"scheduler_file": address} if address.endswith(".json") else {"address": cluster or address}
        client = Client(**where, timeout=CONNECTING, set_as_default=False)
    except (OSError, ValueError) as error:
        raise Problem("no-cluster", f"There is no Dask scheduler at {address}: {error}.") from None
    try:
        wait_for_worker(client, address, say)
        yield client
    except TimeoutError:
        raise Problem("no-cluster", f"The Dask scheduler at {address} has no workers.") from None
    finally:
        client.close()
        if cluster is not None:
            cluster.close()


def wait_for_worker(client: Any, address: str, say: Callable[[str], None]) -> None:
    """Waits until there is a worker; if there is none at once, it is said what is waited for.

    Raises:
        TimeoutError: if none comes.
    """
    with suppress(TimeoutError):
        client.wait_for_workers(1, timeout=SAYING_SO)
        return
    say(f"The Dask scheduler at {address} has no workers yet; they have {FINDING_WORKERS} s to come.")
    client.wait_for_workers(1, timeout=FINDING_WORKERS)


def wait_for_file(name: str) -> None:
    """Waits for the file of a scheduler that was only just started; Dask itself would wait without end.

    Raises:
        Problem: `no-cluster` if it does not come.
    """
    end = time.monotonic() + CONNECTING
    while not Path(name).exists():
        if time.monotonic() > end:
            raise Problem("no-cluster", f"There is no Dask scheduler: no scheduler has written {name}.")
        time.sleep(LOOKING_AGAIN)


def judged(client: Any, sources: Sequence[Source], terms: Terms, directory: str, restart: bool) -> Iterator[Done]:
    """The parts of an archive, as they are done.

    Raises:
        Problem: `other-verdicts`, `unreadable`, `unwritable`, `unfit-worker` or `no-cluster`.
    """
    if any(source.path == files.STANDARD_INPUT for source in sources):
        raise Problem("unreadable", "Workers cannot read the standard input of this process; give them files.")
    directory = files.absolute(directory)
    sources = [msgspec.structs.replace(source, path=files.absolute(source.path)) for source in sources]
    try:
        files.make_directory(directory)
        if restart:
            forget(directory)
        workers = sum(client.nthreads().values())
        plan = planned(directory, sources, terms, workers, partial(blocks_of, client))
    except OSError as error:
        raise Problem("unwritable", f"{directory} cannot be written: {error.strerror or error}.") from None
    orders = {
        number: Order(plan.question, terms, part, part_file(directory, number))
        for number, part in enumerate(plan.parts)
    }
    futures = {
        client.submit(carry_out, msgspec.json.encode(order), pure=False): number for number, order in orders.items()
    }
    for future in as_completed(futures, loop=client.loop):
        number = futures[future]
        order = orders[number]
        see_to_it(future, order)
        future.release()
        yield Done(number, sum(piece.bytes for piece in order.part), summary_of(order))


def summary_of(order: Order) -> Summary:
    summary = Summary()
    with files.opened(order.verdicts) as file:
        for line in file:
            summary.count(read_verdict(line))
    return summary


def blocks_of(client: Any, pieces: Sequence[Piece]) -> Sequence[Block]:
    """Looks at ranges of files where these are read later.

    Raises:
        Problem: `unfit-worker`.
    """
    try:
        blocks: Sequence[Block] = client.gather(client.map(looked_at, [*map(msgspec.json.encode, pieces)]))
    except (OSError, ImportError) as error:
        raise Problem("unfit-worker", f"A worker cannot read the records: {error}.") from None
    return blocks


def see_to_it(future: Any, order: Order) -> None:
    """Looks how a part has ended; if every worker died that was given it, it is judged here.

    Results are not asked for, they might be on a worker that is lost by now: the verdicts are there, and that is all.

    Raises:
        Problem: `no-cluster`, `unfit-worker` or `unwritable`.
    """
    if future.status == "finished":
        return
    error = future.exception() if future.status == "error" else None
    match error:
        case KilledWorker():
            carry_out_carefully(order)
        case Unfit():
            raise Problem("unfit-worker", str(error))
        case OSError():
            raise Problem("unwritable", f"A worker cannot write {order.verdicts}: {error.strerror or error}.")
        case ImportError():
            raise Problem("unfit-worker", f"The cluster needs capomastro installed as it is here: {error}.")
        case None:
            raise Problem("no-cluster", "The Dask scheduler is lost; with another one the same command goes on.")
        case _:
            raise error


def carry_out_carefully(order: Order) -> None:
    """Judges a part in a process of its own, so that the record it dies of is found."""
    records = records_of_part(order.part, order.terms.most_bytes)
    with Judges(order.terms, 1) as judges, files.written_whole(order.verdicts) as file:
        for batch in batches(records, Meter()):
            judges.give(batch)
            file.writelines(judges.take().verdicts)
