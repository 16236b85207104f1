"""Reads documents from files, up to a limit, and recognises them by their content."""

from codecs import BOM_UTF8
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from msgspec import UNSET

from capomastro import adjudicator
from capomastro.batch import files
from capomastro.batch.sources import UNREADABLE, Meter, hint_in_file, holds_notation, reason, unpacked, with_lines_hint
from capomastro.cli.shared import settings
from capomastro.documents import json_text, notation
from capomastro.documents.notation import Notated
from capomastro.documents.pointers import map_pointers
from capomastro.documents.problems import Problem
from capomastro.documents.wordings import phrase
from capomastro.engine.game import AnyGame
from capomastro.games import all_games


class Source(NamedTuple):
    """A document, its game, and its place in the file ("" if it is the whole file).

    `notated` has the lines and columns if the file is in text notation.
    """

    game: AnyGame
    document: Any
    at: str
    notated: Notated | None = None

    def into_file(self, answer: Any, member: str) -> Any:
        """An answer with pointers into the file instead of pointers into a request with the document as `member`."""
        if self.notated is not None:
            return self.notated.located(answer, f"/{member}")
        return map_pointers(answer, f"/{member}", lambda pointer: {"pointer": self.at + pointer})

    @contextmanager
    def pointing(self, member: str) -> Iterator[None]:
        """Makes the pointers of problems point into the file."""
        try:
            yield
        except Problem as problem:
            raise Problem(problem.id, problem.detail, self.into_file(problem.errors, member)) from None


def read(file: str, maximum_bytes: int) -> Any:
    """The JSON value or text notation in a file, which may be compressed; "-" is standard input.

    Raises:
        Problem: `unreadable`, `too-large`, `malformed-json` or `malformed-notation`.
    """
    try:
        with files.opened(file) as opened:
            text = unpacked(opened, file, Meter()).read(maximum_bytes + 1).removeprefix(BOM_UTF8)
    except UNREADABLE as error:
        raise Problem("unreadable", phrase("unreadable", reason=reason(error))) from None
    if len(text) > maximum_bytes:
        raise Problem("too-large", with_lines_hint(phrase("file-bytes", bytes=maximum_bytes), text))
    if not text.strip(json_text.WHITE_SPACE.encode()):
        raise Problem("malformed-json", phrase("empty-file"))
    if holds_notation(file) or notation.is_notation(text):
        return notation.read(text, all_games(), if_json=hint_in_file(text))
    try:
        return json_text.decode(text)
    except Problem as problem:
        raise Problem(problem.id, with_lines_hint(problem.detail, text), problem.errors) from None


def source_of(value: Any, *members: str) -> Source:
    """The document in a file: bare, or in one of `members` of a request or an answer.

    So the `--json` output of one command can be the input of the next.
    """
    if isinstance(value, Notated):
        return Source(adjudicator.game_in(value.record), value.record, "", value)
    if isinstance(value, dict):
        for member in members:
            if "game" not in value and isinstance(value.get(member), dict):
                return Source(adjudicator.game_in(value[member], f"/{member}"), value[member], f"/{member}")
    return Source(adjudicator.game_in(value, ""), value, "")


def read_source(file: str, *members: str) -> Source:
    """The document in a file, read up to the limit in the settings: bare, or in one of `members`."""
    return source_of(read(file, settings().maximum_record_bytes), *members)


def read_position(file: str) -> Source:
    """The state in a file; of a record its last position.

    Raises:
        Problem: as `read`, and `illegal-move` if a move of the record is.
    """
    source = read_source(file, "state", "record")
    return last_position(source) if is_record(source.document) else source


def last_position(record: Source) -> Source:
    """The state that a record leads to. It is not in the file, so pointers into it are not mapped."""
    with record.pointing("record"):
        replayed = adjudicator.replay(record.game, record.document)
        if replayed.first_divergence is not UNSET:
            divergence = replayed.first_divergence
            detail = phrase("no-last-position", number=divergence.index + 1)
            raise Problem("illegal-move", detail, [divergence.refusal])
    return Source(record.game, json_text.decode(json_text.encode(replayed.state)), "")


def is_record(document: Any) -> bool:
    return isinstance(document, dict) and "moves" in document


def is_state(document: Any) -> bool:
    return isinstance(document, dict) and ("stage" in document or "ply" in document)
