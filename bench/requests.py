"""Requests to the service in this process: the WSGI application, without a server."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

from capomastro.api.application import create_app
from capomastro.settings import Settings

Answerer = Callable[[bytes], bytes]


def environment(path: str, body: bytes) -> dict[str, Any]:
    """What a server hands over of a POST with a JSON body."""
    return {
        "REQUEST_METHOD": "POST",
        "SCRIPT_NAME": "",
        "PATH_INFO": path,
        "QUERY_STRING": "",
        "SERVER_NAME": "localhost",
        "SERVER_PORT": "8000",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "REMOTE_ADDR": "127.0.0.1",
        "HTTP_HOST": "localhost:8000",
        "CONTENT_TYPE": "application/json",
        "CONTENT_LENGTH": str(len(body)),
        "wsgi.url_scheme": "http",
        "wsgi.input": io.BytesIO(body),
        "wsgi.input_terminated": True,
    }


def answerers_at(*paths: str, logged: bool = False) -> tuple[Answerer, ...]:
    """For each path a function that answers a body posted there; all of them use one application.

    `logged`: each request writes its line to stderr, here and in all other applications of the process.

    Raises:
        RuntimeError: from the answerer, if the answer is not 200.
    """
    app = create_app(Settings(log_level="INFO" if logged else "WARNING"))

    def answerer(path: str) -> Answerer:
        started: list[str] = []

        def answer(body: bytes) -> bytes:
            started.clear()
            content = b"".join(app.wsgi_app(environment(path, body), lambda status, *_: started.append(status)))
            if started != ["200 OK"]:
                raise RuntimeError(f"{path} answers {started}: {content[:500]!r}")
            return content

        return answer

    return tuple(map(answerer, paths))
