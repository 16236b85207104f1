"""What a run has found in an archive, record by record: faults in order and by kind, and games that occur twice.

It is kept in a temporary database, since there may be a million records; SQLite deletes its file with the connection.
"""

import sqlite3
from collections.abc import Iterator
from typing import NamedTuple, Self

import msgspec
from msgspec import UNSET

from capomastro.batch.judging import KeptVerdict, read_verdict

WAITING_ROWS = 1_000
"""Rows that are written together."""

TABLE = """
CREATE TABLE record (
    part INTEGER, number INTEGER, source TEXT, line INTEGER, id TEXT,
    digest TEXT, moves_hash TEXT, verdict TEXT, reason TEXT, fault BLOB,
    PRIMARY KEY (part, number)
) WITHOUT ROWID
"""
REPEATED = """
SELECT source, line, id, same_text > 1, CASE WHEN same_text > 1 THEN text_source ELSE moves_source END,
    CASE WHEN same_text > 1 THEN text_line ELSE moves_line END
FROM (
    SELECT *, row_number() OVER text AS same_text, row_number() OVER moves AS same_moves,
        first_value(source) OVER text AS text_source, first_value(line) OVER text AS text_line,
        first_value(source) OVER moves AS moves_source, first_value(line) OVER moves AS moves_line
    FROM record WHERE moves_hash IS NOT NULL
    WINDOW text AS (PARTITION BY digest ORDER BY part, number),
        moves AS (PARTITION BY moves_hash ORDER BY part, number)
) WHERE same_text > 1 OR same_moves > 1 ORDER BY part, number
"""
"""Each record whose text, or at least whose moves, an earlier record has, and the first that has them."""


class FaultKind(NamedTuple):
    """A kind of faults: the verdict, and the rule broken or the problem; `reason` is "" for a wrong result."""

    verdict: str
    reason: str
    records: int


class Repeated(NamedTuple):
    """A record of a game that an earlier record holds too: with the same text, or at least with the same moves."""

    source: str
    line: int
    id: str | None
    same_text: bool
    first_source: str
    first_line: int


class Digests:
    """Which digests have come before, kept in a temporary database so that memory does not grow with their number."""

    def __init__(self) -> None:
        self.database = sqlite3.connect("", isolation_level=None)
        self.database.execute("PRAGMA journal_mode = OFF")
        self.database.execute("CREATE TABLE digest (digest TEXT PRIMARY KEY) WITHOUT ROWID")

    def add(self, digest: str) -> bool:
        """Adds a digest; returns whether it is new."""
        return self.database.execute("INSERT OR IGNORE INTO digest VALUES (?)", (digest,)).rowcount == 1


class Findings:
    """The records of a run, in their order even if parts of the archive are judged in any order."""

    def __init__(self) -> None:
        self.database = sqlite3.connect("", isolation_level=None)
        self.database.execute("PRAGMA journal_mode = OFF")
        self.database.execute(TABLE)
        self.waiting: list[tuple[object, ...]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.database.close()

    def add(self, part: int, number: int, verdict: KeptVerdict, is_fault: bool) -> None:
        """Adds the verdict on the record with that `number` in a part of the archive."""
        label = None if verdict.id is UNSET else verdict.id
        played = None if verdict.moves_hash is UNSET else verdict.moves_hash
        fault = msgspec.json.encode(verdict) if is_fault else None
        place = (part, number, verdict.source, verdict.line, label)
        self.waiting.append((*place, verdict.digest, played, verdict.verdict, verdict.reason, fault))
        if len(self.waiting) >= WAITING_ROWS:
            self.write()

    def write(self) -> None:
        self.database.execute("BEGIN")
        self.database.executemany("INSERT INTO record VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", self.waiting)
        self.database.execute("COMMIT")
        self.waiting.clear()

    def faults(self, kind: FaultKind | None = None, most: int = -1) -> Iterator[KeptVerdict]:
        """The records with a fault in their order, all of them or those of one kind; `most` limits their number."""
        self.write()
        of_kind = "" if kind is None else "AND verdict = ? AND reason = ?"
        query = f"SELECT fault FROM record WHERE fault IS NOT NULL {of_kind} ORDER BY part, number LIMIT ?"  # noqa: S608
        for (fault,) in self.database.execute(query, (*(kind or ())[:2], most)):
            yield read_verdict(fault)

    def kinds(self) -> list[FaultKind]:
        """The kinds of faults, most frequent first."""
        self.write()
        query = """
            SELECT verdict, reason, count(*) AS records FROM record WHERE fault IS NOT NULL
            GROUP BY verdict, reason ORDER BY records DESC, verdict, reason
        """
        return [FaultKind(*row) for row in self.database.execute(query)]

    def repeated(self) -> Iterator[Repeated]:
        """The records of games that an earlier record holds too, in their order."""
        self.write()
        for source, line, id, same_text, *first in self.database.execute(REPEATED):
            yield Repeated(source, line, id, bool(same_text), *first)

    def count_repeated(self) -> int:
        self.write()
        query = "SELECT count(moves_hash) - count(DISTINCT moves_hash) FROM record"
        return int(self.database.execute(query).fetchone()[0])
