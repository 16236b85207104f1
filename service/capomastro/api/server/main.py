"""`capomastro serve`: gunicorn in this process, configured only by our own settings."""

import gc
import os
import socket
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from gunicorn.app.base import BaseApplication
from gunicorn.glogging import Logger

from capomastro.api.application import create_app
from capomastro.api.request_log import JsonLines
from capomastro.api.server.behaviour import ServiceWorker
from capomastro.api.server.metrics_server import MetricsServer
from capomastro.settings import Settings

SHARED_MEMORY = Path("/dev/shm")  # noqa: S108 - the name is the system's
COLLECTOR_THRESHOLDS = (50_000, 20, 100)
"""Thresholds of the cyclic garbage collector: new objects, then collections of the younger generation."""


class CannotListenError(Exception):
    """An address cannot be listened on."""

    def __init__(self, host: str, port: int, cause: OSError) -> None:
        super().__init__(f"Cannot listen on {host}, port {port}: {cause.strerror}.")
        self.host = host
        self.port = port
        self.cause = cause


class JsonLogger(Logger):
    """gunicorn's log as lines of JSON, like everything else on stderr."""

    def setup(self, cfg: Any) -> None:
        super().setup(cfg)
        self.error_log.handlers = [JsonLines()]
        self.error_log.propagate = False


class Server(BaseApplication):
    """gunicorn with workers that buffer whole requests before they answer them."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        # one for all configurations: the master reads them again when it is told to reload
        self.metrics = MetricsServer(settings.metrics_host, settings.metrics_port, shared_memory())
        super().__init__()

    def load_config(self) -> None:
        assert self.cfg is not None
        hooks = {**self.metrics.hooks(), "child_exit": self.child_exit}
        for name, value in {**configuration(self.settings), **hooks}.items():
            self.cfg.set(name, value)

    def child_exit(self, arbiter: Any, worker: ServiceWorker) -> None:
        """Called after a worker has ended."""
        worker.report_lost_requests()
        if self.metrics.port:
            self.metrics.child_exit(arbiter, worker)

    def load(self) -> Any:
        """Creates the application; gunicorn calls this in the master process."""
        application = create_app(self.settings)
        tune_garbage_collector()
        return application


def tune_garbage_collector() -> None:
    """Keeps the cyclic garbage collector from examining long-lived objects and freshly decoded documents.

    Documents have no cycles, so reference counting frees them. With Python's defaults, the collector examines all
    objects several times while a large document is decoded: 4 MB of empty arrays block every other thread for 1.5 s
    instead of 0.1 s. Objects made before the workers are forked are frozen, so that workers keep sharing their memory.
    They are not collected before: every worker would fill the gaps, and so copy what lies around them.
    """
    gc.freeze()
    gc.set_threshold(*COLLECTOR_THRESHOLDS)
    gc.enable()


def configuration(settings: Settings) -> dict[str, Any]:
    """gunicorn's settings."""
    in_memory = shared_memory()
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    return {
        "bind": [f"{host}:{settings.port}"],
        "worker_class": ServiceWorker,
        "workers": settings.workers,
        "timeout": settings.timeout,
        "graceful_timeout": settings.grace + settings.graceful_timeout,
        # What reads documents is made once, before the workers begin, so faults show at once.
        "preload_app": True,
        # The heartbeat files of workers are in memory; otherwise a slow disk looks like a hanging worker.
        "worker_tmp_dir": str(in_memory) if in_memory else None,
        # The application itself logs one line per request.
        "accesslog": None,
        "logger_class": JsonLogger,
        "loglevel": settings.log_level.lower(),
        # The control socket would be in the home directory, where a container may not write, and nobody uses it.
        "control_socket_disable": True,
    }


def shared_memory() -> Path | None:
    """The folder for files in memory; None if there is none that this process may write to."""
    return SHARED_MEMORY if SHARED_MEMORY.is_dir() and os.access(SHARED_MEMORY, os.W_OK | os.X_OK) else None


def try_addresses(*addresses: tuple[str, int]) -> None:
    """Listens on all addresses at once, and releases them.

    Raises:
        CannotListenError: if one is taken, or not an address of this machine.
    """
    with ExitStack() as tried:
        for host, port in addresses:
            try:
                probe = tried.enter_context(socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET))
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                probe.bind((host, port))
                probe.listen()  # sockets that are only bound can share a port
            except OSError as error:
                raise CannotListenError(host, port, error) from None
            except (UnicodeError, TypeError):  # no name of a host has such characters, or labels of such a length
                unknown = socket.gaierror(socket.EAI_NONAME, "Name or service not known")
                raise CannotListenError(host, port, unknown) from None


def serve(settings: Settings) -> None:
    """Serves until the process is stopped.

    The addresses are tried first: gunicorn would retry a taken one for five seconds, and log every attempt.

    Raises:
        CannotListenError: if an address is taken.
        SettingError: if the configured keys are invalid.
    """
    for_metrics = [(settings.metrics_host, settings.metrics_port)] if settings.metrics_port else []
    try_addresses((settings.host, settings.port), *for_metrics)
    Server(settings).run()
