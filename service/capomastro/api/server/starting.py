"""`capomastro serve`: gunicorn in this process, configured only by our own settings."""

import gc
from pathlib import Path
from typing import Any

from gunicorn.app.base import BaseApplication
from gunicorn.glogging import Logger

from capomastro.api.application import create_app
from capomastro.api.request_log import JsonLines
from capomastro.api.server.figures import Figures
from capomastro.api.server.worker import GatheringWorker
from capomastro.settings import Settings

MEMORY = Path("/dev/shm")  # noqa: S108 - not ours to name
COLLECTED_AFTER = (50_000, 20, 100)
"""The thresholds of the cyclic garbage collector: new objects, then collections of the generation before."""


class JsonLogger(Logger):
    """gunicorn's log as lines of JSON, like everything else on stderr."""

    def setup(self, cfg: Any) -> None:
        super().setup(cfg)
        self.error_log.handlers = [JsonLines()]
        self.error_log.propagate = False


class Server(BaseApplication):
    """gunicorn with workers that gather requests before they answer them."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        super().__init__()

    def load_config(self) -> None:
        assert self.cfg is not None
        for name, value in configuration(self.settings).items():
            self.cfg.set(name, value)

    def load(self) -> Any:
        """The application."""
        application = create_app(self.settings)
        calm_the_collector()
        return application


def calm_the_collector() -> None:
    """Keeps the cyclic garbage collector away from what stays, and from what has just been read.

    Documents have no cycles, and counting references frees them. Python's defaults go through all objects several times
    while a large one is decoded: 4 MB of empty arrays then keep every other thread waiting for 1.5 s instead of 0.1 s.
    What is there before the workers are forked is set apart, so that they go on sharing its memory.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECTED_AFTER)


def configuration(settings: Settings) -> dict[str, Any]:
    """gunicorn's settings."""
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    return {
        "bind": [f"{host}:{settings.port}"],
        "worker_class": GatheringWorker,
        "workers": settings.workers,
        "timeout": settings.timeout,
        "graceful_timeout": settings.grace + settings.graceful_timeout,
        # Schemas are compiled once, before the workers begin, so faults show at once.
        "preload_app": True,
        # The heartbeat files of workers are in memory; otherwise a slow disk looks like a hanging worker.
        "worker_tmp_dir": str(MEMORY) if MEMORY.is_dir() else None,
        # The application itself logs one line per request.
        "accesslog": None,
        "logger_class": JsonLogger,
        "loglevel": settings.log_level.lower(),
        # The control socket would be in the home directory, where a container may not write, and nobody uses it.
        "control_socket_disable": True,
        **Figures(settings.metrics_host, settings.metrics_port, MEMORY if MEMORY.is_dir() else None).hooks(),
    }


def serve(settings: Settings) -> None:
    """Answers until stopped."""
    Server(settings).run()
