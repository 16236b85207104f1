"""Adds up the metrics of all processes and serves them to Prometheus, in a dedicated process.

Every worker counts in memory-mapped files, which stay when it ends. The library names these files by
process id, so their number would grow with every replaced worker; here they are named by slot. A worker
takes the lowest slot that no living worker has, and continues its counters.

A dedicated process adds up the files on request, on its own address: it answers however busy the workers
are, costs them nothing, and keeps the metrics off the public port.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from importlib.metadata import version
from itertools import count
from pathlib import Path
from socketserver import ThreadingMixIn
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer

from prometheus_client import CollectorRegistry, make_wsgi_app, values
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

from capomastro.api import metrics
from capomastro.api.request_log import log_fault

DIRECTORY = "PROMETHEUS_MULTIPROC_DIR"
"""The environment variable with which the library finds the files."""
MASTER = "master"
"""The slot of the first process, which starts the others."""
PATH = "/metrics"
IDLE_SECONDS = 10
"""Time-out of silent connections to the metrics port, in seconds."""
UNREADABLE_VERSION = re.compile(r"version\s*=(?!\s*[0-9]{1,9}(\.[0-9]{1,9})*\s*([;,]|$))")
"""A version of a format that is not made of numbers, as the library takes for granted."""
PAGE = os.sysconf("SC_PAGE_SIZE")


class Slots:
    """The slot in which this process counts."""

    def __init__(self) -> None:
        self.own = MASTER

    def use(self, slot: int) -> None:
        """Makes this process count in a slot; the first thing that a worker does."""
        self.own = str(slot)
        metrics.begin().workers_begun.inc(0)  # makes the library open the files of the slot now instead of in a request

    def name(self) -> str:
        return self.own


SLOTS = Slots()


def free_slot(taken: Iterable[int]) -> int:
    """The lowest free slot."""
    used = set(taken)
    return next(slot for slot in count() if slot not in used)


def count_in(directory: Path) -> metrics.Metrics:
    """Makes this process, and those that it forks, count in files in a directory."""
    os.environ[DIRECTORY] = str(directory)
    values.ValueClass = values.MultiProcessValue(SLOTS.name)  # type: ignore[no-untyped-call]
    return metrics.begin()


# --- the process that serves them ------------------------------------------------------------------------------------


class ProcessMetrics:
    """Metrics of the operating system on the master and its workers; none without /proc."""

    def __init__(self, master: int) -> None:
        self.master = master
        self.children = Path(f"/proc/{master}/task/{master}/children")

    def collect(self) -> Iterator[Metric]:
        """Called by the registry on every scrape."""
        workers = []
        with suppress(OSError):
            workers = [int(child) for child in self.children.read_text().split()]
        workers = [worker for worker in workers if worker != os.getpid()]
        resident = GaugeMetricFamily(
            "capomastro_resident_bytes", "Memory in use; of workers, all together.", labels=["process"]
        )
        resident.add_metric(["master"], resident_bytes([self.master]))
        resident.add_metric(["workers"], resident_bytes(workers))
        yield resident
        yield GaugeMetricFamily("capomastro_workers", "Processes that answer now.", value=len(workers))
        information = GaugeMetricFamily("capomastro_build_info", "1; the version is a label.", labels=["version"])
        information.add_metric([version("capomastro")], 1)
        yield information


def resident_bytes(processes: Iterable[int]) -> int:
    """The resident memory of processes; 0 for one that has ended."""
    total = 0
    for process in processes:
        with suppress(OSError):
            total += int(Path(f"/proc/{process}/statm").read_text().split()[1]) * PAGE
    return total


class Handler(WSGIRequestHandler):
    """A connection with a time-out and without a log."""

    timeout = IDLE_SECONDS

    def log_message(self, *_: Any) -> None:
        pass


class ScrapeServer(ThreadingMixIn, WSGIServer):
    """Answers on a socket that is already bound."""

    daemon_threads = True

    def __init__(self, listening: socket.socket) -> None:
        super().__init__(listening.getsockname()[:2], Handler, bind_and_activate=False)
        self.socket.close()
        self.socket = listening
        self.server_name, self.server_port = "localhost", listening.getsockname()[1]
        self.setup_environ()
        self.timeout = 1.0

    def handle_error(self, *_: Any) -> None:
        """Called with an error in a connection: its client has gone or says nothing, or else this is a bug."""
        error = sys.exception()
        if error is not None and not isinstance(error, OSError):
            log_fault("metrics", error)


def listening_on(host: str, port: int) -> socket.socket:
    """A socket for metrics.

    Raises:
        OSError: if the address is taken.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.create_server((host, port), family=family)


