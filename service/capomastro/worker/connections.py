"""A connection: the request being read, the response being sent, and its phase and deadline.

Bytes are fed as they come, and nothing blocks; what is kept of a request is limited.
"""

import enum
import socket
from collections.abc import Callable
from contextlib import suppress
from io import BytesIO
from math import inf
from tempfile import TemporaryFile
from time import monotonic
from typing import IO, Any

from capomastro.worker.behaviour import BodyHandling, Refusal
from capomastro.worker.parsing import Address, ChunkDecoder, HeadParser, RequestHead

MAXIMUM_IN_MEMORY = 64 * 1024
"""Maximum number of bytes of a body in memory; longer bodies go into a file."""
FRAMING_ALLOWANCE = 8 * 1024
"""Allowance of bytes for chunk framing, beyond the size of the content: chunks of one byte each cost work."""
MAXIMUM_CHUNKS = 20_000
"""Maximum number of chunks of a body; pieces between empty lines count as well."""


class SpoolQuota:
    """How many more bytes of bodies temporary files may hold."""

    def __init__(self, left: int) -> None:
        self.left = left


class RequestReader:
    """Reads one request from the bytes of a connection."""

    def __init__(self, body_handling: Callable[[RequestHead], BodyHandling], quota: SpoolQuota) -> None:
        self.handling_of = body_handling
        self.quota = quota
        self.parser = HeadParser()
        self.head: RequestHead | None = None
        self.body_handling = BodyHandling()
        self.is_complete = False
        """Whether everything that is to be read has arrived."""
        self.received = 0
        """Bytes received of the body, including framing."""
        self.length = 0
        """Bytes of the body."""
        self.spooled = 0
        self.body: IO[bytes] = BytesIO()
        self.chunks: ChunkDecoder | None = None
        self.rest = b""
        """The bytes after the request; or after its head, if its body is not read here."""

    def feed(self, content: bytes) -> None:
        """Takes received bytes; those beyond the request stay for the next one.

        Raises:
            Refusal: if it is not a request that can be answered.
            OSError: if there is no room for its body.
        """
        if self.head is None:
            rest = self.parser.feed(content)
            if rest is None:
                return
            self.head, content = self.parser.head(), rest
            self.body_handling = self.handling_of(self.head)
            self.is_complete = self.body_handling.stream or self.body_handling.skip or not self.head.has_body
            self.chunks = ChunkDecoder() if self.head.is_chunked else None
        if self.is_complete:
            self.rest += content
            return
        self.received += len(content)
        following = self.read_part(content) if self.chunks is None else self.read_chunks(content, self.chunks)
        if following is not None:
            self.is_complete, self.rest = True, following
            if self.spooled:
                self.body.flush()  # the last bytes, for which the disk may have no room

    def read_part(self, content: bytes) -> bytes | None:
        """Reads a part of a body of known length; returns what follows the body."""
        missing = ((self.head and self.head.length) or 0) - self.length
        self.add(content[:missing])
        return content[missing:] if len(content) >= missing else None

    def read_chunks(self, content: bytes, chunks: ChunkDecoder) -> bytes | None:
        """Reads a part of a body in chunks; returns what follows the body."""
        following = chunks.feed(content)
        self.add(chunks.take())
        if following is None and (self.received > 2 * self.length + FRAMING_ALLOWANCE or chunks.taken > MAXIMUM_CHUNKS):
            raise Refusal("chunks-too-small")
        return following

    def add(self, piece: bytes) -> None:
        """Keeps a piece of the body, of a long one in a temporary file."""
        self.length += len(piece)
        if self.length > self.body_handling.maximum_bytes:
            raise Refusal("body-bytes", bytes=self.body_handling.maximum_bytes)
        if self.length > MAXIMUM_IN_MEMORY:
            more = self.length - self.spooled
            if more > self.quota.left:
                raise Refusal("too-much-arriving")
            self.quota.left -= more
            self.spooled = self.length
            if isinstance(self.body, BytesIO):
                arrived, self.body = self.body.getvalue(), TemporaryFile()  # noqa: SIM115 - closed with the request
                self.body.write(arrived)
        self.body.write(piece)

    def close(self) -> None:
        """Releases everything."""
        with suppress(OSError):  # such as a full disk: what was not yet written is not needed any more
            self.body.close()
        self.quota.left += self.spooled
        self.spooled = 0


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


SEND_FLAGS = socket.MSG_DONTWAIT | socket.MSG_NOSIGNAL
CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"


class Connection:
    """One connection of a client."""

    reader: RequestReader
    """The request that is being read, or answered."""

    def __init__(self, accepted: socket.socket, peer: Address) -> None:
        self.socket = accepted
        self.descriptor = accepted.fileno()
        self.peer = peer
        self.begin(Phase.IDLE)
        self.watched = 0
        self.is_ready = False
        """Whether something has happened to it that the loop has yet to handle."""
        self.client = ""
        """The address of the client, as a trusted proxy names it."""
        self.place: int | None = None
        """The place of the request in the ledger."""
        self.owner: str | None = None
        """Who sends the request, if requests of one owner take turns."""
        self.refused: Refusal | None = None
        """Why the server itself refuses the request, if it does."""
        self.queue: Any = None
        self.unsent = bytearray()
        """What is still to be sent. The thread that answers a request fills it, and never waits for the client."""
        self.sent = 0
        """Bytes of the answer that have been sent."""
        self.keep_alive = False
        """Whether to reuse the connection when everything has been sent."""
        self.input_ended = False
        """Whether the client will send nothing more."""
        self.cpu_seconds = 0.0
        """CPU time spent on what belongs to no answered request yet."""

    def begin(self, phase: Phase, seconds: float = inf) -> None:
        """Begins a phase, which may take so many seconds."""
        self.phase = phase
        self.since = monotonic()
        """When the phase began."""
        self.deadline = self.since + seconds

    def take_cpu(self) -> float:
        """The CPU time spent so far, which a request is charged with from now on."""
        spent, self.cpu_seconds = self.cpu_seconds, 0.0
        return spent

    def break_off(self) -> None:
        """Ends a response that cannot be completed."""
        self.keep_alive, self.input_ended = False, True
        self.unsent.clear()

    def sendall(self, content: bytes) -> None:
        """Keeps content to send later."""
        self.unsent += content

    def send(self) -> None:
        """Sends what can be sent without waiting.

        Raises:
            OSError: if the client has gone.
        """
        with suppress(BlockingIOError):
            count = self.socket.send(self.unsent, SEND_FLAGS) if self.unsent else 0
            del self.unsent[:count]
            self.sent += count
