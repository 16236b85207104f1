"""A buffer between a writing and a reading thread: a little in memory, the rest in a temporary file."""

from collections.abc import Generator
from contextlib import suppress
from tempfile import SpooledTemporaryFile
from threading import Condition

IN_MEMORY = 256 * 1024
"""Maximum number of bytes buffered in memory; beyond that the buffer is a file."""
PIECE_BYTES = 64 * 1024
"""Maximum number of bytes read at once, here and by streams."""


class Abandoned(Exception):
    """The reader has gone."""


def new_buffer() -> SpooledTemporaryFile[bytes]:
    return SpooledTemporaryFile(IN_MEMORY)


class Backlog:
    """Bytes that one thread puts and another drains, in the same order.

    The reader takes the whole buffer and leaves an empty one: neither thread waits for the other's disk, and drained
    bytes leave the disk at once. When `maximum_bytes` are waiting, the writer blocks.
    """

    def __init__(self, maximum_bytes: int) -> None:
        self.maximum_bytes = maximum_bytes
        self.buffer = new_buffer()
        self.waiting = 0
        self.lost = False
        """Whether what waits cannot be read any more, since the disk is full."""
        self.ended = False
        self.abandoned = False
        self.changed = Condition()

    def put(self, content: bytes) -> None:
        """Adds content as soon as there is room.

        Raises:
            Abandoned: if the reader has gone.
            OSError: if it cannot be written; then what waits is lost, and the writer can only end.
        """
        with self.changed:
            self.changed.wait_for(lambda: self.abandoned or self.waiting < self.maximum_bytes)
            if self.abandoned:
                raise Abandoned
            try:
                self.buffer.write(content)
                self.buffer.flush()
            except OSError:
                self.lost = True
                raise
            self.waiting += len(content)
            self.changed.notify_all()

    def end(self) -> None:
        """Called by the writer: nothing more will be put."""
        with self.changed:
            self.ended = True
            self.changed.notify_all()

    def abandon(self) -> None:
        """Called by the reader: nothing more will be drained."""
        with self.changed:
            self.abandoned = True
            self.changed.notify_all()
        with suppress(OSError):  # such as a full disk
            self.buffer.close()

    def drain(self) -> Generator[bytes, None, None]:
        """Yields everything that is put, as soon as it is there, until the end; or until something is lost."""
        while True:
            with self.changed:
                self.changed.wait_for(lambda: (self.waiting > 0 and not self.lost) or self.ended)
                if self.waiting <= 0 or self.lost:
                    return
                full, self.buffer = self.buffer, new_buffer()
            with full:
                full.seek(0)
                while piece := full.read(PIECE_BYTES):
                    yield piece
                    self.release(len(piece))

    def release(self, count: int) -> None:
        """Makes room: `count` bytes no longer wait."""
        with self.changed:
            self.waiting -= count
            self.changed.notify_all()
