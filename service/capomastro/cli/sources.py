"""Documents from files: read with a limit, and recognised by what is in them."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from capomastro import adjudicator
from capomastro.adjudicator import AnyGame
from capomastro.documents import json_text
from capomastro.documents.problems import Problem

STANDARD_INPUT = "-"


class Source(NamedTuple):
    """A document, the game it is of, and where in the file it stands ("" if it is the whole file)."""

    game: AnyGame
    document: Any
    at: str


def read(file: str, most_bytes: int) -> Any:
    """The JSON value of a file; "-" is standard input.

    Raises:
        Problem: `unreadable`, `too-large` or `malformed-json`.
    """
    try:
        if file == STANDARD_INPUT:
            text = sys.stdin.buffer.read(most_bytes + 1)
        else:
            with Path(file).open("rb") as opened:
                text = opened.read(most_bytes + 1)
    except OSError as error:
        raise Problem("unreadable", f"The file cannot be read: {error.strerror}.") from None
    if len(text) > most_bytes:
        raise Problem("too-large", f"The file has more than {most_bytes} bytes.")
    if not text.strip():
        raise Problem("malformed-json", "The file is empty.")
    return json_text.decode(text)


def source_of(value: Any, *members: str) -> Source:
    """The document a file holds: bare, or in one of `members` of a request or an answer.

    So what one command answers with `--json` can be given to the next.
    """
    if isinstance(value, dict):
        for member in members:
            if "game" not in value and isinstance(value.get(member), dict):
                return Source(adjudicator.game_in(value[member], f"/{member}"), value[member], f"/{member}")
    return Source(adjudicator.game_in(value, ""), value, "")


def is_record(document: Any) -> bool:
    return isinstance(document, dict) and "moves" in document


def is_state(document: Any) -> bool:
    return isinstance(document, dict) and ("stage" in document or "ply" in document)


def into_file(error: dict[str, Any], member: str, at: str) -> dict[str, Any]:
    """An error or finding whose pointer is into the file, where the document stands at `at`, not into a request."""
    within = f"/{member}"
    pointer = error.get("pointer", "")
    if pointer == within or pointer.startswith(within + "/"):
        return {**error, "pointer": at + pointer[len(within) :]}
    return error


@contextmanager
def pointing(member: str, at: str) -> Iterator[None]:
    """Has the pointers of problems with a request's `member` be into the file, where it stands at `at`."""
    try:
        yield
    except Problem as problem:
        errors = [into_file(error, member, at) for error in problem.errors]
        raise Problem(problem.id, problem.detail, errors) from None
