"""Answers a complete request, in a thread: calls the application, and writes its response as HTTP/1 demands."""

from collections.abc import Callable, Iterable
from contextlib import suppress
from email.utils import formatdate
from functools import lru_cache, partial
from time import thread_time, time
from typing import Any

from capomastro.worker.behaviour import AFTERWARDS, CPU_COUNTED, CPU_SPENT, Behaviour, Environ
from capomastro.worker.connections import CONTINUE, Connection
from capomastro.worker.parsing import UNPARSED_HEAD, Address, RequestHead, wsgi_environ
from capomastro.worker.streams import Stream

OF_THE_CONNECTION = {"connection", "date", "keep-alive", "server", "te", "trailer", "transfer-encoding", "upgrade"}
"""Fields that the server sets itself."""


def handle(behaviour: Behaviour, connection: Connection, server: Address, may_keep_alive: bool) -> None:
    """Answers the request that a connection has received, and decides whether to reuse the connection.

    What cannot be sent at once stays with the connection.
    """
    environ: Environ = {CPU_COUNTED: thread_time(), CPU_SPENT: connection.take_cpu()}
    reader, refused = connection.reader, connection.refused
    head = reader.head or UNPARSED_HEAD
    unread = refused is not None or reader.body_handling.skip
    application = behaviour.application if refused is None else partial(behaviour.refuse, refused)
    stream: Stream | None = None
    afterwards: list[Callable[[], None]] = []
    try:
        environ |= wsgi_environ(head, connection.peer, server) | {"wsgi.input": reader.body, AFTERWARDS: afterwards}
        if reader.body_handling.stream and refused is None:
            length = None if head.is_chunked else head.length or 0
            stream = Stream(connection.socket, reader.rest, length, behaviour.settings.idle_timeout)
            environ["wsgi.input"] = stream
        elif not unread:
            environ["CONTENT_LENGTH"] = str(reader.length)
            environ.pop("HTTP_TRANSFER_ENCODING", None)  # there are no chunks any more, beside which no length counts
            reader.body.seek(0)
        keeps_alive = may_keep_alive and head.keeps_alive and not unread
        response = Response(head, (stream or connection).sendall, keeps_alive, stream is not None and head.has_body)
        response.send_all(application(environ, response.start))
        connection.keep_alive = response.keeps_alive
        if stream is not None:
            connection.keep_alive &= stream.rest is not None
            reader.rest = stream.rest or b""
        try:
            connection.send()
        finally:
            for function in afterwards:
                function()
    except OSError:
        connection.break_off()  # the client has gone
    except Exception as error:  # noqa: BLE001 - such as a stream that breaks off: it must not seem complete
        connection.break_off()
        behaviour.log_fault(error)
    finally:
        behaviour.count_cpu("answers", thread_time() - environ[CPU_COUNTED])


@lru_cache(maxsize=2)
def date_of(second: int) -> str:
    """A second as HTTP writes it; cached, since many responses share it."""
    return formatdate(second, usegmt=True)


class Response:
    """A response that is being written."""

    def __init__(self, head: RequestHead, send: Callable[[bytes], None], keeps_alive: bool, awaits_body: bool) -> None:
        self.head = head
        self.send = send
        self.keeps_alive = keeps_alive
        """Whether the connection can be reused after this response."""
        self.awaits_body = awaits_body
        """Whether the body of the request is still to be read, after the head of a successful response."""
        self.status = self.fields = ""
        self.length: int | None = None
        self.written = 0
        self.head_is_sent = self.has_body = self.is_chunked = False

    def start(self, status: str, headers: Iterable[tuple[str, str]], exc_info: Any = None) -> Callable[[bytes], None]:
        """The `start_response` of WSGI.

        Raises:
            ValueError: if a field has more than one line.
        """
        if exc_info is not None and self.head_is_sent:
            raise exc_info[1]
        self.status, self.length, lines = status, None, []
        for name, value in headers:
            lower = name.lower()
            if lower == "content-length":
                self.length = int(value)
            if lower not in OF_THE_CONNECTION:
                lines.append(f"{name}: {value.strip()}")
        self.fields = "\r\n".join([*lines, ""])
        if not self.fields.count("\r") == self.fields.count("\n") == len(lines):
            raise ValueError("a header field has more than one line")
        self.has_body = self.head.method != "HEAD" and status[:3] not in ("204", "304")
        self.is_chunked = self.length is None and self.has_body and self.head.version >= (1, 1)
        return self.write

    def write(self, piece: bytes) -> None:
        """Sends a piece of the body, and the head before the first; an empty piece sends the head alone."""
        parts = [] if self.head_is_sent else [self.head_bytes()]
        if piece and self.has_body:
            self.written += len(piece)
            parts += [b"%x\r\n" % len(piece), piece, b"\r\n"] if self.is_chunked else [piece]
        self.send(b"".join(parts))

    def head_bytes(self) -> bytes:
        self.head_is_sent = True
        is_refused = self.awaits_body and not self.status.startswith("2")
        # without a length or chunks, the end of the connection is that of the response
        self.keeps_alive &= (self.length is not None or self.is_chunked or not self.has_body) and not is_refused
        framing = "Transfer-Encoding: chunked\r\n" if self.is_chunked else ""
        connection = "keep-alive" if self.keeps_alive else "close"
        own = f"Server: gunicorn\r\nDate: {date_of(int(time()))}\r\nConnection: {connection}\r\n{framing}"
        head = f"HTTP/1.{self.head.version[1]} {self.status}\r\n{own}{self.fields}\r\n".encode("latin-1")
        return CONTINUE + head if self.awaits_body and self.head.expects_continue and not is_refused else head

    def send_all(self, pieces: Iterable[bytes]) -> None:
        """Sends the body. One that is not as long as it says leaves a connection that cannot be used again."""
        try:
            for piece in pieces:
                self.write(piece)
            if not self.head_is_sent:
                self.write(b"")
            if self.is_chunked:
                self.send(b"0\r\n\r\n")
            self.keeps_alive &= not self.has_body or self.length in (None, self.written)
        finally:
            if (close := getattr(pieces, "close", None)) is not None:
                with suppress(OSError):
                    close()
