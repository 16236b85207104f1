"""`capomastro serve`: gunicorn in this process, set up by our own table and by nothing else."""

import socket
import struct
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from gunicorn.app.base import BaseApplication
from gunicorn.glogging import Logger
from gunicorn.http.body import Body, ChunkedReader, LengthReader
from gunicorn.http.message import Request
from gunicorn.http.unreader import SocketUnreader, Unreader

from capomastro.api.application import create_app
from capomastro.api.request_log import JsonLines
from capomastro.settings import Settings

MEMORY = Path("/dev/shm")  # noqa: S108 - not ours to name


class JsonLogger(Logger):
    """What gunicorn has to say, as lines of JSON like everything else on stderr."""

    def setup(self, cfg: Any) -> None:
        super().setup(cfg)
        self.error_log.handlers = [JsonLines()]
        self.error_log.propagate = False


class PromptBody(Body):
    """A body that can be read as it arrives: `read` waits for 1 KiB, even if the client waits for an answer."""

    failed: bool

    def __init__(self, body: Body, unreader: Unreader) -> None:
        super().__init__(body.reader)
        self.unreader = unreader

    def read1(self, _: int) -> bytes:
        """What has arrived, up to 1 MiB; waits only if that is nothing. At the end nothing."""
        try:
            return self.arrived()
        except Exception:
            self.failed = True  # then the connection is not used for another request
            raise

    def arrived(self) -> bytes:
        reader = self.reader
        if isinstance(reader, ChunkedReader):
            return next(filter(None, reader.parser or ()), b"")
        if isinstance(reader, LengthReader) and reader.length:
            arrived = self.unreader.read()
            piece, next_request = arrived[: reader.length], arrived[reader.length :]
            self.unreader.unread(next_request)
            reader.length -= len(piece)
            return piece
        return b""

    def close(self) -> None:
        """Who waits in `read1` waits no more: nothing else will arrive."""
        if isinstance(self.unreader, SocketUnreader):
            with suppress(OSError):  # the client may have left
                self.unreader.sock.shutdown(socket.SHUT_RD)


class Server(BaseApplication):
    """gunicorn with threads: a long replay in one of them holds up nobody, and two workers use two cores."""

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
        "worker_class": "gthread",
        "workers": settings.workers,
        "threads": settings.threads,
        "timeout": settings.timeout,
        "graceful_timeout": settings.graceful_timeout,
        "keepalive": settings.keep_alive,
        # Schemas are compiled once, before the workers begin, and what is wrong shows at once.
        "preload_app": True,
        # Workers say that they are alive through a file: in memory, or a slow disk looks like a worker that hangs.
        "worker_tmp_dir": str(MEMORY) if MEMORY.is_dir() else None,
        # The application writes one line per request by itself.
        "accesslog": None,
        "logger_class": JsonLogger,
        "loglevel": settings.log_level.lower(),
        "pre_request": prompt_reader(settings.idle_timeout),
        # It would lie under the home directory, where a container may not write, and nobody asks through it.
        "control_socket_disable": True,
    }


def prompt_reader(idle_seconds: int) -> Callable[[Any, Request], None]:
    """What has the body of a request be read as it arrives, and not be waited for without end."""
    longest_wait = struct.pack("ll", idle_seconds, 0)

    def read_promptly(_: Any, request: Request) -> None:
        unreader = request.unreader
        if request.body is not None and isinstance(unreader, SocketUnreader):
            request.body = PromptBody(request.body, unreader)
            # for what is received only: an answer may wait longer for a client that sends everything before it reads
            unreader.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, longest_wait)

    return read_promptly


def serve(settings: Settings) -> None:
    """Answers until it is stopped."""
    Server(settings).run()
