"""Where recorded games come from: files with one record or a record a line, plain or compressed, and directories."""

import gzip
import zlib
from collections.abc import Iterable, Iterator
from typing import BinaryIO, NamedTuple

import msgspec

from capomastro import archive
from capomastro.archive import Line
from capomastro.batch import files
from capomastro.documents import notation
from capomastro.documents.problems import Problem

COMPRESSED = ".gz"
COMPRESSED_BEGINNING = b"\x1f\x8b"
"""What is compressed begins with these bytes (RFC 1952), and no text does."""
BY_LINE = (".ndjson", ".jsonl")
SINGLE = (".json", notation.SUFFIX)
UNREADABLE = (OSError, EOFError, zlib.error)
"""What is raised while a file is read, compressed or not."""

CHUNK = 256 * 1024
LINES_MEANT = "It looks like a record a line; `capomastro replay --lines` reads that."


class Source(msgspec.Struct, frozen=True, omit_defaults=True):
    """A file with records: how verdicts call it, where it lies, what is known of it (None: it has no size).

    `by_line` if it holds a record a line, otherwise it is one; `trouble` is why there is nothing to be read, if so.
    """

    name: str
    path: str
    by_line: bool = False
    bytes: int | None = 0
    written: str = ""
    trouble: str = ""

    @property
    def compressed(self) -> bool:
        """Whether its name says so."""
        return self.path.endswith(COMPRESSED)

    @property
    def notated(self) -> bool:
        return uncompressed(self.path).endswith(notation.SUFFIX)


class Record(NamedTuple):
    """A record and where it stands; `trouble` if it could not be read."""

    source: str
    line: Line
    notated: bool = False
    trouble: str = ""


class Meter:
    """Counts the bytes read from all sources, compressed ones as they lie there."""

    def __init__(self) -> None:
        self.read = 0


class Measured:
    """A file that tells a meter what is read from it."""

    def __init__(self, file: BinaryIO, meter: Meter) -> None:
        self.file = file
        self.meter = meter
        self.ahead = b""

    def begins_with(self, beginning: bytes) -> bool:
        """Whether it does; for a file that cannot be set back, nothing of which has been read."""
        self.ahead = self.file.read(len(beginning))
        return self.ahead == beginning

    def read(self, size: int, /) -> bytes:
        ahead, self.ahead = self.ahead[:size], self.ahead[size:]
        data = ahead + self.file.read(size - len(ahead))
        self.meter.read += len(data)
        return data

    def seek(self, position: int, /) -> int:
        return self.file.seek(position)


# --- finding ---------------------------------------------------------------------------------------------------------


def uncompressed(path: str) -> str:
    return path.removesuffix(COMPRESSED)


def holds_lines(path: str) -> bool:
    return uncompressed(path).endswith(BY_LINE)


def is_archive(path: str) -> bool:
    """Whether a path stands for many records: a directory, or what is called like a file with one a line."""
    return holds_lines(path) or files.is_directory(path)


def listed(paths: Iterable[str], all_by_line: bool = False, besides: str | None = None) -> Iterator[Source]:
    """The sources that `paths` stand for, those in directories in the order of their names.

    `all_by_line`: whatever they are called, they hold a record a line. `besides` is where the verdicts go, which are no
    records even if they lie in a directory of them.
    """
    for path in paths:
        if not files.is_directory(path):
            yield source_of(path, all_by_line)
            continue
        is_empty = True
        for file in files.files_below(path):
            if uncompressed(file).endswith((*BY_LINE, *SINGLE)) and not is_at_or_below(file, besides):
                is_empty = False
                yield source_of(file, all_by_line)
        if is_empty:
            yield Source(files.path_shown(path), path, trouble="no records lie in it")


def is_at_or_below(file: str, place: str | None) -> bool:
    if place is None:
        return False
    file, place = files.resolved(file), files.resolved(place)
    return file == place or file.startswith(place.rstrip("/") + "/")


def source_of(path: str, all_by_line: bool) -> Source:
    """A file as a source; what is wrong with it is said by its verdict."""
    by_line = all_by_line or holds_lines(path)
    try:
        _, size, written = files.found(path)
    except (OSError, Problem) as error:
        return Source(files.path_shown(path), path, by_line, trouble=reason(error))
    return Source(files.path_shown(path), path, by_line, size, written)


