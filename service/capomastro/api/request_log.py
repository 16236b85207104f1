"""One line of JSON per request on stderr: ids, route, status, sizes, durations; never a document, seed or hand."""

import logging
import re
import sys
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, datetime
from itertools import islice
from random import getrandbits
from time import time as now
from traceback import walk_tb
from types import TracebackType
from typing import Any

from capomastro.api.exchanges import Exchange
from capomastro.documents import json_text

HEADER = "X-Request-Id"
SANE_ID = re.compile(r"[A-Za-z0-9._~:+/=@-]{1,100}", re.ASCII)
LOGGER = logging.getLogger("capomastro")
FRAMES = 50
"""Maximum number of calls logged of a traceback; the innermost ones."""


class JsonLines(logging.Handler):
    """Writes log records as one JSON object per line; a message is a dict or a text."""

    def emit(self, record: logging.LogRecord) -> None:
        try:
            content = record.msg if isinstance(record.msg, dict) else {"message": record.getMessage()}
            if record.exc_info is not None and record.exc_info[1] is not None:
                content = {**content, **fault_of(record.exc_info[1])}
            write_line(record.created, record.levelname, content)
        except Exception:  # noqa: BLE001 - as in every handler: a failing log must not stop a request
            self.handleError(record)


def write_line(at: float, level: str, content: dict[str, Any]) -> None:
    """Writes a line; `at` is in seconds since the epoch."""
    time = datetime.fromtimestamp(at, UTC).isoformat(timespec="milliseconds")
    line = json_text.encode({"time": time, "level": level, **content})
    sys.stderr.write(line.decode() + "\n")


def start_logging(level: str) -> None:
    """Starts logging lines of at least this level."""
    if not any(isinstance(handler, JsonLines) for handler in LOGGER.handlers):
        LOGGER.addHandler(JsonLines())
        LOGGER.propagate = False
    LOGGER.setLevel(level)


def id_of_request(proposed: str | None) -> str:
    """The id that a client proposed if it is sane, otherwise a new one."""
    if proposed is not None and SANE_ID.fullmatch(proposed):
        return proposed
    return f"{getrandbits(128):032x}"


def frames_of(traceback: TracebackType | None) -> list[str]:
    """The calls that led to an error, innermost first, without its message, which could repeat submitted data."""
    calls = [f"{frame.f_code.co_filename}:{line} {frame.f_code.co_qualname}" for frame, line in walk_tb(traceback)]
    return list(islice(reversed(calls), FRAMES))


def fault_of(error: BaseException) -> dict[str, Any]:
    """What the log says of an error: its type and where it came from, but not its message."""
    return {"error": type(error).__name__, "calls": frames_of(error.__traceback__)}


def log_fault(request_id: str, error: BaseException) -> None:
    """Logs a fault of the service."""
    LOGGER.error({"request_id": request_id, **fault_of(error)})


def log_lost(reason: str, **request: Any) -> None:
    """Logs a request that a worker was working on when it ended."""
    LOGGER.error({"lost": reason, **request})


def log_keys(kids: Iterable[str], are_configured: bool) -> None:
    """Logs the public ids of the keys that seal and open tables; and a note if they are lost when this service ends."""
    note = "No key is configured: sealed tables will not outlive this service, nor will another instance open them."
    LOGGER.info({"sealing_keys": list(kids), **({} if are_configured else {"message": note})})


def log_missing_folder() -> None:
    """Warns that no folder takes temporary files, if that is so: a client only reads that the service is busy."""
    try:
        tempfile.gettempdir()
    except FileNotFoundError:
        message = "No folder takes temporary files, so larger bodies are refused as busy. TMPDIR can name one."
        LOGGER.warning({"message": message})


def log_unknown_key(request_id: str, kid: str) -> None:
    """Logs that a table is sealed with a key this service does not have: most often another instance has it."""
    LOGGER.warning({"request_id": request_id, "unknown_sealing_key": kid})


def log_exchange(exchange: Exchange) -> None:
    """Logs a request, without a detour through `logging`, which takes longer to find its caller than to write."""
    if not LOGGER.isEnabledFor(logging.INFO):
        return
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
    if exchange.problem is not None:
        line["problem"] = exchange.problem
    if exchange.rule is not None:
        line["rule"] = exchange.rule
    with suppress(OSError, ValueError):  # nobody reads stderr any more: a failing log must not stop a request
        write_line(now(), "INFO", {**line, **exchange.stream})


def milliseconds(seconds: float) -> float:
    return round(seconds * 1000, 3)
