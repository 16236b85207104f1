"""Requests as values, sent in process through WSGI, without a socket or a test client."""

import base64
import json
import re
from collections.abc import Mapping
from io import BytesIO
from time import process_time
from typing import Any, NamedTuple

from flask import Flask

JSON = "application/json"


class Request(NamedTuple):
    """One request; the path without the query, the names of headers as HTTP writes them."""

    method: str
    path: str
    body: bytes = b""
    query: str = ""
    headers: Mapping[str, str] = {}

    def document(self) -> dict[str, Any]:
        """The request as JSON, for storage; a body that is not UTF-8 as Base64."""
        try:
            body = {"body": self.body.decode()}
        except UnicodeDecodeError:
            body = {"body_in_base64": base64.b64encode(self.body).decode()}
        return {"method": self.method, "path": self.path, "query": self.query, "headers": dict(self.headers), **body}

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> "Request":
        """The request in a stored document."""
        in_base64 = document.get("body_in_base64")
        body = document["body"].encode() if in_base64 is None else base64.b64decode(in_base64)
        return cls(document["method"], document["path"], body, document["query"], document["headers"])


OF_A_GAME = re.compile(r"/v1/games/[^/]+/(.+)")


def question_of(request: Request) -> str:
    """What a game is asked, such as `tables/views`; of any other path its last part."""
    about_a_game = OF_A_GAME.fullmatch(request.path)
    return about_a_game[1] if about_a_game else request.path.rpartition("/")[2]


class Answer(NamedTuple):
    """The answer; `cpu` is in seconds of the whole process, because a stream is judged in a thread of its own."""

    status: int
    headers: Mapping[str, str]
    """By names in small letters."""
    body: bytes
    cpu: float

    @property
    def media_type(self) -> str:
        return self.headers.get("content-type", "").partition(";")[0]

    def json(self) -> Any:
        return json.loads(self.body)


def answer_to(app: Flask, request: Request) -> Answer:
    """Sends a request to the application, as a server would.

    Raises:
        Exception: whatever the application lets through to the server.
    """
    environ: dict[str, Any] = {
        "REQUEST_METHOD": request.method,
        "SCRIPT_NAME": "",
        "PATH_INFO": request.path,
        "QUERY_STRING": request.query,
        "SERVER_NAME": "localhost",
        "SERVER_PORT": "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "REMOTE_ADDR": "127.0.0.1",
        "HTTP_HOST": "localhost",
        "CONTENT_LENGTH": str(len(request.body)) if request.body else "",
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": "http",
        "wsgi.input": BytesIO(request.body),
        "wsgi.errors": BytesIO(),
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    for name, value in request.headers.items():
        variable = name.upper().replace("-", "_")
        environ[variable if variable == "CONTENT_TYPE" else f"HTTP_{variable}"] = value
    started: list[tuple[str, list[tuple[str, str]]]] = []

    def start_response(status: str, headers: list[tuple[str, str]], error: Any = None) -> Any:
        started[:] = [(status, headers)]

    began = process_time()
    parts = app.wsgi_app(environ, start_response)
    try:
        body = b"".join(parts)
    finally:
        close = getattr(parts, "close", None)
        if close is not None:
            close()
    cpu = process_time() - began
    ((status, headers),) = started
    return Answer(int(status[:3]), {name.lower(): value for name, value in headers}, body, cpu)
