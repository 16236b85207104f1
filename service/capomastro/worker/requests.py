"""A request as it arrives: bytes are fed as they come, nothing blocks. Limits what is kept of it."""

from collections.abc import Callable
from contextlib import suppress
from io import BytesIO
from tempfile import TemporaryFile
from typing import IO

from capomastro.worker.behaviour import BodyHandling
from capomastro.worker.heads import RequestHead
from capomastro.worker.parsing import ChunkDecoder, HeadParser
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
