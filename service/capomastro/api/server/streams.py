"""Streams: reads the body of a request as it arrives and sends the response meanwhile, both in one thread."""

import select
import socket
import struct
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from gunicorn.http.body import ChunkedReader, LengthReader
from gunicorn.http.unreader import SocketUnreader

CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"
LONGEST_POLL = 24 * 60 * 60 * 1000
"""Milliseconds for which a poll waits at most before it is repeated; it cannot wait for 2**31."""


class ChunkReaderLimits:
    """The attributes of a request that gunicorn's chunk reader needs."""

    limit_request_field_size = 8190
    max_buffer_headers = 32 * 1024
    trailers: list[tuple[str, str]]

    def parse_headers(self, _: bytes, from_trailer: bool = False) -> list[tuple[str, str]]:
        """Trailers are ignored."""
        return []


class StreamedBody:
    """A body that is read as it arrives; gunicorn's own `read` waits for 1 KiB even if the client awaits an answer."""

    def __init__(self, connection: socket.socket, arrived: bytes, length: int | None, idle_seconds: int) -> None:
        self.unreader = SocketUnreader(connection)
        self.unreader.unread(arrived)
        self.length = LengthReader(self.unreader, length) if length is not None else None
        request: Any = ChunkReaderLimits()
        self.chunks: Any = ChunkedReader(request, self.unreader).parser if length is None else None
        self.failed = False
        self.is_read = length == 0
        self.last_received = time.monotonic()
        """When bytes last arrived."""
        # for receiving only: sending may wait longer for a client that sends everything before it reads
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.pack("ll", idle_seconds, 0))

    def read1(self, _: int = -1) -> bytes:
        """The bytes that have arrived, up to 1 MiB; blocks only if there are none. Empty at the end."""
        try:
            piece = self.received()
        except Exception:
            self.failed = True  # the connection is then not reused
            raise
        self.last_received = time.monotonic()
        self.is_read = not piece
        return piece

    read = read1

    def received(self) -> bytes:
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
        with suppress(OSError):  # the client may have gone
            self.unreader.sock.shutdown(socket.SHUT_RD)


class StreamWriter:
    """Sends a response as slowly as the client reads it, until neither side has sent anything for `idle_seconds`."""

    def __init__(self, connection: socket.socket, idle_seconds: int, last_received: Callable[[], float]) -> None:
        self.connection = connection
        self.idle_seconds = idle_seconds
        self.last_received = last_received
        self.poll = select.poll()
        self.poll.register(connection, select.POLLOUT)

    def sendall(self, content: bytes) -> None:
        """Sends everything.

        Raises:
            OSError: if the client has gone; `TimeoutError` if it neither sends nor reads anything.
        """
        unsent = memoryview(content)
        last = time.monotonic()
        while unsent:
            try:
                count = self.connection.send(unsent, socket.MSG_DONTWAIT | socket.MSG_NOSIGNAL)
            except BlockingIOError:
                idle = time.monotonic() - max(last, self.last_received())
                if idle >= self.idle_seconds:
                    raise TimeoutError from None
                self.poll.poll(min((self.idle_seconds - idle) * 1000, LONGEST_POLL))
                continue
            unsent, last = unsent[count:], time.monotonic()
