"""What waits between one who writes and one who takes: little of it in memory, the rest in a temporary file."""

from collections.abc import Generator
from contextlib import suppress
from tempfile import SpooledTemporaryFile
from threading import Condition

IN_MEMORY = 256 * 1024
"""So many bytes wait in memory; when there are more, they wait in a file."""
PIECE = 64 * 1024
"""So many bytes are taken at once."""


class Abandoned(Exception):
    """Nobody takes any more what is put."""


def new_buffer() -> SpooledTemporaryFile[bytes]:
    return SpooledTemporaryFile(IN_MEMORY)


class Backlog:
    """Bytes that one thread puts and another takes, in the same order.

    Who takes, takes the whole buffer and leaves an empty one: neither waits for the other's disk, and what has been
    taken is off the disk at once. `most_bytes` may wait; whoever puts more has to wait.
    """

    def __init__(self, most_bytes: int) -> None:
        self.most_bytes = most_bytes
        self.buffer = new_buffer()
        self.waiting = 0
        self.ended = False
        self.abandoned = False
        self.changed = Condition()

    def put(self, content: bytes) -> None:
        """Adds something, as soon as there is room.

        Raises:
            Abandoned: if nobody takes it any more.
        """
        with self.changed:
            self.changed.wait_for(lambda: self.abandoned or self.waiting < self.most_bytes)
            if self.abandoned:
                raise Abandoned
            self.buffer.write(content)
            self.waiting += len(content)
            self.changed.notify_all()

    def end(self) -> None:
        """Nothing more will be put."""
        with self.changed:
            self.ended = True
            self.changed.notify_all()

    def abandon(self) -> None:
        """Nothing more will be taken."""
        with self.changed:
            self.abandoned = True
            self.changed.notify_all()
        with suppress(OSError):  # such as of a full disk
            self.buffer.close()

    def taken(self) -> Generator[bytes, None, None]:
        """Everything that is put, as soon as it is there, until the end."""
        while True:
            with self.changed:
                self.changed.wait_for(lambda: self.waiting > 0 or self.ended)
                if self.waiting <= 0:
                    return
                full, self.buffer = self.buffer, new_buffer()
            with full:
                full.seek(0)
                while piece := full.read(PIECE):
                    yield piece
                    self.gone(len(piece))

    def gone(self, count: int) -> None:
        """So many bytes do not wait any more."""
        with self.changed:
            self.waiting -= count
            self.changed.notify_all()
