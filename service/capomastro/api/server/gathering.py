"""A request as it arrives: bytes are fed as they come, nothing blocks.

gunicorn's push parser does the parsing; this module handles its results and limits how much is kept.
"""

import re
from collections.abc import Callable
from functools import partial
from io import BytesIO
from tempfile import TemporaryFile
from typing import IO, Any

from gunicorn.asgi.parser import (
    InvalidHTTPVersion,
    LimitRequestHeaders,
    LimitRequestLine,
    ParseError,
    PythonProtocol,
    UnsupportedTransferCoding,
)

from capomastro.api.bodies import too_large
from capomastro.api.reception import Reading
from capomastro.api.server.heads import Head
from capomastro.documents.problems import Problem
from capomastro.documents.wordings import phrase

IN_MEMORY = 64 * 1024
"""Maximum number of bytes of a body in memory; longer bodies go into a file."""
LONGEST_HEAD = 32 * 1024
FRAMING = 8 * 1024
"""Allowance of bytes for chunk framing, beyond the size of the content: chunks of one byte each cost work."""
VERSION = re.compile(r"HTTP/\d\.\d")


class Store:
    """Limits the total size of bodies in files; refuses more."""

    def __init__(self, maximum_bytes: int) -> None:
        self.maximum_bytes = maximum_bytes
        self.kept = 0

    def keep(self, count: int) -> None:
        if self.kept + count > self.maximum_bytes:
            raise Problem("busy", partial(phrase, "too-much-arriving"))
        self.kept += count

    def release(self, count: int) -> None:
        self.kept -= count


class Gathering:
    """A request on a connection."""

    def __init__(self, decide: Callable[[Head], Reading], store: Store) -> None:
        self.decide = decide
        self.store = store
        self.head: Head | None = None
        self.reading = Reading()
        self.received = 0
        """Bytes received of the head or, once that is complete, of the body including framing."""
        self.length = 0
        """Bytes of the body."""
        self.in_file = 0
        self.body: IO[bytes] = BytesIO()
        self.fields: list[tuple[bytes, bytes]] = []
        self.parser = PythonProtocol(
            on_header=lambda name, value: self.fields.append((name, value)),
            on_headers_complete=self.begin_body,
            on_body=self.add,
        )

    @property
    def has_head(self) -> bool:
        return self.head is not None

    @property
    def has_begun(self) -> bool:
        return self.received > 0 or self.has_head

    @property
    def is_complete(self) -> bool:
        """Whether everything that is to be gathered has arrived."""
        return self.parser.is_complete

    def feed(self, content: bytes) -> None:
        """Takes received bytes; those beyond the request stay for the next one.

        Raises:
            Problem: if it is not a request that can be answered.
        """
        if not self.has_head and self.received + len(content) > LONGEST_HEAD:
            content = self.parse_longest_head(content)
        self.parse(content)
        if self.has_head and not self.is_complete and self.received > 2 * self.length + FRAMING:
            raise Problem("bad-request", partial(phrase, "chunks-too-small"))

    def parse_longest_head(self, content: bytes) -> bytes:
        """Parses at most as much as a head may have; returns the rest if the head is complete."""
        room = LONGEST_HEAD - self.received
        self.parse(content[:room])
        if not self.has_head:
            raise Problem("headers-too-large", partial(phrase, "header-bytes", bytes=LONGEST_HEAD))
        return content[room:]

    def parse(self, content: bytes) -> None:
        self.received += len(content)
        try:
            self.parser.feed(content)
        except ParseError as error:
            raise refusal(error, self.head is not None) from None

    def rest(self) -> bytes:
        """The bytes after the request; or after its head, if its body is not gathered."""
        rest: bytes = self.parser.remaining()
        return rest

    def begin_body(self) -> bool:
        """Called when the head is complete; returns whether the parser should skip the body."""
        parser: Any = self.parser  # known by now
        head = Head(parser.method.decode("latin-1"), parser.path.decode("latin-1"), parser.http_version, self.fields)
        self.head = head
        head.check()
        self.received = 0
        self.reading = self.decide(head)
        return self.reading.stream or self.reading.leave

    def add(self, piece: bytes) -> None:
        """Called with each piece of the body."""
        self.length += len(piece)
        self.received = max(self.received, self.length)
        if self.length > self.reading.maximum_bytes:
            raise too_large(self.reading.maximum_bytes)
        if self.length > IN_MEMORY:
            if not self.in_file:
                self.move_to_file()
            self.keep(len(piece))
        self.body.write(piece)

    def move_to_file(self) -> None:
        arrived = self.body.getvalue() if isinstance(self.body, BytesIO) else b""
        self.keep(len(arrived))
        self.body = TemporaryFile()  # noqa: SIM115 - closed with the request
        self.body.write(arrived)

    def keep(self, count: int) -> None:
        self.store.keep(count)
        self.in_file += count

    def close(self) -> None:
        """Releases everything."""
        self.body.close()
        self.store.release(self.in_file)
        self.in_file = 0


def refusal(error: ParseError, in_body: bool) -> Problem:
    """The problem of a request that the parser cannot read."""
    if isinstance(error, LimitRequestLine):
        return Problem("uri-too-long", partial(phrase, "request-line"))
    if isinstance(error, LimitRequestHeaders):
        return Problem("headers-too-large", partial(phrase, "header-fields"))
    if isinstance(error, UnsupportedTransferCoding):
        return Problem("not-implemented", partial(phrase, "transfer-encoding"))
    if isinstance(error, InvalidHTTPVersion) and VERSION.fullmatch(str(error)):
        return Problem("http-version", partial(phrase, "http-versions"))
    if in_body:
        return Problem("bad-request", partial(phrase, "body-incomplete"))
    return Problem("bad-request", partial(phrase, "header-malformed"))
