"""What the server itself refuses, before the application sees it."""

from typing import Any


class Refusal(Exception):
    """A request is refused for a reason; `facts` are the numbers that belong to it."""

    def __init__(self, reason: str, **facts: Any) -> None:
        super().__init__(reason)
        self.reason = reason
        self.facts = facts
