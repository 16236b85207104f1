"""A connection: the request being read, the response being sent, and its phase and deadline.

Bytes are fed as they come, and nothing blocks; what is kept of a request is limited.
"""

import enum
import select
import socket
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from io import BytesIO
from itertools import islice
from tempfile import TemporaryFile
from typing import IO, Any

from capomastro.worker.behaviour import BodyHandling
from capomastro.worker.parsing import Address, ChunkDecoder, HeadParser, RequestHead
from capomastro.worker.refusals import Refusal

MAXIMUM_IN_MEMORY = 64 * 1024
"""Maximum number of bytes of a body in memory; longer bodies go into a file."""
FRAMING_ALLOWANCE = 8 * 1024
"""Allowance of bytes for chunk framing, beyond the size of the content: chunks of one byte each cost work."""
MAXIMUM_CHUNKS = 20_000
"""Maximum number of chunks of a body; pieces between empty lines count as well."""


class SpoolQuota:
    """Limits the total size of the bodies in temporary files."""

    def __init__(self, maximum_bytes: int) -> None:
        self.maximum_bytes = maximum_bytes
        self.used = 0

    def reserve(self, count: int) -> None:
        """Reserves bytes.

        Raises:
            Refusal: if too few are left.
        """
        if self.used + count > self.maximum_bytes:
            raise Refusal("too-much-arriving")
        self.used += count

    def release(self, count: int) -> None:
        self.used -= count


class RequestReader:
    """Reads one request from the bytes of a connection."""

    def __init__(self, body_handling: Callable[[RequestHead], BodyHandling], quota: SpoolQuota) -> None:
        self.handling_of = body_handling
        self.quota = quota
        self.parser = HeadParser()
        self.head: RequestHead | None = None
        self.body_handling = BodyHandling()
        self.has_begun = False
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

    @property
    def parses(self) -> bool:
        """Whether what arrives now is parsed, not just kept."""
        return self.head is None or self.chunks is not None

    def feed(self, content: bytes) -> None:
        """Takes received bytes; those beyond the request stay for the next one.

        Raises:
            Refusal: if it is not a request that can be answered.
            OSError: if there is no room for its body.
        """
        self.has_begun = True
        if self.head is None:
            rest = self.parser.feed(content)
            if rest is None:
                return
            self.begin_body()
            content = rest
        if self.is_complete:
            self.rest += content
        elif self.chunks is not None:
            self.read_chunks(content)
        else:
            self.read_part(content)
        if self.is_complete and self.spooled:
            self.body.flush()  # the last bytes, for which the disk may have no room

    def begin_body(self) -> None:
        """Called when the head is complete: decides what is read of the body."""
        parser = self.parser
        head = RequestHead(parser.method, parser.target.decode("latin-1"), parser.version, parser.fields)
        head.check()
        self.head = head
        self.body_handling = self.handling_of(head)
        self.is_complete = self.body_handling.stream or self.body_handling.skip or not head.has_body
        if head.is_chunked:
            self.chunks = ChunkDecoder()

    def read_part(self, content: bytes) -> None:
        """Reads a part of a body of known length."""
        assert self.head is not None
        missing = (self.head.length or 0) - self.length
        self.received += len(content)
        self.add(content[:missing])
        if len(content) >= missing:
            self.is_complete, self.rest = True, content[missing:]

    def read_chunks(self, content: bytes) -> None:
        """Reads a part of a body in chunks."""
        assert self.chunks is not None
        self.received += len(content)
        rest = self.chunks.feed(content)
        self.add(self.chunks.take())
        if rest is not None:
            self.is_complete, self.rest = True, rest
        elif self.received > 2 * self.length + FRAMING_ALLOWANCE or self.chunks.taken > MAXIMUM_CHUNKS:
            raise Refusal("chunks-too-small")

    def add(self, piece: bytes) -> None:
        """Keeps a piece of the body."""
        self.length += len(piece)
        if self.length > self.body_handling.maximum_bytes:
            raise Refusal("body-bytes", bytes=self.body_handling.maximum_bytes)
        if self.length > MAXIMUM_IN_MEMORY:
            if not self.spooled:
                self.spool()
            self.reserve(len(piece))
        self.body.write(piece)

    def spool(self) -> None:
        """Moves the body from memory to a temporary file."""
        arrived = self.body.getvalue() if isinstance(self.body, BytesIO) else b""
        self.reserve(len(arrived))
        self.body = TemporaryFile()  # noqa: SIM115 - closed with the request
        self.body.write(arrived)

    def reserve(self, count: int) -> None:
        self.quota.reserve(count)
        self.spooled += count

    def close(self) -> None:
        """Releases everything."""
        with suppress(OSError):  # such as a full disk: what was not yet written is not needed any more
            self.body.close()
        self.quota.release(self.spooled)
        self.spooled = 0


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
