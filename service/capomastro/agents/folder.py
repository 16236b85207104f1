"""A folder that keeps tables as records, one file each, which any tool for records reads."""

import fcntl
import logging
import os
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from capomastro import Position, Problem, Record
from capomastro.agents.keys import new_secret
from capomastro.agents.tables import MAXIMUM_IN_MEMORY
from capomastro.batch.files import write_atomically
from capomastro.documents.wordings import phrase

MAXIMUM_RECORDS = 10_000
"""Maximum number of records in a folder; finished ones can be moved elsewhere."""

LOCKED_FILE = ".secret"
"""The file with the secret of all keys, which a process locks as long as it uses the folder."""

log = logging.getLogger(__name__)


class FolderInUseError(Exception):
    """Another process uses the folder."""


class Folder:
    """Positions as records in a folder; those touched last are in memory, too."""

    def __init__(self, path: Path, most_in_memory: int = MAXIMUM_IN_MEMORY) -> None:
        self.path = path
        self.most_in_memory = most_in_memory
        self.recent: OrderedDict[str, Position] = OrderedDict()

    def file(self, table: str) -> Path:
        return self.path / f"{table}.json"

    def require_room(self) -> None:
        """Raises:
        Problem: `busy`.
        """
        if sum(1 for _ in self.path.glob("*.json")) >= MAXIMUM_RECORDS:
            raise Problem("busy", phrase("too-many-records", most=MAXIMUM_RECORDS))

    def find(self, table: str) -> Position | None:
        """The last position of a table.

        Raises:
            Problem: `not-found` if its record cannot be read. Why not is for the operator only: it may tell of hands.
        """
        if table not in self.recent:
            try:
                self.remember(table, position_in(self.file(table).read_bytes()))
            except FileNotFoundError:
                return None
            except (OSError, Problem) as error:
                reason = error.id if isinstance(error, Problem) else error.strerror
                log.error("%s: %s", self.file(table), reason)  # noqa: TRY400 - nobody needs the traceback
                raise Problem("not-found", phrase("table-unreadable")) from None
        self.recent.move_to_end(table)
        return self.recent[table]

    def keep(self, table: str, position: Position) -> None:
        """Writes the record of a table, as a whole or not at all.

        Raises:
            OSError: if it cannot be written; then the table stays as it was.
        """
        write_atomically(str(self.file(table)), Record.of(position, id=table).json() + b"\n")
        self.remember(table, position)

    def remember(self, table: str, position: Position) -> None:
        self.recent[table] = position
        self.recent.move_to_end(table)
        if len(self.recent) > self.most_in_memory:
            self.recent.popitem(last=False)


def position_in(record: bytes) -> Position:
    """The last position of a record, reached move by move, so that its history can be cut at every move.

    Raises:
        Problem: if it is not the record of a legal game.
    """
    read = Record.from_text(record)
    last = read.start
    for position in read.positions():
        last = position
    return last


@contextmanager
def opened(path: Path) -> Iterator[tuple[Folder, bytes]]:
    """A folder, made if it is missing, and its secret; no other process can use it meanwhile.

    Raises:
        FolderInUseError: if another process does.
        OSError: if it cannot be used.
    """
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor = os.open(path / LOCKED_FILE, os.O_RDWR | os.O_CREAT, 0o600)
    with os.fdopen(descriptor, "r+b") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise FolderInUseError from None
        secret = file.read()
        if not secret:
            secret = new_secret()
            file.write(secret)
            file.flush()
            os.fsync(file.fileno())
        yield Folder(path), secret
