"""Documents from files: read with a limit, and recognised by what is in them."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from capomastro import adjudicator
from capomastro.batch import files
from capomastro.batch.sources import COMPRESSED, UNREADABLE, Meter, hinted, reason, unpacked
from capomastro.cli.questions import settings
from capomastro.documents import json_text, notation
from capomastro.documents.notation import Notated
from capomastro.documents.pointers import retold
from capomastro.documents.problems import Problem
from capomastro.engine.game import AnyGame
from capomastro.games import all_games


class Source(NamedTuple):
    """A document, the game it is of, and where in the file it stands ("" if it is the whole file).

    `notated` is what it was read from if it was written by hand.
    """

    game: AnyGame
    document: Any
    at: str
    notated: Notated | None = None

    def into_file(self, answer: Any, member: str) -> Any:
        """An answer whose pointers are into the file, not into a request that has the document as `member`."""
        if self.notated is not None:
            return self.notated.located(answer, f"/{member}")
        return retold(answer, f"/{member}", lambda pointer: {"pointer": self.at + pointer})

    @contextmanager
    def pointing(self, member: str) -> Iterator[None]:
        """Has the pointers of problems be into the file."""
        try:
            yield
        except Problem as problem:
            raise Problem(problem.id, problem.detail, self.into_file(problem.errors, member)) from None


def read(file: str, most_bytes: int) -> Any:
    """The JSON value of a file, which may be compressed, or what was written by hand; "-" is standard input.

    Raises:
        Problem: `unreadable`, `too-large`, `malformed-json` or `malformed-notation`.
    """
    try:
        with files.opened(file) as opened:
            text = unpacked(opened, file, Meter()).read(most_bytes + 1)
    except UNREADABLE as error:
        raise Problem("unreadable", f"The file cannot be read: {reason(error)}.") from None
    if len(text) > most_bytes:
        raise Problem("too-large", hinted(f"The file has more than {most_bytes} bytes.", text))
    if not text.strip():
        raise Problem("malformed-json", "The file is empty.")
    if file.removesuffix(COMPRESSED).endswith(notation.SUFFIX) or notation.is_notation(text):
        return notation.read(text, all_games())
    try:
        return json_text.decode(text)
    except Problem as problem:
        raise Problem(problem.id, hinted(problem.detail, text)) from None


def source_of(value: Any, *members: str) -> Source:
    """The document a file holds: bare, or in one of `members` of a request or an answer.

    So what one command answers with `--json` can be given to the next.
    """
    if isinstance(value, Notated):
        return Source(adjudicator.game_in(value.record), value.record, "", value)
    if isinstance(value, dict):
        for member in members:
            if "game" not in value and isinstance(value.get(member), dict):
                return Source(adjudicator.game_in(value[member], f"/{member}"), value[member], f"/{member}")
    return Source(adjudicator.game_in(value, ""), value, "")


def read_source(file: str, *members: str) -> Source:
    """The document of a file, read with the limit of the settings: bare, or in one of `members`."""
    return source_of(read(file, settings().maximum_record_bytes), *members)


def is_record(document: Any) -> bool:
    return isinstance(document, dict) and "moves" in document


def is_state(document: Any) -> bool:
    return isinstance(document, dict) and ("stage" in document or "ply" in document)
