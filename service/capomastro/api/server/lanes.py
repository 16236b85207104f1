"""Scheduling: similar requests share a lane, and no lane can take the places of another.

Only one thread of a process uses the lanes, so nothing is locked.
"""

from collections import deque
from typing import Generic, TypeVar

J = TypeVar("J")


class Lane(Generic[J]):
    """Jobs of one kind: as many run as there are places, the others wait in order."""

    def __init__(self, name: str, places: int) -> None:
        self.name = name
        self.places = places
        self.taken = 0
        self.waiting: deque[J] = deque()

    def __repr__(self) -> str:
        return f"{self.name} {self.taken}/{self.places}+{len(self.waiting)}"

    @property
    def has_room(self) -> bool:
        return self.taken < self.places

    def next(self) -> J | None:
        """The next job to begin, which takes a place; None if no place is free or no job waits."""
        if not self.has_room or not self.waiting:
            return None
        self.taken += 1
        return self.waiting.popleft()

    def leave(self) -> None:
        """Frees a place."""
        self.taken -= 1

    def move(self, other: "Lane[J]") -> bool:
        """Moves a running job to another lane, if there is room, which frees its place here."""
        if not other.has_room:
            return False
        self.taken -= 1
        other.taken += 1
        return True
