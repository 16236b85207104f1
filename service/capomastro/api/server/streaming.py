"""Streams: reads a body as it arrives and sends the response meanwhile, in the thread that serves them."""

import select
import socket
import struct
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from gunicorn.http.body import ChunkedReader, LengthReader
from gunicorn.http.unreader import SocketUnreader

GO_ON = b"HTTP/1.1 100 Continue\r\n\r\n"


class Limits:
    """The attributes of a request that gunicorn's chunk reader needs."""

    limit_request_field_size = 8190
    max_buffer_headers = 32 * 1024
    trailers: list[tuple[str, str]]

    def parse_headers(self, _: bytes, from_trailer: bool = False) -> list[tuple[str, str]]:
        """Trailers are ignored."""
        return []


class PromptBody:
    """A body that can be read as it arrives: gunicorn's own `read` waits for 1 KiB, even if the client waits too."""

    def __init__(self, connection: socket.socket, arrived: bytes, length: int | None, idle_seconds: int) -> None:
        self.unreader = SocketUnreader(connection)
        self.unreader.unread(arrived)
        self.length = LengthReader(self.unreader, length) if length is not None else None
        request: Any = Limits()
        self.chunks: Any = ChunkedReader(request, self.unreader).parser if length is None else None
        self.failed = False
        self.is_read = length == 0
        self.last = time.monotonic()
        """The time when something last arrived."""
        # for receiving only: sending may wait longer for a client that sends everything before it reads
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.pack("ll", idle_seconds, 0))

    def read1(self, _: int = -1) -> bytes:
        """The bytes that have arrived, up to 1 MiB; blocks only if there are none. Empty at the end."""
        try:
            piece = self.arrived()
        except Exception:
            self.failed = True  # the connection is then not reused
            raise
        self.last = time.monotonic()
        self.is_read = not piece
        return piece

    read = read1

    def arrived(self) -> bytes:
        if self.length is None:
            return next(filter(None, self.chunks), b"")
        if not self.length.length:
            return b""
        arrived: bytes = self.unreader.read()
        piece, next_request = arrived[: self.length.length], arrived[self.length.length :]
        self.unreader.unread(next_request)
        self.length.length -= len(piece)
        return piece

    def rest(self) -> bytes | None:
        """The bytes beyond the body; None if the body has not been read to its end."""
        if self.failed or not (self.is_read or (self.length is not None and not self.length.length)):
            return None
        rest: bytes = self.unreader.take_buffered()
        return rest

    def close(self) -> None:
        """Wakes a thread that blocks in `read1`: nothing else will arrive."""
        self.failed = True
        with suppress(OSError):  # the client may have left
            self.unreader.sock.shutdown(socket.SHUT_RD)


class PatientSocket:
    """Sends a response as slowly as the client reads, while something is sent or received now and then."""

    def __init__(self, connection: socket.socket, idle_seconds: int, last_arrival: Callable[[], float]) -> None:
        self.connection = connection
        self.idle_seconds = idle_seconds
        self.last_arrival = last_arrival
        self.poll = select.poll()
        self.poll.register(connection, select.POLLOUT)

    def sendall(self, content: bytes) -> None:
        """Sends everything.

        Raises:
            OSError: if the client has gone, or neither sends nor reads anything.
        """
        waiting = memoryview(content)
        last = time.monotonic()
        while waiting:
            try:
                count = self.connection.send(waiting, socket.MSG_DONTWAIT | socket.MSG_NOSIGNAL)
            except BlockingIOError:
                idle = time.monotonic() - max(last, self.last_arrival())
                if idle >= self.idle_seconds:
                    raise TimeoutError from None
                self.poll.poll((self.idle_seconds - idle) * 1000)
                continue
            waiting, last = waiting[count:], time.monotonic()
