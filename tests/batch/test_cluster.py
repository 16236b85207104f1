"""Archives judged by Dask: a real scheduler and real workers on this machine; some are killed."""

import errno
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import msgspec
import pytest
from distributed import KilledWorker

from capomastro.archive import Terms
from capomastro.batch.cluster import Task, UnfitWorker, connected, counted, ensure_judged, judge_part, judged
from capomastro.batch.partitions import Piece, terms_digest
from capomastro.batch.sources import Source, sources_at
from capomastro.batch.statistics import Question
from capomastro.documents.languages import using_language
from capomastro.documents.problems import Problem
from tests.support.archives import archive_lines, expected, write_archive
from tests.support.serving import CAPOMASTRO, clean_environment, free_port

PATIENCE = 60
"""Seconds to wait for what takes a few."""

MANY = 240
LOOPBACK = ("--no-dashboard", "--dashboard-address", "127.0.0.1:0")
"""Everything except the protocol of Dask is reachable from this machine only."""

Process = subprocess.Popen[bytes]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Process]]:
    """Starts a process, with its output `heard` or not; whatever remains of it at the end is killed."""
    started: list[Process] = []

    def run(*arguments: str, heard: bool = True) -> Process:
        process = subprocess.Popen(
            arguments,
            env=clean_environment(DASK_TEMPORARY_DIRECTORY=str(tmp_path / "scratch")),
            cwd=tmp_path,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE if heard else subprocess.DEVNULL,
            stderr=subprocess.PIPE if heard else subprocess.DEVNULL,
        )
        started.append(process)
        return process

    yield run
    for process in started:
        process.kill()
    for process in started:
        process.communicate(timeout=PATIENCE)


class Cluster:
    """A scheduler and its workers, each a process."""

    def __init__(self, start: Callable[..., Process]) -> None:
        self.start = start
        self.address = f"tcp://127.0.0.1:{free_port()}"
        self.scheduler = self.dask("scheduler", "--host", self.address, *LOOPBACK)
        self.workers: list[Process] = []

    def dask(self, kind: str, *arguments: str) -> Process:
        return self.start(sys.executable, "-m", "dask", kind, *arguments, heard=False)

    def add_worker(self, threads: int = 1) -> Process:
        options = ("--host", "127.0.0.1", "--nthreads", str(threads), "--no-nanny")
        self.workers.append(self.dask("worker", self.address, *options, *LOOPBACK))
        return self.workers[-1]


def wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, "it does not happen"
        time.sleep(0.01)


def parts(directory: Path) -> list[Path]:
    return sorted(directory.glob("part-*.ndjson"))


def in_order(directory: Path) -> bytes:
    return b"".join(part.read_bytes() for part in parts(directory))


@contextmanager
def replaying(start: Callable[..., Process], cluster: Cluster, *arguments: str) -> Iterator[Process]:
    command = ("replay", "club.ndjson", "--verdicts", "verdicts", "--cluster", cluster.address, "--json", *arguments)
    yield start(*CAPOMASTRO, *command)


@pytest.mark.long
@pytest.mark.longest
def test_neither_a_killed_client_nor_a_killed_worker_loses_or_duplicates_a_verdict(
    start: Callable[..., Process], tmp_path: Path
) -> None:
    """The client waits for workers and is killed; then, while it resumes, a worker."""
    write_archive(tmp_path / "club.ndjson", MANY)
    directory = tmp_path / "verdicts"
    cluster = Cluster(start)
    with replaying(start, cluster) as replay:
        assert replay.stderr is not None
        line = replay.stderr.readline().decode()
        assert line == f"The Dask scheduler at {cluster.address} has no workers yet; waiting for up to 60 s.\n"
        cluster.add_worker(threads=2)  # even if it is alone when the archive is divided, there are eight parts
        cluster.add_worker(threads=2)
        wait_until(lambda: len(parts(directory)) >= 3)
        replay.kill()
        replay.communicate(timeout=PATIENCE)
    kept = {part: part.stat().st_mtime_ns for part in parts(directory)}
    with replaying(start, cluster) as replay:
        wait_until(lambda: len(parts(directory)) > len(kept))
        os.kill(cluster.workers[0].pid, signal.SIGKILL)
        assert cluster.workers[0].wait(PATIENCE) == -signal.SIGKILL
        at_the_kill = len(parts(directory))
        printed, errors = replay.communicate(timeout=PATIENCE)
    assert replay.returncode == 2, errors.decode()
    assert json.loads(printed)["records"] == MANY
    assert at_the_kill < len(parts(directory)), "it was killed in the middle"
    assert {part: part.stat().st_mtime_ns for part in kept} == kept
    assert in_order(directory) == expected("club.ndjson", list(archive_lines(MANY)))


