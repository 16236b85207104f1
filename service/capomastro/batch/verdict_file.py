"""The file of verdicts: always the beginning of the whole answer, so that an interrupted run can go on.

Whatever ends a run, the file holds whole verdicts and at most the beginning of another. The next run cuts that off,
finds each verdict's record again, and goes on with the first one that has none.
"""

import fcntl
import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Self

from capomastro.adjudicator import Answer
from capomastro.archive import Terms
from capomastro.batch.judging import asked, digest
from capomastro.batch.sources import Record
from capomastro.documents import json_text
from capomastro.documents.problems import Problem

BEGINNING = b'{"source":"'
"""How every verdict begins."""


class VerdictFile:
    """A file of verdicts, kept by one run at a time."""

    def __init__(self, path: str, restart: bool = False) -> None:
        """Opens the file, or makes it; with `restart` what stood in it goes.

        Raises:
            Problem: `unwritable`, also if another run writes it.
        """
        self.path = path
        try:
            self.descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
        except OSError as error:
            raise self.unwritable(error.strerror) from None
        try:
            self.claim()
        except Problem:
            os.close(self.descriptor)
            raise
        if restart:
            os.ftruncate(self.descriptor, 0)

    def claim(self) -> None:
        """Keeps other runs from writing the file.

        Raises:
            Problem: `unwritable`.
        """
        if not stat.S_ISREG(os.fstat(self.descriptor).st_mode):
            raise self.unwritable("it is no file that could be gone on with")
        try:
            fcntl.flock(self.descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise self.unwritable("another run is writing it") from None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        os.fsync(self.descriptor)
        os.close(self.descriptor)

    def answered(self, records: Iterator[Record], terms: Terms) -> Iterator[Answer]:
        """The verdicts in the file, each on the next of `records`; what is begun and not whole is cut off.

        Afterwards the next verdict can be appended.

        Raises:
            Problem: `other-verdicts` if a verdict is not one on that record, with its text and under these terms.
        """
        question = asked(terms)
        end = 0
        with Path(self.path).open("rb") as file:
            for number, line in enumerate(file, 1):
                if not line.endswith(b"\n"):
                    if not (line.startswith(BEGINNING) or BEGINNING.startswith(line)):
                        raise self.refused(number)
                    break
                verdict = read_verdict(line)
                record = next(records, None)
                if record is None or not belongs(verdict, record, question):
                    raise self.refused(number)
                end += len(line)
                yield verdict
        os.ftruncate(self.descriptor, end)

    def refused(self, number: int) -> Problem:
        detail = (
            f"{self.path} cannot be gone on with: its line {number} is no verdict on the record that stands there now. "
            "The records, the options or the rules are others than before; --restart begins anew."
        )
        return Problem("other-verdicts", detail)

    def append(self, verdicts: Iterable[bytes]) -> None:
        """Adds verdicts; once this has returned, not even the end of this process loses them.

        Raises:
            Problem: `unwritable`.
        """
        left = memoryview(b"".join(verdicts))
        try:
            while left:
                left = left[os.write(self.descriptor, left) :]
        except OSError as error:
            raise self.unwritable(error.strerror) from None

    def unwritable(self, why: str | None) -> Problem:
        return Problem("unwritable", f"{self.path} cannot be written: {why}.")


def belongs(verdict: Answer, record: Record, question: bytes) -> bool:
    """Whether a verdict is one on that record, as it is and as it is to be judged."""
    where = (verdict.get("source"), verdict.get("line"))
    return where == (record.source, record.line.number) and verdict.get("digest") == digest(record, question)


def read_verdict(line: bytes) -> Any:
    """A verdict, or {} if the line is none."""
    try:
        verdict = json_text.decode(line)
    except Problem:
        return {}
    return verdict if isinstance(verdict, dict) else {}
