"""Answers a complete request, in a thread: calls the application and sends its response."""

from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any, Protocol

from gunicorn.config import Config
from gunicorn.http.wsgi import Response

from capomastro.api.application import REFUSED
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
            connection.keep &= self.ask(environ, head, connection.outbox, closes=not connection.keep)
            connection.outbox.begin(connection.socket)
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
        response: Any = Response(Asked(head, closes), answer, self.cfg)  # type: ignore[arg-type]
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
