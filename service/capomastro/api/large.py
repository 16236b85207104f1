"""Large bodies, and large lines of streams: what takes most memory is done by few threads of a process at once."""

from contextlib import AbstractContextManager, nullcontext
from threading import BoundedSemaphore

LARGE_BYTES = 64 * 1024
"""Number of bytes beyond which a body or a line is large."""


class LargeWork:
    """So many places for large work."""

    def __init__(self, places: int) -> None:
        self.places = BoundedSemaphore(places)

    def place_for(self, size: int) -> AbstractContextManager[object]:
        """Waits for a place if work on so many bytes is large."""
        return self.places if size > LARGE_BYTES else nullcontext()
