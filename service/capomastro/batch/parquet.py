"""Games, results and moves as tables in Parquet files, with Arrow schemas (from the extra `archive`)."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from types import TracebackType
from typing import Any, Self

import pyarrow as pa
import pyarrow.parquet as pq

from capomastro.batch import files
from capomastro.batch.statistics import GameRow

ROWS_TOGETHER = 50_000
"""Moves that are held before they are written as a row group."""

KEY = [pa.field("source", pa.string(), nullable=False), pa.field("line", pa.int32(), nullable=False)]
SCHEMAS = {
    "games": pa.schema(
        [
            *KEY,
            pa.field("game", pa.string(), nullable=False),
            pa.field("players", pa.int8(), nullable=False),
            pa.field("rules_version", pa.int32(), nullable=False),
            pa.field("id", pa.string()),
            pa.field("names", pa.list_(pa.string())),
            pa.field("tags", pa.map_(pa.string(), pa.string()), nullable=False),
            pa.field("options", pa.string(), nullable=False),
            pa.field("plies", pa.int32(), nullable=False),
            pa.field("finished", pa.bool_(), nullable=False),
            pa.field("moves_hash", pa.string(), nullable=False),
        ]
    ),
    "results": pa.schema(
        [
            *KEY,
            pa.field("seat", pa.int8(), nullable=False),
            pa.field("name", pa.string()),
            pa.field("points", pa.int32(), nullable=False),
            pa.field("place", pa.int8()),
            pa.field("won", pa.bool_(), nullable=False),
        ]
    ),
    "moves": pa.schema(
        [
            *KEY,
            pa.field("ply", pa.int32(), nullable=False),
            pa.field("decision", pa.string(), nullable=False),
            pa.field("seat", pa.int8()),
            pa.field("type", pa.string(), nullable=False),
            pa.field("legal_moves", pa.int64()),
            pa.field("move", pa.string(), nullable=False),
        ]
    ),
}
"""The columns of each table; `source` and `line` say which game a row belongs to."""


class Tables:
    """The tables of an archive: one file each, which appear as a whole.

    Raises `Problem` (`unwritable`) where they are opened, added to and closed.
    """

    def __init__(self, directory: str, suffix: str = "") -> None:
        """Tables in files such as `games.parquet`; with the `suffix` of a part, `games-00001.parquet`."""
        self.directory = directory
        self.suffix = suffix
        self.rows: dict[str, list[Sequence[Any]]] = {name: [] for name in SCHEMAS}

    def __enter__(self) -> Self:
        self.writers = {}
        with files.writing(self.directory), ExitStack() as opened:
            files.make_directory(self.directory)
            for name, schema in SCHEMAS.items():
                path = files.joined(self.directory, f"{name}{self.suffix}.parquet")
                file = opened.enter_context(files.atomic_writer(path))
                self.writers[name] = opened.enter_context(pq.ParquetWriter(file, schema, compression="zstd"))
            self.stack = opened.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is not None:
            self.stack.__exit__(kind, error, trace)
            return
        with files.writing(self.directory), self.stack:
            self.write()

    def add(self, games: Iterable[GameRow]) -> None:
        """Adds games with their results and moves."""
        for game in games:
            for name, rows in rows_of(game):
                self.rows[name].extend(rows)
        if len(self.rows["moves"]) >= ROWS_TOGETHER:
            with files.writing(self.directory):
                self.write()

    def write(self) -> None:
        for name, rows in self.rows.items():
            if rows:
                schema = SCHEMAS[name]
                by_column = zip(zip(*rows, strict=True), schema, strict=True)
                columns = [pa.array(column, field.type) for column, field in by_column]
                self.writers[name].write_table(pa.Table.from_arrays(columns, schema=schema))
                rows.clear()


def rows_of(game: GameRow) -> Iterator[tuple[str, list[Sequence[Any]]]]:
    """The rows of a game in each table, in the order of its columns."""
    key = (game.source, game.line)
    names: Sequence[str | None] = game.names or [None] * game.players
    tags = list(game.tags.items())
    about = (game.game, game.players, game.rules_version, game.id, game.names, tags, game.options)
    yield "games", [(*key, *about, game.plies, game.finished, game.moves_hash)]
    yield "results", [(*key, seat, names[seat], *rest) for seat, *rest in game.results]
    yield "moves", [(*key, *move) for move in game.moves]