@pytest.mark.long
@pytest.mark.longest
def test_a_small_cluster_can_be_started_here(start: Callable[..., Process], tmp_path: Path) -> None:
    write_archive(tmp_path / "club.ndjson", 20)
    command = ("replay", "club.ndjson", "--verdicts", "verdicts", "--cluster", "local", "--jobs", "1", "--json")
    replay = start(*CAPOMASTRO, *command)
    printed, errors = replay.communicate(timeout=PATIENCE)
    assert replay.returncode == 2, errors.decode()
    assert json.loads(printed)["records"] == 20
    assert errors == b""
    assert in_order(tmp_path / "verdicts") == expected("club.ndjson", list(archive_lines(20)))


# --- one part --------------------------------------------------------------------------------------------------------

TERMS = Terms()


@pytest.fixture
def task(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Task:
    """A part with all of a small archive."""
    monkeypatch.chdir(tmp_path)
    write_archive(tmp_path / "club.ndjson", 12)
    return Task(
        terms_digest(TERMS), TERMS, [Piece(source) for source in sources_at(["club.ndjson"])], "part-00000.ndjson"
    )


class Failed:
    """What becomes of an order that nobody could carry out."""

    def __init__(self, error: Exception | None) -> None:
        self.status = "error" if error else "lost"
        self.error = error

    def exception(self) -> Exception | None:
        return self.error


def test_a_part_is_judged_once_and_then_only_counted(task: Task, tmp_path: Path) -> None:
    judge_part(msgspec.json.encode(task))
    verdicts = (tmp_path / task.verdicts).read_bytes()
    assert verdicts == expected("club.ndjson", list(archive_lines(12)))
    assert [file.name for file in tmp_path.iterdir()] == ["club.ndjson", task.verdicts], "nothing else is left"
    (tmp_path / "club.ndjson").unlink()
    judge_part(msgspec.json.encode(task))
    assert (tmp_path / task.verdicts).read_bytes() == verdicts


def test_a_part_that_killed_every_worker_is_judged_in_this_process(task: Task, tmp_path: Path) -> None:
    ensure_judged(Failed(KilledWorker("judge_part", None, 3)), task)  # type: ignore[arg-type]
    assert (tmp_path / task.verdicts).read_bytes() == expected("club.ndjson", list(archive_lines(12)))


def test_a_worker_speaks_the_language_of_whoever_asks(task: Task, tmp_path: Path) -> None:
    italian = msgspec.structs.replace(task, language="it")
    with pytest.raises(UnfitWorker, match="altra versione"):
        judge_part(msgspec.json.encode(msgspec.structs.replace(italian, terms_digest="0")))
    judge_part(msgspec.json.encode(italian))
    with using_language("it"):
        own = expected("club.ndjson", list(archive_lines(12)))
    assert (tmp_path / task.verdicts).read_bytes() == own != expected("club.ndjson", list(archive_lines(12)))


def test_a_worker_with_other_rules_or_other_files_judges_nothing(task: Task, tmp_path: Path) -> None:
    with pytest.raises(UnfitWorker, match="another version"):
        judge_part(msgspec.json.encode(msgspec.structs.replace(task, terms_digest="0")))
    (tmp_path / "club.ndjson").write_bytes(b"1")
    with pytest.raises(UnfitWorker, match="has changed since"):
        judge_part(msgspec.json.encode(task))
    (tmp_path / "club.ndjson").unlink()
    with pytest.raises(UnfitWorker, match=r"cannot read club\.ndjson"):
        judge_part(msgspec.json.encode(task))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("error", "problem"),
    [
        (UnfitWorker("other rules"), "unfit-worker"),
        (PermissionError(13, "no"), "unwritable"),
        (ImportError(), "unfit-worker"),
        (None, "no-cluster"),
    ],
)
def test_faults_on_workers_are_reported(task: Task, error: Exception | None, problem: str) -> None:
    with pytest.raises(Problem) as raised:
        ensure_judged(Failed(error), task)
    assert raised.value.id == problem