def metrics_only(application: Callable[..., Iterable[bytes]]) -> Callable[..., Iterable[bytes]]:
    """Answers 404 for every other path, and logs bugs as everything else is logged."""

    def answer(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        if environ["PATH_INFO"] != PATH:
            start_response("404 Not Found", [("Content-Type", "text/plain")])
            return [f"Metrics are at {PATH}.\n".encode()]
        if UNREADABLE_VERSION.search(environ.get("HTTP_ACCEPT", "")):
            environ = {**environ, "HTTP_ACCEPT": ""}
        try:
            return application(environ, start_response)
        except Exception as error:  # noqa: BLE001 - the library would write to stderr what is not a line of JSON
            log_fault("metrics", error)
            start_response("500 Internal Server Error", [("Content-Type", "text/plain")])
            return [b"The cause is in the log.\n"]

    return answer


def serve_metrics(listening: socket.socket, directory: Path, master: int) -> None:
    """Serves metrics until the master has ended."""
    registry = CollectorRegistry()
    MultiProcessCollector(registry, str(directory))  # type: ignore[no-untyped-call]
    registry.register(ProcessMetrics(master))
    with ScrapeServer(listening) as server:
        server.set_app(metrics_only(make_wsgi_app(registry)))
        while os.getppid() == master:
            server.handle_request()


class MetricsServer:
    """The files of all slots, and the process that serves them; its methods are gunicorn hooks."""

    def __init__(self, host: str, port: int, parent_directory: Path | None, directory: Path | None = None) -> None:
        self.host = host
        self.port = port
        self.parent_directory = parent_directory
        self.process = 0
        self.directory = directory

    def hooks(self) -> dict[str, Callable[..., None]]:
        """The hooks for gunicorn's settings; empty if no port is set."""
        if not self.port:
            return {}
        return {
            "on_starting": self.on_starting,
            "pre_fork": self.pre_fork,
            "post_fork": self.post_fork,
            "child_exit": self.child_exit,
            "on_exit": self.on_exit,
        }

    def on_starting(self, _: Any) -> None:
        """Called before anything listens, so that the metrics process inherits none of those sockets."""
        listening = listening_on(self.host, self.port)
        self.directory = Path(tempfile.mkdtemp(prefix="capomastro-metrics-", dir=self.parent_directory))
        count_in(self.directory)
        master = os.getpid()
        self.process = os.fork()
        if self.process == 0:
            self.run(listening, self.directory, master)
        listening.close()

    @staticmethod
    def run(listening: socket.socket, directory: Path, master: int) -> None:
        """The main function of the forked process; never returns."""
        try:
            for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT):
                signal.signal(number, signal.SIG_DFL)
            signal.signal(signal.SIGHUP, signal.SIG_IGN)  # SIGHUP makes the master reload
            serve_metrics(listening, directory, master)
            shutil.rmtree(directory, ignore_errors=True)  # the master was killed
        except Exception as error:  # noqa: BLE001 - there is no caller to report it to
            log_fault("metrics", error)
        finally:
            os._exit(0)

    def pre_fork(self, arbiter: Any, worker: Any) -> None:
        """Called before a worker is forked: gives it a slot."""
        worker.slot = free_slot(other.slot for other in arbiter.WORKERS.values())
        self.clear_gauges(worker)
        self.create_files(worker)
        metrics.begin().workers_begun.inc()

    def post_fork(self, _: Any, worker: Any) -> None:
        """Called in the new worker."""
        SLOTS.use(worker.slot)

    def child_exit(self, _: Any, worker: Any) -> None:
        """Called after a worker has ended: removes its gauges."""
        self.clear_gauges(worker)

    def create_files(self, worker: Any) -> None:
        """Creates the files of a slot that do not exist, of the kinds and the size that the master has.

        The library itself would create them empty and then extend them, and cannot read a file in between
        (prometheus/client_python, issue 1199).
        """
        directory = Path(self.directory or "")
        directory.mkdir(mode=0o700, exist_ok=True)  # somebody may have tidied up; a worker could not begin then
        for pattern in directory.glob(f"*_{MASTER}.db"):
            file = pattern.with_name(pattern.name.replace(MASTER, str(worker.slot)))
            if not file.exists():
                unfinished = file.with_suffix(".new")
                unfinished.touch()
                os.truncate(unfinished, pattern.stat().st_size)
                unfinished.rename(file)

    def clear_gauges(self, worker: Any) -> None:
        """Removes the gauges of a slot."""
        mark_process_dead(worker.slot, str(self.directory))  # type: ignore[no-untyped-call]

    def on_exit(self, _: Any) -> None:
        """Called when the master ends."""
        with suppress(ProcessLookupError, ChildProcessError):
            os.kill(self.process, signal.SIGTERM)
            wait_for(self.process)
        if self.directory is not None:
            shutil.rmtree(self.directory, ignore_errors=True)


def wait_for(process: int, seconds: float = 5) -> None:
    """Waits until a child has ended, up to a time-out."""
    deadline = time.monotonic() + seconds
    while os.waitpid(process, os.WNOHANG) == (0, 0) and time.monotonic() < deadline:
        time.sleep(0.02)


__all__: Sequence[str] = ("MetricsServer", "count_in", "free_slot")
