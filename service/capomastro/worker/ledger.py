"""What a worker works on, in memory that its master reads when the worker has ended and cannot say so any more."""

from collections.abc import Iterator
from mmap import mmap
from struct import Struct
from time import monotonic
from typing import NamedTuple

PLACE_BYTES = 512
PLACES = 4096
"""Most of them are never used, and so take no memory."""
MOST_OF_A_TEXT = 150
"""Characters that are kept of each part of a request."""
ENTRY = Struct("<BHd")
"""What is done, the number of bytes of the text that follows, and when the request arrived."""
FREE, WAITING, ANSWERING = range(3)
DOING = {WAITING: "waiting", ANSWERING: "answering"}


class LostRequest(NamedTuple):
    """A request that was not answered."""

    request_id: str
    """As its header says; empty if it has none."""
    client: str
    method: str
    path: str
    doing: str
    """What was done with it: `waiting` or `answering`."""
    seconds: float
    """For how long it had been there."""


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

    def enter(self, request_id: str, client: str, method: str, path: str) -> int | None:
        """Records a request that waits; returns its place, if there is one."""
        if not self.free:
            return None
        place = self.free.pop()
        parts = (part.replace("\n", " ")[:MOST_OF_A_TEXT] for part in (request_id, client, method, path))
        text = "\n".join(parts).encode("ascii", "replace")[: PLACE_BYTES - ENTRY.size]
        began = place + ENTRY.size
        self.memory[began : began + len(text)] = text
        ENTRY.pack_into(self.memory, place, WAITING, len(text), monotonic())
        return place

    def begin(self, place: int | None) -> None:
        """Records that a request is being answered."""
        if place is not None:
            self.memory[place] = ANSWERING

    def leave(self, place: int | None) -> None:
        """Records that a request has been answered, or given up."""
        if place is not None:
            self.memory[place] = FREE
            self.free.append(place)

    def lost(self) -> Iterator[LostRequest]:
        """The requests that are still there; for the master, after the worker has ended."""
        for place in self.free:
            state, size, began = ENTRY.unpack_from(self.memory, place)
            if state != FREE:
                start = place + ENTRY.size
                text = self.memory[start : start + size].decode("ascii", "replace")
                request_id, client, method, path = text.split("\n")
                yield LostRequest(request_id, client, method, path, DOING[state], round(monotonic() - began, 3))