class HereAtOnce:
    """A client of a cluster whose only worker is this process; `meanwhile` happens before an order is carried out."""

    loop = None

    def __init__(self, meanwhile: Callable[[], object]) -> None:
        self.meanwhile = meanwhile

    def nthreads(self) -> dict[str, int]:
        return {"here": 1}

    def map(self, function: Callable[[bytes], Any], orders: Sequence[bytes]) -> list[Any]:
        return list(map(function, orders))

    def gather(self, results: list[Any]) -> list[Any]:
        return results

    def submit(self, function: Callable[[bytes], Any], order: bytes, **_: object) -> "Order":
        return Order(function, order, self.meanwhile)


class Order(NamedTuple):
    """An order that is carried out when its result is asked for."""

    function: Callable[[bytes], Any]
    order: bytes
    meanwhile: Callable[[], object]

    def result(self) -> Any:
        self.meanwhile()
        return self.function(self.order)

    @property
    def status(self) -> str:
        self.result()
        return "finished"

    def release(self) -> None:
        pass


def test_other_records_are_judged_only_by_a_run_that_begins_again(
    task: Task, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("capomastro.batch.cluster.as_completed", lambda futures, loop: futures)

    def judge_all(restart: bool) -> None:
        assert [*judged(HereAtOnce(lambda: None), list(sources_at(["club.ndjson"])), TERMS, "verdicts", restart)]

    judge_all(False)
    (tmp_path / "club.ndjson").write_bytes(b"1\n")
    with pytest.raises(Problem, match="cannot be resumed"):
        judge_all(False)
    judge_all(True)
    assert in_order(tmp_path / "verdicts") == expected("club.ndjson", [b"1"])


@pytest.mark.parametrize(
    ("meanwhile", "problem", "sentence"),
    [
        (lambda: Path("tables").touch(), "unwritable", "tables cannot be written: File exists"),
        (lambda: Path("club.ndjson").unlink(), "unfit-worker", r"cannot read club\.ndjson: No such file"),
    ],
)
def test_counting_tells_tables_from_sources(
    task: Task, monkeypatch: pytest.MonkeyPatch, meanwhile: Callable[[], object], problem: str, sentence: str
) -> None:
    monkeypatch.setattr("capomastro.batch.cluster.as_completed", lambda futures, loop: futures)
    question = Question(with_rows=True)
    with pytest.raises(Problem, match=sentence) as raised:
        list(counted(HereAtOnce(meanwhile), [task.part[0].source], TERMS, question, "tables"))
    assert raised.value.id == problem


def test_counting_names_a_source_that_breaks_off(task: Task, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> NoReturn:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr("capomastro.batch.cluster.as_completed", lambda futures, loop: futures)
    client = HereAtOnce(lambda: monkeypatch.setattr("capomastro.batch.sources.chunks_of", broken))
    _, found = next(counted(client, [task.part[0].source], TERMS, Question(), None))
    assert (found.unreadable, found.left_out) == ({"club.ndjson": "Input/output error"}, 0)


def test_workers_do_not_read_from_a_terminal() -> None:
    with pytest.raises(Problem, match="standard input"):
        next(judged(None, [Source("-", "-")], TERMS, "verdicts", restart=False))


def test_waiting_for_the_file_of_a_scheduler_times_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("capomastro.batch.cluster.CONNECT_SECONDS", 0.1)
    address = str(tmp_path / "scheduler.json")
    with (
        pytest.raises(Problem, match=r"no scheduler has written .*scheduler\.json") as raised,
        connected(address, 1, print),
    ):
        pass
    assert raised.value.id == "no-cluster"
