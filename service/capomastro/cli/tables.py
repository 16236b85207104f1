"""The files of a player at a sealed table: their secret, and next to it the last table they saw."""

import os
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

import click
import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from capomastro.batch.files import path_text, unwritable
from capomastro.cli import sources
from capomastro.cli.records import write
from capomastro.cli.shared import settings
from capomastro.documents import json_text
from capomastro.documents.problems import Problem
from capomastro.documents.system_errors import reason_of
from capomastro.documents.wordings import phrase
from capomastro.tables import history
from capomastro.tables.shares import SECRET, lock_of, new_secret
from capomastro.tables.terms import Draws

KEPT_SUFFIX = ".table"
"""The suffix of the file with the last table, after the name of the secret's file."""


# --- what a file has to be --------------------------------------------------------------------------------------------

Seat = Annotated[int, Meta(ge=0)]


class Creation(Struct, frozen=True):
    """What is read of a table's creation."""

    game: str
    players: Annotated[int, Meta(ge=1)]
    locks: list[str]
    draws: Draws
    options: dict[str, Any]
    names: list[str] | UnsetType = UNSET


class Waiting(Struct, frozen=True):
    """What a table waits for."""

    what: Literal["join", "move", "draw", "opening"] = msgspec.field(name="for")
    seats: Annotated[list[Seat], Meta(min_length=1)]


class UnverifiedTable(Struct, frozen=True):
    """What is read of a table, before anybody has said that it is genuine."""

    creation: Creation
    id: str
    commitment: str
    waiting: Waiting
    record: str
    state: dict[str, Any]
    sealed: str


def is_table(value: Any) -> bool:
    """Whether all that is read of a table is there, and fits together; only the service knows whether it is genuine."""
    try:
        table = msgspec.convert(value, UnverifiedTable)
    except msgspec.ValidationError:
        return False
    players, names = table.creation.players, table.creation.names
    everybody = len(table.creation.locks) == players and (names is UNSET or len(names) == players)
    return everybody and max(table.waiting.seats) < players


# --- a player --------------------------------------------------------------------------------------------------------


class Player(NamedTuple):
    """A secret, and the file that keeps the last table its player saw; None if nothing is kept."""

    secret: str
    kept: Path | None

    def seat_at(self, table: dict[str, Any]) -> int:
        """The seat with the lock of this secret.

        Raises:
            Problem: `wrong-secret`.
        """
        locks = table["creation"]["locks"]
        lock = lock_of(self.secret)
        if lock not in locks:
            raise Problem("wrong-secret", phrase("no-lock-of-secret"))
        seat: int = locks.index(lock)
        return seat

    def request_members(self, table: dict[str, Any]) -> dict[str, Any]:
        """The members of every request about a table."""
        return {"table": table, "seat": self.seat_at(table), "secret": self.secret}

    def check(self, table: dict[str, Any]) -> None:
        """Raises `fork` unless a table continues the one that is kept."""
        if self.kept is None or not self.kept.exists():
            return
        kept = read_table(str(self.kept))
        if not history.extends(kept, table):
            same = all(kept[name] == table[name] for name in history.IDENTITY)
            raise Problem("fork", phrase("fork" if same else "secret-of-other-game", kept=path_text(str(self.kept))))

    def keep_next(self, before: dict[str, Any], table: dict[str, Any]) -> None:
        """Stores the table that the service has returned for the one `before`.

        Raises:
            Problem: `fork` unless it continues the kept table: the operator could have started another game.
        """
        if not is_table(table) or not history.extends(before, table):
            raise Problem("fork", phrase("fork-by-service"))
        self.keep(table)

    def keep(self, table: dict[str, Any]) -> None:
        """Stores a table that the service has found genuine."""
        if self.kept is not None:
            write_table(str(self.kept), table)


def load_player(secret_file: str | None) -> Player:
    """The player: the secret comes from a file or a prompt, never from an argument, which others could see.

    Raises:
        Problem: `unreadable`, or `secret` if it is not a secret.
    """
    if secret_file is None:
        return Player(checked(click.prompt(phrase("secret-prompt"), hide_input=True, err=True).strip()), None)
    try:
        text = Path(secret_file).read_text("ascii").strip()
    except (OSError, UnicodeDecodeError):
        raise Problem("unreadable", phrase("secret-unreadable", file=path_text(secret_file))) from None
    return Player(checked(text), Path(secret_file + KEPT_SUFFIX))


def checked(secret: str) -> str:
    if not SECRET.match(secret):
        raise Problem("secret", phrase("no-secret"))
    return secret


def make_secret(file: str) -> str:
    """Writes a new secret into a file that only its owner may read; returns its lock.

    Raises:
        Problem: `unwritable`, for example if the file exists already.
    """
    secret = new_secret()
    try:
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="ascii") as opened:
            opened.write(secret + "\n")
    except OSError as error:
        raise unwritable(file, reason_of(error)) from None
    return lock_of(secret)


def read_table(file: str) -> dict[str, Any]:
    """The table in a file: bare, or in an answer.

    Raises:
        Problem: `shape` if it is not a table; only the service knows whether it is genuine.
    """
    value = sources.read(file, settings().maximum_record_bytes)
    table = value.get("table", value) if isinstance(value, dict) else value
    if not is_table(table):
        raise Problem("shape", phrase("no-sealed-table", file=path_text(file)))
    read: dict[str, Any] = table
    return read


def write_table(file: str, table: dict[str, Any]) -> None:
    write(file, json_text.encode(table).decode() + "\n")
