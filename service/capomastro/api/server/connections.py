"""A connection: what it waits for, until when, and what still has to be sent."""

import enum
import select
import socket
from collections import deque
from contextlib import suppress
from itertools import islice
from typing import Any

from capomastro.api.server import system
from capomastro.api.server.gathering import Gathering
from capomastro.api.server.heads import Address
from capomastro.documents.problems import Problem

PIECES = 16
"""So many pieces are sent with one call."""
MOST_LINGERING = 64 * 1024 * 1024
"""So many bytes that nobody wants are taken from a client, so that it comes to read why."""


class Phase(enum.Enum):
    """What a connection does."""

    IDLE = enum.auto()
    """Nothing of a request is there yet."""
    HEAD = enum.auto()
    BODY = enum.auto()
    WAITING = enum.auto()
    """A request is there, and not worked on yet."""
    WORKING = enum.auto()
    SENDING = enum.auto()
    LINGERING = enum.auto()
    """Everything is sent, and what the client still sends is thrown away: an answer could be lost if it were not."""


RECEIVING = (Phase.IDLE, Phase.HEAD, Phase.BODY)
READ, WRITE = select.POLLIN, select.POLLOUT


class Outbox:
    """What is to be sent, collected by the thread that works on a request: it never waits for the client."""

    def __init__(self) -> None:
        self.pieces: deque[bytes] = deque()
        self.size = 0
        self.sent = 0

    def sendall(self, piece: bytes) -> None:
        """What gunicorn calls to send something."""
        if piece:
            self.pieces.append(piece)
            self.size += len(piece)

    def begin(self, connection: socket.socket) -> None:
        """Sends what there is room for; any thread may call this.

        Raises:
            OSError: if the client is gone.
        """
        with suppress(BlockingIOError):
            while self.pieces:
                pieces = list(islice(self.pieces, PIECES))
                self.take(connection.sendmsg(pieces, (), socket.MSG_DONTWAIT | socket.MSG_NOSIGNAL))

    def go_on(self, descriptor: int) -> None:
        """The same without giving up the interpreter's lock, and only some of it.

        Raises:
            OSError: if the client is gone.
        """
        with suppress(BlockingIOError):
            self.take(system.send(descriptor, self.pieces[0]))

    def take(self, count: int) -> None:
        """Notes that so many bytes are sent."""
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

    def __init__(self, accepted: socket.socket, gathering: Gathering, now: float) -> None:
        self.socket = accepted
        self.descriptor = accepted.fileno()
        self.gathering = gathering
        self.phase = Phase.IDLE
        self.since = now
        """When the phase began."""
        self.deadline = now
        self.watched = 0
        self.peer: Address | None = None
        self.refused: Problem | None = None
        """What the request is refused with, if the server itself does so."""
        self.lane: Any = None
        self.outbox = Outbox()
        self.keep = False
        """Whether it is used for another request when everything is sent."""
        self.rest = b""
        """What has arrived beyond the request."""
        self.is_over = False
        """Whether the client will send nothing more."""
        self.thrown_away = 0

    def address(self) -> Address:
        """Of the client."""
        if self.peer is None:
            host, port, *_ = self.socket.getpeername()
            self.peer = (host, port)
        return self.peer
