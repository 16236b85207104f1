"""Answers a complete request, in a thread: calls the application and sends its response."""

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from threading import local
from time import thread_time
from typing import Any

from capomastro.worker.behaviour import AFTERWARDS, CPU_COUNTED, CPU_SPENT, Application, Behaviour
from capomastro.worker.connections import Connection
from capomastro.worker.parsing import UNPARSED_HEAD, Address, RequestHead, wsgi_environ
from capomastro.worker.responses import Response, Writer
from capomastro.worker.streams import CONTINUE, StreamedBody, StreamWriter


class RequestHandler:
    """Answers requests as an application does; thread-safe."""

    def __init__(self, behaviour: Behaviour) -> None:
        self.behaviour = behaviour
        self.clock = local()
        """The CPU clock of each thread when it ended its last request."""

    def handle(self, connection: Connection, server: Address, may_keep_alive: bool) -> None:
        """Answers the request that a connection has received, and decides whether to reuse the connection.

        What cannot be sent at once stays in the send buffer.
        """
        began = thread_time()
        environ: dict[str, Any] = {CPU_COUNTED: began, CPU_SPENT: connection.take_cpu()}
        reader = connection.reader
        head = reader.head or UNPARSED_HEAD
        try:
            environ |= wsgi_environ(head, connection.address(), server)
            if reader.body_handling.stream and connection.refused is None:
                connection.keep_alive = self.handle_stream(connection, head, environ, may_keep_alive)
                return
            application = self.behaviour.application
            if connection.refused is not None:
                application = partial(self.behaviour.refuse, connection.refused)
            unread = connection.refused is not None or reader.body_handling.skip
            if not unread:
                environ["CONTENT_LENGTH"] = str(reader.length)
                reader.body.seek(0)
            environ["wsgi.input"] = reader.body
            keep_alive = may_keep_alive and head.keeps_alive and not unread
            afterwards: list[Callable[[], None]] = []
            environ[AFTERWARDS] = afterwards
            connection.keep_alive = call(application, environ, head, connection.send_buffer, closes=not keep_alive)
            try:
                connection.send_buffer.send_now(connection.socket)
            finally:
                for function in afterwards:
                    function()
        except OSError:
            connection.break_off()  # the client has gone
        except Exception as error:  # noqa: BLE001 - such as a stream that breaks off: it must not seem complete
            connection.break_off()
            self.behaviour.log_fault(error)
        finally:
            ended = thread_time()
            between = began - getattr(self.clock, "ended", 0.0)
            self.clock.ended = ended
            self.behaviour.count_cpu("answers", between + ended - environ[CPU_COUNTED])

    def handle_stream(
        self, connection: Connection, head: RequestHead, environ: dict[str, Any], may_keep_alive: bool
    ) -> bool:
        """Answers while the body arrives; returns whether the connection can be reused."""
        idle_seconds = self.behaviour.settings.idle_timeout
        length = None if head.is_chunked else head.length or 0
        body = StreamedBody(connection.socket, connection.reader.rest, length, idle_seconds)
        writer = StreamWriter(connection.socket, idle_seconds, lambda: body.last_received)
        if head.expects_continue and head.has_body:
            writer.sendall(CONTINUE)
        environ["wsgi.input"] = body
        closes = not (may_keep_alive and head.keeps_alive)
        keep_alive = call(self.behaviour.application, environ, head, writer, closes=closes)
        connection.reader.rest = body.rest or b""
        return keep_alive and body.rest is not None


def call(application: Application, environ: dict[str, Any], head: RequestHead, writer: Writer, *, closes: bool) -> bool:
    """Calls an application; returns whether the response allows the connection to be reused."""
    response = Response(head, writer, closes=closes)
    pieces = application(environ, response.start)
    try:
        for piece in pieces:
            response.write(piece)
        response.end()
    finally:
        if (close := getattr(pieces, "close", None)) is not None:
            with suppress(OSError):
                close()
    return not response.closes
