"""Problems: errors in a request, in a form that HTTP and the command line can both show."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from capomastro.documents.wordings import phrase

MAXIMUM_ERRORS = 100
"""Maximum number of errors reported for a request."""


class Problem(Exception):
    """A request that cannot be answered.

    `id` names the kind of problem and leads to its explanation; `detail` is a sentence about this case; `errors` lists
    the places, each with a `pointer` (RFC 6901) into the request, a `message`, and a `rule` if one is broken. `detail`
    can be a function, which is called when it is read: for problems found before the reader's language is known.
    `retry_seconds` says when the same request may be answered.
    """

    def __init__(
        self,
        id: str,
        detail: str | Callable[[], str],
        errors: Sequence[dict[str, Any]] = (),
        *,
        retry_seconds: int | None = None,
        **members: Any,
    ) -> None:
        super().__init__(id)
        self.id = id
        self._detail = detail
        self.errors = list(errors)
        self.retry_seconds = retry_seconds
        self.members = members

    @property
    def detail(self) -> str:
        return self._detail if isinstance(self._detail, str) else self._detail()

    def __str__(self) -> str:
        """The sentence, then each error with its place."""
        return "\n".join([self.detail, *map(line_of, self.errors)])

    def __reduce__(self) -> tuple[Callable[..., "Problem"], tuple[Any, ...]]:
        """How it reaches another process: with its sentence in the language of this one."""
        return partial(Problem, **self.members), (self.id, self.detail, self.errors)

    def document(self) -> dict[str, Any]:
        """The problem as part of an answer, without the text of its page (`GET /v1/problems/{problem}`)."""
        document: dict[str, Any] = {"problem": self.id, "detail": self.detail}
        return {**document, "errors": self.errors} if self.errors else document


def line_of(error: Mapping[str, Any]) -> str:
    """An error as one line: its place and its message."""
    where = f"{error['line']}:{error['column']}" if "line" in error else error.get("pointer")
    rule = f" [{error['rule']}]" if "rule" in error else ""
    return f"  {where}: {error['message']}{rule}" if where else f"  {error['message']}{rule}"


def too_many_moves(count: int, most: int, pointer: str, **place: int) -> Problem:
    """The problem of a request or record with too many moves; `place` is line and column in text notation."""
    error = {"pointer": pointer, "message": f"has {count} moves, at most {most} allowed", **place}
    return Problem("envelope", phrase("too-many-moves"), [error])
