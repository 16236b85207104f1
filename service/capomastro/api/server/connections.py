"""A connection: its phase and deadline, the request being read and the response being sent."""

import enum
import select
import socket
from collections import deque
from contextlib import suppress
from itertools import islice
from typing import Any

from capomastro.api.server import system_calls
from capomastro.api.server.request_head import Address
from capomastro.api.server.request_reader import RequestReader
from capomastro.documents.problems import Problem

MAPPED = "::ffff:"
"""What the kernel writes before the IPv4 address of a client if the service listens on IPv6: ::ffff:192.0.2.1."""
MAXIMUM_PIECES = 16
"""Maximum number of pieces sent with one call."""
MAXIMUM_LINGERING_BYTES = 64 * 1024 * 1024
"""Maximum number of bytes discarded after a response; closing earlier could lose the response."""


class Phase(enum.Enum):
    """The phase of a connection."""

    IDLE = enum.auto()
    """No part of a request has arrived yet."""
    HEAD = enum.auto()
    BODY = enum.auto()
    WAITING = enum.auto()
    """A request has arrived, but work has not begun."""
    WORKING = enum.auto()
    SENDING = enum.auto()
    LINGERING = enum.auto()
    """Everything has been sent; further input is discarded, because closing early could lose the response."""


RECEIVING = (Phase.IDLE, Phase.HEAD, Phase.BODY)
READ, WRITE = select.POLLIN, select.POLLOUT


class SendBuffer:
    """Bytes to send. The thread that answers a request fills the buffer and never waits for the client."""

    def __init__(self) -> None:
        self.pieces: deque[bytes] = deque()
        self.size = 0
        self.sent = 0

    def sendall(self, piece: bytes) -> None:
        """Called by gunicorn to send content."""
        if piece:
            self.pieces.append(piece)
            self.size += len(piece)

    def send_now(self, connection: socket.socket) -> None:
        """Sends as much as possible without blocking; any thread may call this.

        Raises:
            OSError: if the client has gone.
        """
        with suppress(BlockingIOError):
            while self.pieces:
                pieces = list(islice(self.pieces, MAXIMUM_PIECES))
                self.consume(connection.sendmsg(pieces, (), socket.MSG_DONTWAIT | socket.MSG_NOSIGNAL))

    def send_more(self, descriptor: int) -> None:
        """Continues sending without releasing the interpreter's lock, in small parts.

        Raises:
            OSError: if the client has gone.
        """
        with suppress(BlockingIOError):
            self.consume(system_calls.send(descriptor, self.pieces[0]))

    def consume(self, count: int) -> None:
        """Records that `count` bytes have been sent."""
        self.sent += count
        while count:
            first = self.pieces.popleft()
            if count < len(first):
                self.pieces.appendleft(first[count:])
                return
            count -= len(first)

    @property
    def is_empty(self) -> bool:
        return not self.pieces


class Connection:
    """One connection of a client."""

    def __init__(self, accepted: socket.socket, reader: RequestReader, now: float) -> None:
        self.socket = accepted
        self.descriptor = accepted.fileno()
        self.reader = reader
        self.phase = Phase.IDLE
        self.since = now
        """When the phase began."""
        self.deadline = now
        self.watched = 0
        self.peer: Address | None = None
        self.refused: Problem | None = None
        """The problem with which the server itself refuses the request, if it does."""
        self.queue: Any = None
        self.send_buffer = SendBuffer()
        self.keep_alive = False
        """Whether to reuse the connection when everything has been sent."""
        self.rest = b""
        """Bytes received beyond the request."""
        self.input_ended = False
        """Whether the client will send nothing more."""
        self.discarded = 0

    def address(self) -> Address:
        """The address of the client."""
        if self.peer is None:
            host, port, *_ = self.socket.getpeername()
            self.peer = (host.removeprefix(MAPPED) if "." in host else host, port)
        return self.peer
