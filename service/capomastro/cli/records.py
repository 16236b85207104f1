"""Writes records: in text notation, or in JSON laid out for people."""

import gzip
import os
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from capomastro import adjudicator
from capomastro.batch.files import atomic_writer, resolved, writing
from capomastro.batch.sources import COMPRESSED, holds_lines, holds_notation
from capomastro.documents import json_text, notation
from capomastro.documents.notation import Notated


def record_text(
    record: Mapping[str, Any], as_notation: bool = False, notated: Notated | None = None, by_line: bool = False
) -> str:
    """A record in text notation (`as_notation`), or in JSON: in one line (`by_line`), or a line per member and move.

    If it is `notated`, text keeps its comments.
    """
    if as_notation:
        return notation.written(adjudicator.game_in(record), record, notated.comments if notated else {})
    if by_line:
        return json_text.encode(record).decode() + "\n"
    parts = []
    for name, value in record.items():
        text = json_text.encode(value).decode()
        if name == "moves":
            text = "[\n" + ",\n".join("    " + json_text.encode(move).decode() for move in value) + "\n  ]"
        parts.append(f"  {json_text.encode(name).decode()}: {text}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


class WrittenFile:
    """A file that is being written, whose errors name it: others that occur meanwhile are not of this file."""

    def __init__(self, path: str, file: BinaryIO | gzip.GzipFile) -> None:
        self.path = path
        self.file = file

    def write(self, content: bytes) -> None:
        """Writes more.

        Raises:
            Problem: `unwritable`.
        """
        with writing(self.path):
            self.file.write(content)


@contextmanager
def opened_for_writing(path: str) -> Iterator[WrittenFile]:
    """A file that is written piece by piece, compressed if its name says so; it appears, or changes, as a whole.

    Raises:
        Problem: `unwritable`.
    """
    with ExitStack() as opened:
        with writing(path):
            plain = opened.enter_context(plain_file(path))
            packed = gzip.GzipFile(fileobj=plain, mode="wb", mtime=0) if path.endswith(COMPRESSED) else None
            file = plain if packed is None else opened.enter_context(packed)
        yield WrittenFile(path, file)
        with writing(path):
            opened.close()


def plain_file(path: str) -> AbstractContextManager[BinaryIO]:
    return atomic_writer(path) if can_be_replaced(path) else Path(path).open("wb")


def can_be_replaced(file: str) -> bool:
    """Whether another file can take its place: it may be written, so may its folder, and it is none of `/dev`.

    If `/dev/stdout` leads to a file, the shell that redirected the output goes on writing to that very file.
    """
    target = Path(resolved(file))
    is_new = not target.exists() and not target.is_symlink()  # still a link: in a circle
    may_change = target.is_file() and os.access(target, os.W_OK)
    return not file.startswith("/dev/") and (is_new or may_change) and os.access(target.parent, os.W_OK)


def write(file: str, text: str) -> None:
    """Writes a file, compressed if its name says so.

    Raises:
        Problem: `unwritable`.
    """
    with opened_for_writing(file) as opened:
        opened.write(text.encode())


def write_record(file: str, record: Mapping[str, Any], notated: Notated | None = None) -> None:
    """Writes a record in the form that the name of the file says; one that was `notated` keeps its comments as text.

    Raises:
        Problem: `unwritable`.
    """
    write(file, record_text(record, holds_notation(file), notated, holds_lines(file)))
