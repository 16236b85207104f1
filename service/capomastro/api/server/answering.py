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
from capomastro.api.server.heads import NO_HEAD, Address, Head, environment
from capomastro.api.server.streaming import GO_ON, PatientSocket, PromptBody
from capomastro.settings import Network, Settings

Application = Callable[[dict[str, Any], Any], Iterable[bytes]]


class Sends(Protocol):
    """The destination of a response."""

    def sendall(self, content: bytes, /) -> None:
        """Sends content, or keeps it to send later."""


class Asked:
    """The attributes of a request that gunicorn's `Response` reads."""

    def __init__(self, head: Head, closes: bool) -> None:
        self.method = head.method
        self.version = head.version
        self.closes = closes

    def should_close(self) -> bool:
        return self.closes


@lru_cache(maxsize=256)
def checked(name: str) -> tuple[str, bool]:
    """The name of a header field in lower case, and whether it is about the connection, which is the server's affair.

    Raises:
        InvalidHeaderName: if it is no name.
    """
    if not TOKEN_RE.fullmatch(name):
        raise InvalidHeaderName(repr(name))
    return name.lower(), is_hoppish(name)


@lru_cache(maxsize=2)
def date_of(second: int) -> str:
    """A second as HTTP writes it; many responses share one."""
    date: str = http_date(second)
    return date


class PromptResponse(Response):
    """gunicorn's response; what is the same in many responses is worked out once."""

    req: Any
    headers: list[tuple[str, str]]

    def process_headers(self, headers: Iterable[tuple[str, str]]) -> None:
        """Keeps the header of the application, less what is about the connection.

        Raises:
            InvalidHeader: if a value has a character that could end it.
        """
        for name, value in headers:
            lower, hoppish = checked(name)
            if not HEADER_VALUE_RE.fullmatch(value):
                raise InvalidHeader(repr(name))
            if lower == "content-length":
                self.response_length = int(value)
            if not hoppish:
                self.headers.append((name, value.strip(" \t")))

    def default_headers(self) -> list[str]:
        """The status line, and what every response says of the server and the connection."""
        major, minor = self.req.version
        lines = [
            f"HTTP/{major}.{minor} {self.status}\r\n",
            f"Server: {self.version}\r\n",
            f"Date: {date_of(int(time()))}\r\n",
            f"Connection: {'close' if self.should_close() else 'keep-alive'}\r\n",
        ]
        return [*lines, "Transfer-Encoding: chunked\r\n"] if self.chunked else lines


class Answering:
    """Answers requests with an application; thread-safe."""

    def __init__(self, application: Application, cfg: Config, settings: Settings, trusted: tuple[Network, ...]) -> None:
        self.application = application
        self.cfg = cfg
        self.settings = settings
        self.trusted = trusted

    def answer(self, connection: Connection, server: Address, keep: bool) -> None:
        """Answers the request that a connection has gathered, and sets whether to keep the connection.

        What cannot be sent at once stays in the outbox.
        """
        gathering = connection.gathering
        head = gathering.head or NO_HEAD
        try:
            environ = environment(head, connection.address(), server, self.trusted)
            if gathering.reading.stream and connection.refused is None:
                connection.keep = self.stream(connection, head, environ, keep)
                return
            if connection.refused is not None:
                environ[REFUSED] = connection.refused
            unread = connection.refused is not None or gathering.reading.leave
            if not unread:
                environ["CONTENT_LENGTH"] = str(gathering.length)
                gathering.body.seek(0)
            environ["wsgi.input"] = gathering.body
            connection.keep = keep and head.keeps_alive and not unread
            afterwards: list[Callable[[], None]] = []
            environ[AFTERWARDS] = afterwards
            connection.keep &= self.ask(environ, head, connection.outbox, closes=not connection.keep)
            try:
                connection.outbox.begin(connection.socket)
            finally:
                for call in afterwards:
                    call()
        except OSError:
            connection.keep, connection.is_over = False, True  # the client has gone
            connection.outbox.pieces.clear()
        except Exception as error:  # noqa: BLE001 - such as a stream that breaks off: the client must see no good end
            connection.keep, connection.is_over = False, True
            connection.outbox.pieces.clear()
            log_fault("", error)

    def stream(self, connection: Connection, head: Head, environ: dict[str, Any], keep: bool) -> bool:
        """Answers while the body arrives; returns whether the connection can be reused."""
        idle_seconds = self.settings.idle_timeout
        length = None if head.is_chunked else head.length or 0
        body = PromptBody(connection.socket, connection.gathering.rest(), length, idle_seconds)
        answer = PatientSocket(connection.socket, idle_seconds, lambda: body.last)
        if head.expects_to_be_asked and head.has_body:
            answer.sendall(GO_ON)
        environ["wsgi.input"] = body
        keep = keep and head.keeps_alive
        keep &= self.ask(environ, head, answer, closes=not keep)
        rest = body.rest()
        connection.rest = rest or b""
        return keep and rest is not None

    def ask(self, environ: dict[str, Any], head: Head, answer: Sends, *, closes: bool) -> bool:
        """Calls the application; returns whether the response allows the connection to be reused."""
        response: Any = PromptResponse(Asked(head, closes), answer, self.cfg)  # type: ignore[arg-type]
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
