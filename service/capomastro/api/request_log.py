"""One line of JSON per request on stderr: ids, route, status, sizes, duration; never a document, a seed or a hand."""

import logging
import re
import sys
from datetime import UTC, datetime
from itertools import islice
from traceback import walk_tb
from types import TracebackType
from typing import Any
from uuid import uuid4

from capomastro.api.exchanges import Exchange
from capomastro.documents import json_text

HEADER = "X-Request-Id"
SANE_ID = re.compile(r"[A-Za-z0-9._~:+/=@-]{1,100}", re.ASCII)
LOGGER = logging.getLogger("capomastro")
FRAMES = 50
"""So many calls of a traceback are logged, the innermost ones."""


class JsonLines(logging.Handler):
    """Writes what is logged as one JSON object per line; a message is a dict, or a text."""

    def emit(self, record: logging.LogRecord) -> None:
        try:
            time = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
            said = record.msg if isinstance(record.msg, dict) else {"message": record.getMessage()}
            line = json_text.encode({"time": time, "level": record.levelname, **said})
            sys.stderr.write(line.decode() + "\n")
        except Exception:  # noqa: BLE001 - as every handler does: a log that cannot be written stops no request
            self.handleError(record)


def start_logging(level: str) -> None:
    """Writes lines of at least that level."""
    if not any(isinstance(handler, JsonLines) for handler in LOGGER.handlers):
        LOGGER.addHandler(JsonLines())
        LOGGER.propagate = False
    LOGGER.setLevel(level)


def id_of_request(proposed: str | None) -> str:
    """The id a client proposed if it is sane, else a new one."""
    if proposed is not None and SANE_ID.fullmatch(proposed):
        return proposed
    return uuid4().hex


def frames_of(traceback: TracebackType | None) -> list[str]:
    """Where an error happened, call by call. Its message is left out: it could repeat what was submitted."""
    calls = [f"{frame.f_code.co_filename}:{line} {frame.f_code.co_qualname}" for frame, line in walk_tb(traceback)]
    return list(islice(reversed(calls), FRAMES))


def log_fault(request_id: str, error: BaseException) -> None:
    """A fault of the service, without what it says."""
    LOGGER.error({"request_id": request_id, "error": type(error).__name__, "calls": frames_of(error.__traceback__)})


def log_exchange(exchange: Exchange) -> None:
    """The line of a request."""
    line: dict[str, Any] = {
        "request_id": exchange.request_id,
        "client": exchange.client,
        "method": exchange.method,
        "route": exchange.route,
        "game": exchange.game,
        "status": exchange.status,
        "bytes_in": exchange.bytes_in,
        "bytes_out": exchange.bytes_out,
        "milliseconds": milliseconds(exchange.seconds),
        "cpu_milliseconds": milliseconds(exchange.cpu_seconds),
    }
    noted = {"problem": exchange.problem, "rule": exchange.rule}
    LOGGER.info({**line, **{what: id for what, id in noted.items() if id is not None}, **exchange.stream})


def milliseconds(seconds: float) -> float:
    return round(seconds * 1000, 3)
