"""What processes count is added up and shown to Prometheus, by a process that does nothing else.

Every worker counts in files that it maps into memory, and that stay when it ends. The library names such files by
process id, so that they would become more with every worker that is replaced; here they are named by slot. A worker
takes the lowest slot that no living worker has, and goes on counting where the one before it ended.

A process of its own adds the files up when it is asked, on an address of its own: it answers however busy the workers
are, takes nothing from them, and the figures are not on the public port.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
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
"""The variable by which the library knows where the files are."""
MASTER = "master"
"""The slot of the first process, which starts the others."""
PATH = "/metrics"
PATIENCE = 10
"""Seconds a connection of who asks for figures may be silent."""
PAGE = os.sysconf("SC_PAGE_SIZE")


class Slots:
    """In which slot this process counts."""

    def __init__(self) -> None:
        self.own = MASTER

    def enter(self, slot: int) -> None:
        """From now on this process counts there: the first thing a worker does."""
        self.own = str(slot)
        metrics.begin().workers_begun.inc(0)  # has the library open the files of the slot now, not in a request

    def name(self) -> str:
        return self.own


SLOTS = Slots()


def free_slot(taken: Iterable[int]) -> int:
    """The lowest slot that is not taken."""
    used = set(taken)
    return next(slot for slot in count() if slot not in used)


def count_in(directory: Path) -> metrics.Metrics:
    """Has this process, and those that it forks, count in files of that directory."""
    os.environ[DIRECTORY] = str(directory)
    values.ValueClass = values.MultiProcessValue(SLOTS.name)  # type: ignore[no-untyped-call]
    return metrics.begin()


# --- the process that shows them -------------------------------------------------------------------------------------


class Processes:
    """What the system knows of the master and its workers; nothing where there is no /proc."""

    def __init__(self, master: int) -> None:
        self.master = master
        self.children = Path(f"/proc/{master}/task/{master}/children")

    def collect(self) -> Iterator[Metric]:
        """Asked by the registry each time."""
        workers = [int(child) for child in self.children.read_text().split()] if self.children.exists() else []
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
    """The memory that processes have in use; one that has ended has none."""
    total = 0
    for process in processes:
        with suppress(OSError):
            total += int(Path(f"/proc/{process}/statm").read_text().split()[1]) * PAGE
    return total


class Handler(WSGIRequestHandler):
    """One connection, which cannot stay silent for ever, and is not logged."""

    timeout = PATIENCE

    def log_message(self, *_: Any) -> None:
        pass


class FiguresServer(ThreadingMixIn, WSGIServer):
    """Answers on a socket that is bound already."""

    daemon_threads = True

    def __init__(self, listening: socket.socket) -> None:
        super().__init__(listening.getsockname()[:2], Handler, bind_and_activate=False)
        self.socket.close()
        self.socket = listening
        self.server_name, self.server_port = "localhost", listening.getsockname()[1]
        self.setup_environ()
        self.timeout = 1.0


def listening_on(host: str, port: int) -> socket.socket:
    """A socket for figures.

    Raises:
        OSError: if the address is taken.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.create_server((host, port), family=family)


def only_figures(show: Callable[..., Iterable[bytes]]) -> Callable[..., Iterable[bytes]]:
    """There is nothing but the one path."""

    def answer(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        if environ["PATH_INFO"] != PATH:
            start_response("404 Not Found", [("Content-Type", "text/plain")])
            return [f"Figures are at {PATH}.\n".encode()]
        return show(environ, start_response)

    return answer


def show(listening: socket.socket, directory: Path, master: int) -> None:
    """Answers as long as the master lives."""
    registry = CollectorRegistry()
    MultiProcessCollector(registry, str(directory))  # type: ignore[no-untyped-call]
    registry.register(Processes(master))
    with FiguresServer(listening) as server:
        server.set_app(only_figures(make_wsgi_app(registry)))
        while os.getppid() == master:
            server.handle_request()


class Figures:
    """The files of all slots, and the process that shows them; the hooks are gunicorn's."""

    def __init__(self, host: str, port: int, memory: Path | None, directory: Path | None = None) -> None:
        self.host = host
        self.port = port
        self.memory = memory
        self.process = 0
        self.directory = directory

    def hooks(self) -> dict[str, Callable[..., None]]:
        """For gunicorn's settings; nothing if no port is set."""
        if not self.port:
            return {}
        return {
            "on_starting": self.starting,
            "pre_fork": self.forking,
            "post_fork": self.forked,
            "child_exit": self.ended,
            "on_exit": self.stopped,
        }

    def starting(self, _: Any) -> None:
        """Before anything listens, so that the process that shows figures has none of those sockets."""
        listening = listening_on(self.host, self.port)
        self.directory = Path(tempfile.mkdtemp(prefix="capomastro-figures-", dir=self.memory))
        count_in(self.directory)
        master = os.getpid()
        self.process = os.fork()
        if self.process == 0:
            self.be_shown(listening, self.directory, master)
        listening.close()

    @staticmethod
    def be_shown(listening: socket.socket, directory: Path, master: int) -> None:
        """All that the forked process does; it never returns."""
        try:
            for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT):
                signal.signal(number, signal.SIG_DFL)
            signal.signal(signal.SIGHUP, signal.SIG_IGN)  # which has the master load anew
            show(listening, directory, master)
            shutil.rmtree(directory, ignore_errors=True)  # the master was killed
        except Exception as error:  # noqa: BLE001 - nobody is above it who could be told
            log_fault("metrics", error)
        finally:
            os._exit(0)

    def forking(self, arbiter: Any, worker: Any) -> None:
        """A worker is about to be started: it gets a slot."""
        worker.slot = free_slot(one.slot for one in arbiter.WORKERS.values())
        self.forget(worker)
        metrics.begin().workers_begun.inc()

    def forked(self, _: Any, worker: Any) -> None:
        """In the worker."""
        SLOTS.enter(worker.slot)

    def ended(self, _: Any, worker: Any) -> None:
        """A worker has ended: what it had open is open no more."""
        self.forget(worker)

    def forget(self, worker: Any) -> None:
        mark_process_dead(worker.slot, str(self.directory))  # type: ignore[no-untyped-call]

    def stopped(self, _: Any) -> None:
        """The master ends."""
        with suppress(ProcessLookupError, ChildProcessError):
            os.kill(self.process, signal.SIGTERM)
            wait_for(self.process)
        if self.directory is not None:
            shutil.rmtree(self.directory, ignore_errors=True)


def wait_for(process: int, seconds: float = 5) -> None:
    """Waits until a child has ended, but not without end."""
    deadline = time.monotonic() + seconds
    while os.waitpid(process, os.WNOHANG) == (0, 0) and time.monotonic() < deadline:
        time.sleep(0.02)


__all__: Sequence[str] = ("Figures", "count_in", "free_slot")
