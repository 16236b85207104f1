"""Answers a complete request, in a thread: calls the application and sends its response."""

from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import lru_cache
from time import time
from typing import Any, Protocol

from gunicorn.config import Config
from gunicorn.http.errors import InvalidHeader, InvalidHeaderName
from gunicorn.http.message import TOKEN_RE
from gunicorn.http.wsgi import HEADER_VALUE_RE, Response
from gunicorn.util import http_date, is_hoppish

from capomastro.api.questions import REFUSED
from capomastro.api.replies import AFTERWARDS
from capomastro.api.request_log import log_fault
from capomastro.api.server.connections import Connection
from capomastro.api.server.request_head import UNPARSED_HEAD, Address, RequestHead, wsgi_environ
from capomastro.api.server.streams import CONTINUE, StreamedBody, StreamWriter
from capomastro.settings import Network, Settings

Application = Callable[[dict[str, Any], Any], Iterable[bytes]]


class Writer(Protocol):
    """The destination of a response."""

    def sendall(self, content: bytes, /) -> None:
        """Sends content, or keeps it to send later."""


class RequestAttributes:
    """The attributes of a request that gunicorn's `Response` reads."""

    def __init__(self, head: RequestHead, closes: bool) -> None:
        self.method = head.method
        self.version = head.version
        self.closes = closes

    def should_close(self) -> bool:
        return self.closes


@lru_cache(maxsize=256)
def checked_field_name(name: str) -> tuple[str, bool]:
    """The name of a header field in lower case, and whether it is hop-by-hop, which the server sets itself.

    Raises:
        InvalidHeaderName: if it is not a token.
    """
    if not TOKEN_RE.fullmatch(name):
        raise InvalidHeaderName(repr(name))
    return name.lower(), is_hoppish(name)


@lru_cache(maxsize=2)
def http_date_of(second: int) -> str:
    """A second as HTTP writes it; cached, since many responses share it."""
    date: str = http_date(second)
    return date


class CachingResponse(Response):
    """gunicorn's response, with a cache for what many responses have in common."""

    req: Any
    headers: list[tuple[str, str]]

    def process_headers(self, headers: Iterable[tuple[str, str]]) -> None:
        """Keeps the application's header fields, except those about the connection.

        Raises:
            InvalidHeader: if a value contains a character that is not allowed in it.
        """
        for name, value in headers:
            lower, hoppish = checked_field_name(name)
            if not HEADER_VALUE_RE.fullmatch(value):
                raise InvalidHeader(repr(name))
            if lower == "content-length":
                self.response_length = int(value)
            if not hoppish:
                self.headers.append((name, value.strip(" \t")))

    def default_headers(self) -> list[str]:
        """The status line and the header fields of every response."""
        major, minor = self.req.version
        lines = [
            f"HTTP/{major}.{minor} {self.status}\r\n",
            f"Server: {self.version}\r\n",
            f"Date: {http_date_of(int(time()))}\r\n",
            f"Connection: {'close' if self.should_close() else 'keep-alive'}\r\n",
        ]
        return [*lines, "Transfer-Encoding: chunked\r\n"] if self.chunked else lines


class RequestHandler:
    """Answers requests with an application; thread-safe."""

    def __init__(self, application: Application, cfg: Config, settings: Settings, trusted: tuple[Network, ...]) -> None:
        self.application = application
        self.cfg = cfg
        self.settings = settings
        self.trusted = trusted

    def handle(self, connection: Connection, server: Address, may_keep_alive: bool) -> None:
        """Answers the request that a connection has received, and decides whether to reuse the connection.

        What cannot be sent at once stays in the send buffer.
        """
        reader = connection.reader
        head = reader.head or UNPARSED_HEAD
        try:
            environ = wsgi_environ(head, connection.address(), server, self.trusted)
            if reader.body_handling.stream and connection.refused is None:
                connection.keep_alive = self.handle_stream(connection, head, environ, may_keep_alive)
                return
            if connection.refused is not None:
                environ[REFUSED] = connection.refused
            unread = connection.refused is not None or reader.body_handling.skip
            if not unread:
                environ["CONTENT_LENGTH"] = str(reader.length)
                reader.body.seek(0)
            environ["wsgi.input"] = reader.body
            connection.keep_alive = may_keep_alive and head.keeps_alive and not unread
            afterwards: list[Callable[[], None]] = []
            environ[AFTERWARDS] = afterwards
            connection.keep_alive &= self.call_application(
                environ, head, connection.send_buffer, closes=not connection.keep_alive
            )
            try:
                connection.send_buffer.send_now(connection.socket)
            finally:
                for call in afterwards:
                    call()
        except OSError:
            connection.keep_alive, connection.input_ended = False, True  # the client has gone
            connection.send_buffer.pieces.clear()
        except Exception as error:  # noqa: BLE001 - such as a stream that breaks off: the client must not take it for complete
            connection.keep_alive, connection.input_ended = False, True
            connection.send_buffer.pieces.clear()
            log_fault("", error)

    def handle_stream(
        self, connection: Connection, head: RequestHead, environ: dict[str, Any], may_keep_alive: bool
    ) -> bool:
        """Answers while the body arrives; returns whether the connection can be reused."""
        idle_seconds = self.settings.idle_timeout
        length = None if head.is_chunked else head.length or 0
        body = StreamedBody(connection.socket, connection.reader.rest(), length, idle_seconds)
        writer = StreamWriter(connection.socket, idle_seconds, lambda: body.last_received)
        if head.expects_continue and head.has_body:
            writer.sendall(CONTINUE)
        environ["wsgi.input"] = body
        keep_alive = may_keep_alive and head.keeps_alive
        keep_alive &= self.call_application(environ, head, writer, closes=not keep_alive)
        rest = body.rest()
        connection.rest = rest or b""
        return keep_alive and rest is not None

    def call_application(self, environ: dict[str, Any], head: RequestHead, writer: Writer, *, closes: bool) -> bool:
        """Calls the application; returns whether the response allows the connection to be reused."""
        response: Any = CachingResponse(RequestAttributes(head, closes), writer, self.cfg)  # type: ignore[arg-type]
        pieces = self.application(environ, response.start_response)
        try:
            for piece in pieces:
                response.write(piece)
            response.close()
        finally:
            if (close := getattr(pieces, "close", None)) is not None:
                with suppress(OSError):
                    close()
        return not response.should_close()
