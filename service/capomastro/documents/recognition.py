"""Recognises sound documents by their hash, so that they need not be checked again.

During a game, nearly every incoming state went out a moment ago. Only hashes are kept, no documents; they affect the
speed of answers, never their content.
"""

from collections import OrderedDict
from collections.abc import Callable


class RecentHashes:
    """The hashes added last, at most `maximum`. Thread-safe."""

    def __init__(self, maximum: int) -> None:
        self.maximum = maximum
        self.on_lookup: Callable[[bool], None] | None = None
        """Called on every look-up, with whether the hash was present."""
        self._hashes: OrderedDict[str, None] = OrderedDict()

    def __contains__(self, state_hash: str) -> bool:
        known = state_hash in self._hashes
        if self.on_lookup is not None:
            self.on_lookup(known)
        return known

    def add(self, state_hash: str) -> None:
        """Adds a hash, and drops the oldest if there are too many."""
        self._hashes[state_hash] = None
        if len(self._hashes) > self.maximum:
            self._hashes.popitem(last=False)

    def clear(self) -> None:
        """Drops all hashes."""
        self._hashes.clear()
