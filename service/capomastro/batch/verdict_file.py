"""The file of verdicts: always the beginning of the whole answer, so that an interrupted run can go on.

Whatever ends a run, the file holds whole verdicts and at most the beginning of another. The next run cuts that off,
finds each verdict's record again, and goes on with the first one that has none.
"""

import fcntl
import os
from collections.abc import Iterable, Iterator
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
            self.file = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o666), "r+b")
        except OSError as error:
            raise Problem("unwritable", f"{path} cannot be written: {error.strerror}.") from None
        try:
            fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self.file.close()
            raise Problem("unwritable", f"Another run is writing {path}.") from None
        if restart:
            self.file.truncate(0)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.file.flush()
        os.fsync(self.file.fileno())
        self.file.close()

    def answered(self, records: Iterator[Record], terms: Terms) -> Iterator[Answer]:
        """The verdicts in the file, each on the next of `records`; what is begun and not whole is cut off.

        Afterwards the next verdict can be appended.

        Raises:
            Problem: `other-verdicts` if a verdict is not one on that record, with its text and under these terms.
        """
        question = asked(terms)
        end = 0
        self.file.seek(0)
        for number, line in enumerate(self.file, 1):
            if not line.endswith(b"\n"):
                if not (line.startswith(BEGINNING) or BEGINNING.startswith(line)):
                    raise self.refused(number)
                break
            verdict = read_verdict(line)
            record = next(records, None)
            if record is None or (verdict.get("source"), verdict.get("line"), verdict.get("digest")) != (
                record.source,
                record.line.number,
                digest(record, question),
            ):
                raise self.refused(number)
            end += len(line)
            yield verdict
        self.file.seek(end)
        self.file.truncate()

    def refused(self, number: int) -> Problem:
        detail = (
            f"{self.path} cannot be gone on with: its line {number} is no verdict on the record that stands there now. "
            "The records, the options or the rules are others than before; --restart begins anew."
        )
        return Problem("other-verdicts", detail)

    def append(self, verdicts: Iterable[bytes]) -> None:
        """Adds verdicts; once this has returned, not even the end of this process loses them."""
        self.file.write(b"".join(verdicts))
        self.file.flush()


def read_verdict(line: bytes) -> Any:
    """A verdict, or {} if the line is none."""
    try:
        verdict = json_text.decode(line)
    except Problem:
        return {}
    return verdict if isinstance(verdict, dict) else {}
