"""Working on a request that is there, in a thread: the application is asked, and what it answers is sent."""

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
    """What an answer is written to."""

    def sendall(self, content: bytes, /) -> None:
        """Sends, or keeps to be sent."""


class Asked:
    """What gunicorn's `Response` wants to know of a request."""

    def __init__(self, head: Head, closes: bool) -> None:
        self.method = head.method
        self.version = head.version
        self.closes = closes

    def should_close(self) -> bool:
        return self.closes


class Answering:
    """Answers requests with an application; many threads at once."""

    def __init__(self, application: Application, cfg: Config, settings: Settings, trusted: tuple[Network, ...]) -> None:
        self.application = application
        self.cfg = cfg
        self.settings = settings
        self.trusted = trusted

    def answer(self, connection: Connection, server: Address, keep: bool) -> None:
        """Answers the request that a connection has gathered, and says in it whether it is to be kept.

        What cannot be sent at once stays in its outbox.
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
            connection.keep, connection.is_over = False, True  # the client is gone
            connection.outbox.pieces.clear()
        except Exception as error:  # noqa: BLE001 - such as a stream that breaks off: the client must see no good end
            connection.keep, connection.is_over = False, True
            connection.outbox.pieces.clear()
            log_fault("", error)

    def stream(self, connection: Connection, head: Head, environ: dict[str, Any], keep: bool) -> bool:
        """Answers while the body arrives; whether the connection can be used for another request."""
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
        """Has the application answer; whether the answer lets the connection be used again."""
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
