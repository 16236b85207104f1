"""Answers requests without a server: the whole application, in Pyodide."""

import sys
import time
from io import BytesIO
from typing import Any
from urllib.parse import unquote_to_bytes

if not hasattr(time, "thread_time"):  # where there is only one thread, its time is that of the process
    time.thread_time = time.process_time

from capomastro.api.application import create_app
from capomastro.settings import Settings

application = create_app(Settings(log_level="ERROR", pages=0, client_cpu=0), prepared=False)


def answer(method: str, path: str, query: str, headers: list[list[str]], body: bytes) -> tuple[int, Any, bytes]:
    """Status, headers and content of the answer to a request; the path is percent-encoded."""
    environ: dict[str, Any] = {
        "REQUEST_METHOD": method,
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(path).decode("latin-1"),
        "QUERY_STRING": query,
        "SERVER_NAME": "localhost",
        "SERVER_PORT": "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "REMOTE_ADDR": "127.0.0.1",
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": "http",
        "wsgi.input": BytesIO(body),
        "wsgi.input_terminated": True,
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": False,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
        "CONTENT_LENGTH": str(len(body)),
    }
    for name, value in headers:
        key = name.upper().replace("-", "_")
        environ[key if key == "CONTENT_TYPE" else f"HTTP_{key}"] = value
    started: list[Any] = []

    def start_response(status: str, sent: list[tuple[str, str]], _exc_info: Any = None) -> Any:
        started[:] = int(status.partition(" ")[0]), sent

    content = application(environ, start_response)
    try:
        whole = b"".join(content)
    finally:
        if (close := getattr(content, "close", None)) is not None:
            close()
    return started[0], started[1], whole
