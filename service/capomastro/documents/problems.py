"""What can be wrong with a request, in a form every skin (HTTP, command line) can show."""

from collections.abc import Sequence
from typing import Any

MAXIMUM_ERRORS = 100
"""Maximum number of errors reported of a request."""


class Problem(Exception):
    """A request that cannot be answered as asked.

    `id` names the kind of problem and resolves to its explanation; `detail` is one sentence about this case; `errors`
    are the places, each with a `pointer` (RFC 6901) into the request and a `message`, and `rule` where one is broken.
    """

    def __init__(self, id: str, detail: str, errors: Sequence[dict[str, Any]] = (), **members: Any) -> None:
        super().__init__(detail)
        self.id = id
        self.detail = detail
        self.errors = list(errors)
        self.members = members

    def document(self) -> dict[str, Any]:
        """The problem as a part of an answer, without what its page says (`GET /v1/problems/{problem}`)."""
        document: dict[str, Any] = {"problem": self.id, "detail": self.detail}
        return {**document, "errors": self.errors} if self.errors else document


def too_many_moves(count: int, most: int, pointer: str, **place: int) -> Problem:
    """A request or record with more moves than are read; `place` in a text: line and column."""
    error = {"pointer": pointer, "message": f"has {count} moves; {most} are the most", **place}
    return Problem("envelope", "Too many moves.", [error])
