"""What a worker works on, in memory that its master reads when the worker has ended and cannot say so any more."""

from collections.abc import Iterator
from mmap import mmap
from struct import Struct
from time import monotonic
from typing import Any

from capomastro.worker.connections import Connection

PLACE_BYTES = 640
PLACES = 4096
"""Most of them are never used, and so take no memory."""
PARTS = ("request_id", "client", "method", "path")
MOST_OF_A_TEXT = 150
"""Characters that are kept of each part of a request."""
ENTRY = Struct("<BHd")
"""What is done, the number of bytes of the text that follows, and when the request arrived."""
FREE, WAITING, ANSWERING = range(3)
DOING = {WAITING: "waiting", ANSWERING: "answering"}


class Ledger:
    """The requests of one worker, in places of a fixed size. Made before the worker is forked, which alone writes."""

    def __init__(self) -> None:
        self.memory = mmap(-1, 1 + PLACES * PLACE_BYTES)
        self.free = list(range(1, 1 + PLACES * PLACE_BYTES, PLACE_BYTES))[::-1]

    def stop(self) -> None:
        """Records that the worker has been told to end."""
        self.memory[0] = 1

    @property
    def is_stopping(self) -> bool:
        return self.memory[0] == 1

    def enter(self, connection: Connection) -> None:
        """Records the complete request of a connection, which waits; unless no place is free."""
        head = connection.reader.head
        if head is None or connection.place is not None or not self.free:
            return
        connection.place = place = self.free.pop()
        parts = (head.header.get(b"x-request-id", b"").decode("latin-1"), connection.client, head.method, head.path)
        text = "\n".join(part.replace("\n", " ")[:MOST_OF_A_TEXT] for part in parts).encode("ascii", "replace")
        self.memory[place + ENTRY.size : place + ENTRY.size + len(text)] = text
        ENTRY.pack_into(self.memory, place, WAITING, len(text), monotonic())

    def begin(self, connection: Connection) -> None:
        """Records that a request is being answered."""
        if connection.place is not None:
            self.memory[connection.place] = ANSWERING

    def leave(self, connection: Connection) -> None:
        """Records that a request has been answered, or given up."""
        if connection.place is not None:
            self.memory[connection.place] = FREE
            self.free.append(connection.place)
            connection.place = None

    def lost(self) -> Iterator[dict[str, Any]]:
        """The requests that are still there: id, client, method, path, what was done with it, for how many seconds.

        For the master, after the worker has ended.
        """
        for place in self.free:
            state, size, began = ENTRY.unpack_from(self.memory, place)
            if state != FREE:
                text = self.memory[place + ENTRY.size : place + ENTRY.size + size].decode("ascii").split("\n")
                done = {"doing": DOING[state], "seconds": round(monotonic() - began, 3)}
                yield dict(zip(PARTS, text, strict=True)) | done
