"""Writes a response as HTTP/1 demands: what an application gives to WSGI, and how its end can be found."""

import re
from collections.abc import Callable, Iterable
from email.utils import formatdate
from functools import lru_cache
from time import time
from typing import Any, Protocol

from capomastro.worker.parsing import RequestHead

TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
VALUE = re.compile(r"[ \t\x21-\x7e\x80-\xff]*")
OF_THE_CONNECTION = {
    *("connection", "keep-alive", "proxy-authenticate", "proxy-authorization", "te", "trailer"),
    *("transfer-encoding", "upgrade", "server", "date"),
}
"""Fields that the server sets itself."""
WITHOUT_BODY = ("204", "304")


class Writer(Protocol):
    """The destination of a response."""

    def sendall(self, content: bytes, /) -> None:
        """Sends content, or keeps it to send later."""


@lru_cache(maxsize=256)
def checked_name(name: str) -> str:
    """The name of a field in lower case.

    Raises:
        ValueError: if it is not a token.
    """
    if not TOKEN.fullmatch(name):
        raise ValueError(f"the name of a header field: {name!r}")
    return name.lower()


@lru_cache(maxsize=2)
def date_of(second: int) -> str:
    """A second as HTTP writes it; cached, since many responses share it."""
    return formatdate(second, usegmt=True)


class Response:
    """A response that is being written."""

    def __init__(self, head: RequestHead, writer: Writer, *, closes: bool) -> None:
        self.head = head
        self.writer = writer
        self.closes = closes
        """Whether the connection ends with this response."""
        self.status = ""
        self.fields: list[str] = []
        self.length: int | None = None
        self.written = 0
        self.head_is_sent = False

    def start(self, status: str, headers: Iterable[tuple[str, str]], exc_info: Any = None) -> Callable[[bytes], None]:
        """The `start_response` of WSGI.

        Raises:
            ValueError: if a field is not one of HTTP.
        """
        if exc_info is not None and self.head_is_sent:
            raise exc_info[1]
        self.status, self.fields, self.length = status, [], None
        for name, value in headers:
            lower = checked_name(name)
            if not VALUE.fullmatch(value):
                raise ValueError(f"the value of the header field {name}")
            if lower == "content-length":
                self.length = int(value)
            if lower not in OF_THE_CONNECTION:
                self.fields.append(f"{name}: {value.strip()}\r\n")
        return self.write

    @property
    def has_body(self) -> bool:
        return self.head.method != "HEAD" and not self.status.startswith(WITHOUT_BODY)

    @property
    def is_chunked(self) -> bool:
        return self.length is None and self.has_body and self.head.version >= (1, 1)

    def write(self, piece: bytes) -> None:
        """Sends a piece of the body, and the head before the first; an empty piece sends the head alone."""
        parts = [] if self.head_is_sent else [self.head_bytes()]
        if self.length is not None:
            piece = piece[: self.length - self.written]
        if piece and self.has_body:
            self.written += len(piece)
            parts += [b"%x\r\n" % len(piece), piece, b"\r\n"] if self.is_chunked else [piece]
        self.writer.sendall(b"".join(parts))

    def head_bytes(self) -> bytes:
        self.head_is_sent = True
        if self.length is None and self.has_body and not self.is_chunked:
            self.closes = True  # which is how the end is found
        major, minor = self.head.version
        lines = [
            f"HTTP/{major}.{minor} {self.status}\r\n",
            f"Server: gunicorn\r\nDate: {date_of(int(time()))}\r\n",
            f"Connection: {'close' if self.closes else 'keep-alive'}\r\n",
            "Transfer-Encoding: chunked\r\n" if self.is_chunked else "",
            *self.fields,
            "\r\n",
        ]
        return "".join(lines).encode("latin-1")

    def end(self) -> None:
        """Ends the response. One that is shorter than it says leaves a connection that cannot be used again."""
        if not self.head_is_sent:
            self.write(b"")
        if self.is_chunked:
            self.writer.sendall(b"0\r\n\r\n")
        self.closes |= self.has_body and self.length is not None and self.written < self.length
