"""A connection: its phase and deadline, the request being read and the response being sent."""

import enum
import select
import socket
from collections import deque
from contextlib import suppress
from itertools import islice
from typing import Any

from capomastro.worker.heads import Address
from capomastro.worker.refusals import Refusal
from capomastro.worker.requests import RequestReader

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
SEND_FLAGS = socket.MSG_DONTWAIT | socket.MSG_NOSIGNAL
READ, WRITE = select.POLLIN, select.POLLOUT


class SendBuffer:
    """Bytes to send. The thread that answers a request fills the buffer and never waits for the client."""

    def __init__(self) -> None:
        self.pieces: deque[bytes] = deque()
        self.size = 0
        self.sent = 0

    def sendall(self, piece: bytes) -> None:
        """Keeps content to send later."""
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
                self.consume(connection.sendmsg(pieces, (), SEND_FLAGS))

    def send_more(self, connection: socket.socket) -> None:
        """Continues sending, in small parts.

        Raises:
            OSError: if the client has gone.
        """
        with suppress(BlockingIOError):
            self.consume(connection.send(self.pieces[0], SEND_FLAGS))

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

    reader: RequestReader
    """The request that is being read, or answered."""

    def __init__(self, accepted: socket.socket, now: float) -> None:
        self.socket = accepted
        self.descriptor = accepted.fileno()
        self.phase = Phase.IDLE
        self.since = now
        """When the phase began."""
        self.deadline = now
        self.watched = 0
        self.is_ready = False
        """Whether something has happened to it that the loop has yet to handle."""
        self.peer: Address | None = None
        self.client = ""
        """The address of the client, as a trusted proxy names it."""
        self.place: int | None = None
        """The place of the request in the ledger."""
        self.owner: str | None = None
        """Who sends the request, if requests of one owner take turns."""
        self.refused: Refusal | None = None
        """Why the server itself refuses the request, if it does."""
        self.queue: Any = None
        self.send_buffer = SendBuffer()
        self.keep_alive = False
        """Whether to reuse the connection when everything has been sent."""
        self.input_ended = False
        """Whether the client will send nothing more."""
        self.discarded = 0
        self.cpu_seconds = 0.0
        """CPU time spent on what belongs to no answered request yet."""

    def take_cpu(self) -> float:
        """The CPU time spent so far, which a request is charged with from now on."""
        spent, self.cpu_seconds = self.cpu_seconds, 0.0
        return spent

    def break_off(self) -> None:
        """Ends a response that cannot be completed."""
        self.keep_alive, self.input_ended = False, True
        self.send_buffer.pieces.clear()

    def address(self) -> Address:
        """The address of the client."""
        if self.peer is None:
            host, port, *_ = self.socket.getpeername()
            self.peer = (host, port)
        return self.peer
