"""A request as it arrives: bytes are fed as they come, nothing blocks.

gunicorn's push parser does the parsing; this module handles its results and limits what is kept.
"""

import re
from collections.abc import Callable
from contextlib import suppress
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
from capomastro.api.body_policy import BodyHandling
from capomastro.api.server.request_head import RequestHead
from capomastro.documents.problems import Problem
from capomastro.documents.wordings import phrase

MAXIMUM_IN_MEMORY = 64 * 1024
"""Maximum number of bytes of a body in memory; longer bodies go into a file."""
MAXIMUM_HEAD_BYTES = 32 * 1024
FRAMING_ALLOWANCE = 8 * 1024
"""Allowance of bytes for chunk framing, beyond the size of the content: chunks of one byte each cost work."""
LENGTH_DIGITS = 20
"""Maximum number of digits of a declared length, enough for 2**64 bytes; Python refuses to read thousands of them."""
VERSION = re.compile(r"HTTP/\d\.\d")


class SpoolQuota:
    """Limits the total size of the bodies in temporary files."""

    def __init__(self, maximum_bytes: int) -> None:
        self.maximum_bytes = maximum_bytes
        self.used = 0

    def reserve(self, count: int) -> None:
        """Reserves bytes.

        Raises:
            Problem: `busy` if too few are left.
        """
        if self.used + count > self.maximum_bytes:
            raise Problem("busy", partial(phrase, "too-much-arriving"))
        self.used += count

    def release(self, count: int) -> None:
        self.used -= count


class RequestReader:
    """Reads one request from the bytes of a connection."""

    def __init__(self, body_policy: Callable[[RequestHead], BodyHandling], quota: SpoolQuota) -> None:
        self.body_policy = body_policy
        self.quota = quota
        self.head: RequestHead | None = None
        self.body_handling = BodyHandling()
        self.received = 0
        """Bytes received of the head or, once that is complete, of the body including framing."""
        self.length = 0
        """Bytes of the body."""
        self.spooled = 0
        self.body: IO[bytes] = BytesIO()
        self.fields: list[tuple[bytes, bytes]] = []
        self.parser = PythonProtocol(
            on_header=self.add_field,
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
        """Whether everything that is to be read has arrived."""
        return self.parser.is_complete

    def feed(self, content: bytes) -> None:
        """Takes received bytes; those beyond the request stay for the next one.

        Raises:
            Problem: if it is not a request that can be answered.
            OSError: if there is no room for its body.
        """
        if not self.has_head and self.received + len(content) > MAXIMUM_HEAD_BYTES:
            content = self.parse_limited_head(content)
        self.parse(content)
        if self.is_complete and self.spooled:
            self.body.flush()  # the last bytes, for which the disk may have no room
        if self.has_head and not self.is_complete and self.received > 2 * self.length + FRAMING_ALLOWANCE:
            raise Problem("bad-request", partial(phrase, "chunks-too-small"))

    def parse_limited_head(self, content: bytes) -> bytes:
        """Parses at most as much as a head may have; returns the rest if the head is complete."""
        room = MAXIMUM_HEAD_BYTES - self.received
        self.parse(content[:room])
        if not self.has_head:
            raise Problem("headers-too-large", partial(phrase, "header-bytes", bytes=MAXIMUM_HEAD_BYTES))
        return content[room:]

    def parse(self, content: bytes) -> None:
        self.received += len(content)
        try:
            self.parser.feed(content)
        except ParseError as error:
            raise refusal(error, self.head is not None) from None

    def rest(self) -> bytes:
        """The bytes after the request; or after its head, if its body is not read here."""
        rest: bytes = self.parser.remaining()
        return rest

    def add_field(self, name: bytes, value: bytes) -> None:
        """Called with each field of the head, before the parser itself reads its value."""
        if name == b"content-length" and len(value) > LENGTH_DIGITS:
            raise malformed_header()
        self.fields.append((name, value))

    def begin_body(self) -> bool:
        """Called when the head is complete; returns whether the parser should skip the body."""
        parser: Any = self.parser  # known by now
        head = RequestHead(
            parser.method.decode("latin-1"), parser.path.decode("latin-1"), parser.http_version, self.fields
        )
        try:
            head.parts  # noqa: B018 - a head whose target cannot be split is not kept: nobody could ask for its path
        except ValueError:
            raise malformed_header() from None
        self.head = head
        head.check()
        self.received = 0
        self.body_handling = self.body_policy(head)
        return self.body_handling.stream or self.body_handling.skip

    def add(self, piece: bytes) -> None:
        """Called with each piece of the body."""
        self.length += len(piece)
        self.received = max(self.received, self.length)
        if self.length > self.body_handling.maximum_bytes:
            raise too_large(self.body_handling.maximum_bytes)
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
    return malformed_header()


def malformed_header() -> Problem:
    return Problem("bad-request", partial(phrase, "header-malformed"))