def reason(error: Exception) -> str:
    """Why a file cannot be read."""
    if isinstance(error, Problem):
        return error.detail
    said = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return said or type(error).__name__


# --- reading ---------------------------------------------------------------------------------------------------------


def records_of(sources: Iterable[Source], most_bytes: int, meter: Meter) -> Iterator[Record]:
    """All records in `sources`, in order."""
    for source in sources:
        yield from records_in(source, most_bytes, meter)


def records_in(
    source: Source, most_bytes: int, meter: Meter, start: int = 0, stop: int | None = None, first_line: int = 1
) -> Iterator[Record]:
    """The records in a source: of a plain one with a record a line, those that begin from `start` on and before `stop`.

    `first_line` is the number of the first of them. What cannot be read, or not further, is a record with `trouble`.
    """
    if source.trouble:
        yield Record(source.name, Line(first_line, b""), trouble=source.trouble)
        return
    line = first_line
    try:
        with files.opened(source.path) as file:
            chunks = chunks_of(file, source.path, meter)
            if not source.by_line:
                text = whole(chunks, most_bytes)
                notated = source.notated or (text is not None and notation.is_notation(text))
                yield Record(source.name, Line(1, text), notated)
                return
            if stop is not None:
                file.seek(max(0, start - 1))
                chunks = lines_between(chunks, start, stop)
            for found in archive.lines(chunks, most_bytes):
                line = found.number + first_line - 1
                yield Record(source.name, found._replace(number=line))
                line += 1
    except (*UNREADABLE, Problem) as error:
        yield Record(source.name, Line(line, b""), trouble=reason(error))


def unpacked(file: BinaryIO, path: str, meter: Meter) -> Measured | gzip.GzipFile:
    """What is in a file; whether it is compressed is said by its name, of standard input by its first bytes."""
    measured = Measured(file, meter)
    nameless = path == files.STANDARD_INPUT
    compressed = measured.begins_with(COMPRESSED_BEGINNING) if nameless else path.endswith(COMPRESSED)
    return gzip.GzipFile(fileobj=measured) if compressed else measured


def chunks_of(file: BinaryIO, path: str, meter: Meter) -> Iterator[bytes]:
    """The same piece by piece."""
    content = unpacked(file, path, meter)
    # read1: of a file that is torn, all that stands before
    read = content.read1 if isinstance(content, gzip.GzipFile) else content.read
    while chunk := read(CHUNK):
        yield chunk


def whole(chunks: Iterable[bytes], most_bytes: int) -> bytes | None:
    """All of it in one, None if it is longer than allowed."""
    pieces: list[bytes] = []
    length = 0
    for chunk in chunks:
        pieces.append(chunk)
        length += len(chunk)
        if length > most_bytes:
            return None
    return b"".join(pieces)


def hinted(detail: str, text: bytes) -> str:
    """What is wrong with a text that should be one document; if it looks like many, also how those are read."""
    lines = [line for line in text.splitlines() if line.strip()]
    many = len(lines) > 1 and all(line.startswith(b"{") for line in lines)
    return f"{detail} {LINES_MEANT}" if many else detail


def lines_between(chunks: Iterable[bytes], start: int, stop: int) -> Iterator[bytes]:
    """The lines that begin at byte `start` or later and before `stop`.

    `chunks` are those of the file from the byte before `start` on (from 0 on if that is the start): so every line of a
    file is in exactly one of the ranges that it is divided into, wherever these end.
    """
    at = max(0, start - 1)
    inside = start == 0
    for piece in chunks:
        chunk = piece
        if not inside:
            newline = chunk.find(b"\n")
            at += len(chunk) if newline < 0 else newline + 1
            if at >= stop:
                return
            if newline < 0:
                continue
            chunk = chunk[newline + 1 :]
            inside = True
        if at + len(chunk) >= stop:
            end = chunk.find(b"\n", max(0, stop - 1 - at))
            if end >= 0:
                yield chunk[: end + 1]
                return
        yield chunk
        at += len(chunk)
