"""Decompresses bodies as they arrive (gzip, RFC 1952; zstd, RFC 8878), in pieces of bounded size, and no bombs."""

import sys
import zlib
from collections.abc import Iterator, Mapping
from typing import Any, Protocol

from capomastro.api.backlog import PIECE_BYTES
from capomastro.documents.problems import Problem
from capomastro.documents.wordings import phrase

zstd: Any
try:
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        from backports import zstd
except ImportError:  # the Python for browsers has none
    zstd = None

MOST_TIMES = 100
"""A body may become so many times as long; records become about 20 times as long, bombs 1,000 times."""
FREE_BYTES = 1024 * 1024
"""Bytes that it may become in any case."""


class Member(Protocol):
    """One of the parts, compressed each by itself, that a body consists of."""

    @property
    def eof(self) -> bool:
        """Whether its end has been read."""

    @property
    def is_pending(self) -> bool:
        """Whether more comes of what it has been given already."""

    def decompress(self, data: bytes) -> tuple[bytes, bytes]:
        """A piece that comes of more bytes, and the bytes that are left.

        Raises:
            ValueError: if they are damaged.
        """


class Gzip:
    """A member of gzip."""

    FORMAT = 16 + zlib.MAX_WBITS
    """What zlib calls it."""
    is_pending = False

    def __init__(self) -> None:
        self.inner = zlib.decompressobj(self.FORMAT)

    @property
    def eof(self) -> bool:
        return self.inner.eof

    def decompress(self, data: bytes) -> tuple[bytes, bytes]:
        try:
            piece = self.inner.decompress(data, PIECE_BYTES)
        except zlib.error as error:
            raise ValueError from error
        return piece, self.inner.unused_data if self.eof else self.inner.unconsumed_tail


class Zstandard:
    """A frame of zstd."""

    GREATEST_WINDOW = 23
    """The logarithm of its size: 8 MiB, which RFC 9659 allows a `Content-Encoding`."""

    def __init__(self) -> None:
        self.inner = zstd.ZstdDecompressor(options={zstd.DecompressionParameter.window_log_max: self.GREATEST_WINDOW})

    @property
    def eof(self) -> bool:
        return bool(self.inner.eof)

    @property
    def is_pending(self) -> bool:
        return not self.eof and not self.inner.needs_input

    def decompress(self, data: bytes) -> tuple[bytes, bytes]:
        try:
            piece: bytes = self.inner.decompress(data, PIECE_BYTES)
        except zstd.ZstdError as error:
            raise ValueError from error
        return piece, self.inner.unused_data if self.eof else b""


CODINGS: Mapping[str, type[Gzip] | type[Zstandard]] = {
    "gzip": Gzip,
    "x-gzip": Gzip,
    **({"zstd": Zstandard} if zstd else {}),
}
"""How a body can be compressed, by the name in `Content-Encoding`; x-gzip is gzip (RFC 9110, section 8.4.1.3)."""


class Unpacker:
    """What is decompressed of a body so far."""

    def __init__(self, coding: str) -> None:
        self.coding = coding
        self.member: Member = CODINGS[coding]()
        self.received = self.unpacked = 0

    @property
    def is_whole(self) -> bool:
        """Whether the body may end here."""
        return self.member.eof or not self.received

    def pieces(self, data: bytes) -> Iterator[bytes]:
        """What comes of more bytes of the body.

        Raises:
            Problem: `bad-request` if they are damaged; `too-large` if they become much longer than records do.
        """
        self.received += len(data)
        while data or self.member.is_pending:
            if self.member.eof:
                self.member = CODINGS[self.coding]()
            try:
                piece, data = self.member.decompress(data)
            except ValueError:
                raise Problem("bad-request", phrase("damaged-coding", coding=self.coding)) from None
            self.unpacked += len(piece)
            if self.unpacked > FREE_BYTES + MOST_TIMES * self.received:
                raise Problem("too-large", phrase("compressed-too-much", times=MOST_TIMES))
            if piece:
                yield piece
