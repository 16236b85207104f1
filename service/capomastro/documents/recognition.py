"""Documents that are known to be sound are recognised by their hash, so that they need not be looked at again.

In the course of a game nearly every state that comes in is one that went out a moment ago. Only hashes are kept, no
document; no answer depends on them, only how soon it is there.
"""

from collections import OrderedDict
from collections.abc import Callable


class RecentHashes:
    """The last hashes that were added, at most `maximum`. Threads may share them."""

    def __init__(self, maximum: int) -> None:
        self.maximum = maximum
        self.noticed: Callable[[bool], None] | None = None
        """Told of every look-up whether the hash was there."""
        self._hashes: OrderedDict[str, None] = OrderedDict()

    def __contains__(self, state_hash: str) -> bool:
        known = state_hash in self._hashes
        if self.noticed is not None:
            self.noticed(known)
        return known

    def add(self, state_hash: str) -> None:
        """Adds a hash; the one that was added first of all goes if there are too many."""
        self._hashes[state_hash] = None
        if len(self._hashes) > self.maximum:
            self._hashes.popitem(last=False)

    def clear(self) -> None:
        """Forgets all of them."""
        self._hashes.clear()
