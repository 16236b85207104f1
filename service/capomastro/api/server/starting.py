"""`capomastro serve`: gunicorn in this process, set up by our own table and by nothing else."""

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


class JsonLogger(Logger):
    """What gunicorn has to say, as lines of JSON like everything else on stderr."""

    def setup(self, cfg: Any) -> None:
        super().setup(cfg)
        self.error_log.handlers = [JsonLines()]
        self.error_log.propagate = False


class Server(BaseApplication):
    """gunicorn with processes that gather requests before they work on them."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        super().__init__()

    def load_config(self) -> None:
        assert self.cfg is not None
        for name, value in configuration(self.settings).items():
            self.cfg.set(name, value)

    def load(self) -> Any:
        """The application."""
        return create_app(self.settings)


def configuration(settings: Settings) -> dict[str, Any]:
    """gunicorn's settings."""
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    return {
        "bind": [f"{host}:{settings.port}"],
        "worker_class": GatheringWorker,
        "workers": settings.workers,
        "timeout": settings.timeout,
        "graceful_timeout": settings.grace + settings.graceful_timeout,
        # Schemas are compiled once, before the workers begin, and what is wrong shows at once.
        "preload_app": True,
        # Workers say that they are alive through a file: in memory, or a slow disk looks like a worker that hangs.
        "worker_tmp_dir": str(MEMORY) if MEMORY.is_dir() else None,
        # The application writes one line per request by itself.
        "accesslog": None,
        "logger_class": JsonLogger,
        "loglevel": settings.log_level.lower(),
        # It would lie under the home directory, where a container may not write, and nobody asks through it.
        "control_socket_disable": True,
        **Figures(settings.metrics_host, settings.metrics_port, MEMORY if MEMORY.is_dir() else None).hooks(),
    }


def serve(settings: Settings) -> None:
    """Answers until it is stopped."""
    Server(settings).run()
