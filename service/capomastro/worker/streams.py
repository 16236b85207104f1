"""Streams: reads the body of a request as it arrives and sends the response meanwhile, both in one thread."""

import socket
import struct
from contextlib import suppress
from time import monotonic

from capomastro.worker.behaviour import Refusal
from capomastro.worker.parsing import ChunkDecoder

PIECE_BYTES = 64 * 1024


class Stream:
    """A body that is read as it arrives, and a response that is sent as slowly as the client reads it."""

    def __init__(self, connection: socket.socket, arrived: bytes, length: int | None, idle_seconds: int) -> None:
        self.connection = connection
        self.arrived = arrived
        """Bytes received with the head."""
        self.missing = length
        """Bytes that are still to come; None if the body is in chunks."""
        self.chunks = ChunkDecoder()
        self.rest = arrived if length == 0 else None
        """The bytes beyond the body; None as long as it has not been read to its end."""
        self.failure: Refusal | None = None
        """What is wrong with the bytes after those already returned."""
        self.last_received = monotonic()
        """When bytes last arrived."""
        for limit in (socket.SO_RCVTIMEO, socket.SO_SNDTIMEO):
            connection.setsockopt(socket.SOL_SOCKET, limit, struct.pack("ll", idle_seconds, 0))

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
            arrived, self.arrived = self.arrived or self.connection.recv(PIECE_BYTES), b""
            if not arrived:
                raise EOFError
            self.last_received = monotonic()
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
        piece, following = arrived[: self.missing], arrived[self.missing :]
        self.missing -= len(piece)
        self.rest = None if self.missing else following
        return piece

    def close(self) -> None:
        """Wakes a thread that blocks in `read1`: nothing else will arrive."""
        self.rest = None
        with suppress(OSError):  # the client may have gone
            self.connection.shutdown(socket.SHUT_RD)

    def sendall(self, content: bytes) -> None:
        """Sends everything.

        Raises:
            OSError: if the client has gone; `TimeoutError` if it neither sends nor reads anything for too long.
        """
        unsent = memoryview(content)
        while unsent:
            began = monotonic()
            try:
                unsent = unsent[self.connection.send(unsent, socket.MSG_NOSIGNAL) :]
            except BlockingIOError:
                if self.last_received < began:  # a client may send everything before it reads
                    raise TimeoutError from None
