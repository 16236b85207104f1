"""The file of verdicts: always a prefix of the complete answer, so that an interrupted run can resume.

Whatever ends a run, the file holds complete verdicts and at most one incomplete one. The next run cuts that off,
matches each verdict with its record, and resumes with the first record that has none.
"""

import fcntl
import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Self

from capomastro.archive import Terms
from capomastro.batch.files import path_text, unwritable
from capomastro.batch.judging import KeptVerdict, digest, read_verdict, terms_bytes
from capomastro.batch.sources import Record
from capomastro.documents.problems import Problem
from capomastro.documents.system_errors import reason_of
from capomastro.documents.wordings import phrase

BEGINNING = b'{"source":"'
"""The beginning of every verdict."""


def begins_as_verdicts(content: bytes) -> bool:
    """Whether a file that begins with this content can be one of verdicts: empty, or broken off anywhere."""
    return content.startswith(BEGINNING) or BEGINNING.startswith(content)


class VerdictFile:
    """A file of verdicts, locked by one run at a time."""

    def __init__(self, path: str, restart: bool = False) -> None:
        """Opens or creates the file; `restart` empties it.

        Raises:
            Problem: `unwritable`, for example if another run writes it, or if it holds something other than verdicts.
        """
        self.path = path
        try:
            self.descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
        except OSError as error:
            raise unwritable(self.path, reason_of(error)) from None
        try:
            self.claim()
        except Problem:
            os.close(self.descriptor)
            raise
        if restart:
            os.ftruncate(self.descriptor, 0)

    def claim(self) -> None:
        """Locks the file against other runs.

        Raises:
            Problem: `unwritable`.
        """
        if not stat.S_ISREG(os.fstat(self.descriptor).st_mode):
            raise unwritable(self.path, phrase("not-a-regular-file"))
        if not begins_as_verdicts(os.pread(self.descriptor, len(BEGINNING), 0)):
            raise unwritable(self.path, phrase("no-verdicts"))
        try:
            fcntl.flock(self.descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise unwritable(self.path, phrase("written-by-another")) from None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        os.fsync(self.descriptor)
        os.close(self.descriptor)

    def answered(self, records: Iterator[Record], terms: Terms) -> Iterator[KeptVerdict]:
        """The verdicts in the file, each on the next of `records`; what is begun and not whole is cut off.

        Afterwards the next verdict can be appended.

        Raises:
            Problem: `other-verdicts` if a verdict is not on that record, with its text and under these terms.
        """
        encoded_terms = terms_bytes(terms)
        end = 0
        with Path(self.path).open("rb") as file:
            for number, line in enumerate(file, 1):
                if not line.endswith(b"\n"):
                    if not begins_as_verdicts(line):
                        raise self.refused(number)
                    break
                try:
                    verdict = read_verdict(line)
                except ValueError:
                    raise self.refused(number) from None
                record = next(records, None)
                if record is None or not matches_record(verdict, record, encoded_terms):
                    raise self.refused(number)
                end += len(line)
                yield verdict
        os.ftruncate(self.descriptor, end)

    def refused(self, number: int) -> Problem:
        return Problem("other-verdicts", phrase("cannot-resume-file", file=path_text(self.path), line=number))

    def append(self, verdicts: Iterable[bytes]) -> None:
        """Appends verdicts; once this has returned, they survive the end of the process.

        Raises:
            Problem: `unwritable`.
        """
        left = memoryview(b"".join(verdicts))
        try:
            while left:
                left = left[os.write(self.descriptor, left) :]
        except OSError as error:
            raise unwritable(self.path, reason_of(error)) from None


def matches_record(verdict: KeptVerdict, record: Record, encoded_terms: bytes) -> bool:
    """Whether a verdict is on that record, with its text and under the terms in question."""
    where = (verdict.source, verdict.line)
    return where == (record.source, record.line.number) and verdict.digest == digest(record, encoded_terms)
