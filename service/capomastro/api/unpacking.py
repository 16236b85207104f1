"""Decompresses bodies as they arrive (gzip, RFC 1952), in pieces of bounded size, and no bombs."""

import zlib
from collections.abc import Iterator

from capomastro.api.backlog import PIECE_BYTES
from capomastro.documents.problems import Problem
from capomastro.documents.wordings import phrase

GZIP = 16 + zlib.MAX_WBITS
"""What zlib calls the format."""
MOST_TIMES = 100
"""A body may become so many times as long; records become about 20 times as long, bombs 1,000 times."""
FREE_BYTES = 1024 * 1024
"""Bytes that it may become in any case."""


class Unpacker:
    """What is decompressed of a body so far."""

    def __init__(self) -> None:
        self.member = zlib.decompressobj(GZIP)
        self.received = self.unpacked = 0

    @property
    def is_whole(self) -> bool:
        """Whether the body may end here."""
        return self.member.eof or not self.received

    def pieces(self, data: bytes) -> Iterator[bytes]:
        """What comes of more bytes of the body.

        Raises:
            Problem: `bad-request` if they are not gzip; `too-large` if they become much longer than records do.
        """
        self.received += len(data)
        while data:
            if self.member.eof:
                self.member = zlib.decompressobj(GZIP)
            try:
                piece = self.member.decompress(data, PIECE_BYTES)
            except zlib.error:
                raise Problem("bad-request", phrase("damaged-gzip")) from None
            self.unpacked += len(piece)
            if self.unpacked > FREE_BYTES + MOST_TIMES * self.received:
                raise Problem("too-large", phrase("compressed-too-much", times=MOST_TIMES))
            if piece:
                yield piece
            data = self.member.unused_data if self.member.eof else self.member.unconsumed_tail
            if not piece and not self.member.eof and not data:
                return
