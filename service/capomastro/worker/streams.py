"""Streams: reads the body of a request as it arrives and sends the response meanwhile, both in one thread."""

import select
import socket
import struct
import time
from collections.abc import Callable
from contextlib import suppress

from capomastro.worker.connections import SEND_FLAGS
from capomastro.worker.parsing import ChunkDecoder
from capomastro.worker.refusals import Refusal

CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"
LONGEST_POLL = 24 * 60 * 60 * 1000
"""Milliseconds for which a poll waits at most before it is repeated; it cannot wait for 2**31."""
PIECE_BYTES = 64 * 1024


class StreamedBody:
    """A body that is read as it arrives."""

    def __init__(self, connection: socket.socket, arrived: bytes, length: int | None, idle_seconds: int) -> None:
        self.connection = connection
        self.arrived = arrived
        """Bytes received with the head."""
        self.missing = length
        """Bytes that are still to come; None if the body is in chunks."""
        self.chunks = ChunkDecoder()
        self.rest: bytes | None = None
        """The bytes beyond the body; None as long as it has not been read to its end."""
        self.failure: Refusal | None = None
        """What is wrong with the bytes after those already returned."""
        self.last_received = time.monotonic()
        """When bytes last arrived."""
        # for receiving only: sending may wait longer for a client that sends everything before it reads
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.pack("ll", idle_seconds, 0))
        if length == 0:
            self.rest = arrived

    def read1(self, _: int = -1) -> bytes:
        """The bytes that have arrived; blocks only if there are none. Empty at the end.

        Raises:
            Refusal: if they are not chunks.
            EOFError: if nothing more arrives though the body is not complete.
            BlockingIOError: if nothing arrives for as long as a stream may be idle.
        """
        piece = b""
        while not piece and self.rest is None:
            if self.failure is not None:
                raise self.failure
            arrived, self.arrived = self.arrived, b""
            if not arrived and not (arrived := self.connection.recv(PIECE_BYTES)):
                raise EOFError
            self.last_received = time.monotonic()
            piece = self.decoded(arrived)
        return piece

    read = read1

    def decoded(self, arrived: bytes) -> bytes:
        """The part of the body in received bytes."""
        if self.missing is None:
            try:
                self.rest = self.chunks.feed(arrived)
            except Refusal as refusal:
                self.failure = refusal
            return self.chunks.take()
        piece, next_request = arrived[: self.missing], arrived[self.missing :]
        self.missing -= len(piece)
        if not self.missing:
            self.rest = next_request
        return piece

    def close(self) -> None:
        """Wakes a thread that blocks in `read1`: nothing else will arrive."""
        self.rest = None
        with suppress(OSError):  # the client may have gone
            self.connection.shutdown(socket.SHUT_RD)


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
                count = self.connection.send(unsent, SEND_FLAGS)
            except BlockingIOError:
                idle = time.monotonic() - max(last, self.last_received())
                if idle >= self.idle_seconds:
                    raise TimeoutError from None
                self.poll.poll(min((self.idle_seconds - idle) * 1000, LONGEST_POLL))
                continue
            unsent, last = unsent[count:], time.monotonic()
