"""Sources of recorded games: files with one record or one per line, plain or compressed, and directories."""

import gzip
import zlib
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any, BinaryIO, NamedTuple

import msgspec

from capomastro import archive
from capomastro.archive import Line
from capomastro.batch import files
from capomastro.documents import json_text, notation
from capomastro.documents.problems import Problem
from capomastro.documents.system_errors import reason_of
from capomastro.documents.wordings import phrase
from capomastro.games import all_games

COMPRESSED = ".gz"
COMPRESSED_BEGINNING = b"\x1f\x8b"
"""The first bytes of compressed files (RFC 1952); no text begins with them."""
OTHER_BEGINNINGS = {
    b"BZh": "bzip2",
    b"\xfd7zXZ": "xz",
    b"\x28\xb5\x2f\xfd": "zstd",
    b"PK\x03\x04": "zip",
    b"\xff\xfe": "UTF-16",
    b"\xfe\xff": "UTF-16",
}
"""The first bytes of files in formats that are not read; no record begins with them."""
LONGEST_BEGINNING = max(map(len, OTHER_BEGINNINGS))
BY_LINE = (".ndjson", ".jsonl")
SINGLE = (".json", notation.SUFFIX)
UNREADABLE = (OSError, EOFError, zlib.error)
"""Exceptions raised while a file is read, compressed or not."""

CHUNK = 256 * 1024


class OtherFormat(OSError):
    """A file begins as one in a format that is not read; `name` is the name of the format."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class NotCompressed(OSError):
    """A file is not compressed, although its name says so."""


class Source(msgspec.Struct, frozen=True, omit_defaults=True):
    """A file with records: its name in verdicts, its path, its size (None: unknown) and version.

    `by_line`: it holds one record per line, otherwise a single record. `trouble`: why it cannot be read, if so.
    """

    name: str
    path: str
    by_line: bool = False
    bytes: int | None = 0
    written: str = ""
    trouble: str = ""

    @property
    def notated(self) -> bool:
        return holds_notation(self.path)

    @property
    def can_be_read_again(self) -> bool:
        """Whether it is neither standard input nor a pipe, which have no size."""
        return self.bytes is not None or files.is_url(self.path)


class Record(NamedTuple):
    """A record and its place; `trouble` if it could not be read."""

    source: str
    line: Line
    notated: bool = False
    trouble: str = ""

    def document(self) -> Any:
        """The record in JSON.

        Raises:
            Problem: if its text is none.
        """
        text = self.line.text
        if self.trouble or text is None:
            raise Problem("unreadable", self.trouble)
        return notation.read(text, all_games()).record if self.notated else json_text.decode(text)


class Meter:
    """Counts the bytes read from all sources, before decompression, and the ignored files of directories."""

    def __init__(self) -> None:
        self.read = 0
        self.ignored = 0


class MeteredFile:
    """A file that counts the bytes read from it in a meter."""

    def __init__(self, file: BinaryIO, meter: Meter) -> None:
        self.file = file
        self.meter = meter
        self.ahead = b""

    def peek(self, size: int) -> bytes:
        """Its first bytes; to be called before anything is read, as the file may not be seekable."""
        self.ahead = self.file.read(size)
        return self.ahead

    def read(self, size: int, /) -> bytes:
        ahead, self.ahead = self.ahead[:size], self.ahead[size:]
        data = ahead + self.file.read(size - len(ahead))
        self.meter.read += len(data)
        return data

    def read1(self, size: int, /) -> bytes:
        """What can be had at once, if not all: `read` waits for all of it, and between two parts hears no signal."""
        if self.ahead or not hasattr(self.file, "read1"):
            return self.read(min(size, len(self.ahead) or size))
        data: bytes = self.file.read1(size)
        self.meter.read += len(data)
        return data

    def seek(self, position: int, /) -> int:
        return self.file.seek(position)


# --- finding sources -------------------------------------------------------------------------------------------------


def uncompressed(path: str) -> str:
    return path.removesuffix(COMPRESSED)


def holds_lines(path: str) -> bool:
    return uncompressed(path).endswith(BY_LINE)


def holds_notation(path: str) -> bool:
    return uncompressed(path).endswith(notation.SUFFIX)


def is_archive(path: str) -> bool:
    """Whether a path holds many records: a directory, or a file named like one with a record per line."""
    return holds_lines(path) or files.is_directory(path)


def sources_at(
    paths: Iterable[str], all_by_line: bool = False, except_for: str | None = None, meter: Meter | None = None
) -> Iterator[Source]:
    """The sources at `paths`, those in directories in the order of their names.

    `all_by_line`: all hold one record per line, whatever their names. `except_for`: the place of the verdicts, which
    are not records even if they are in a directory of records. `meter` counts what is ignored.
    """
    meter = meter or Meter()
    for path in paths:
        if not files.is_directory(path):
            yield source_of(path, all_by_line)
            continue
        is_empty = True
        unlisted: list[OSError] = []
        for file in files.files_below(path, unlisted.append):
            if is_at_or_below(file, except_for):
                continue
            if uncompressed(file).endswith((*BY_LINE, *SINGLE)):
                is_empty = False
                yield source_of(file, all_by_line)
            else:
                meter.ignored += 1
        for error in unlisted:
            yield Source(files.path_text(error.filename), error.filename, trouble=reason(error))
        if is_empty and not unlisted:
            yield Source(files.path_text(path), path, trouble=phrase("without-records"))


def is_at_or_below(file: str, place: str | None) -> bool:
    if place is None:
        return False
    file, place = files.resolved(file), files.resolved(place)
    return file == place or file.startswith(place.rstrip("/") + "/")


def source_of(path: str, all_by_line: bool) -> Source:
    """A file as a source; if it cannot be read, its verdict will say so."""
    by_line = all_by_line or holds_lines(path)
    try:
        _, size, written = files.info(path)
    except (OSError, Problem) as error:
        return Source(files.path_text(path), path, by_line, trouble=reason(error))
    return Source(files.path_text(path), path, by_line, size, written)


def reason(error: Exception) -> str:
    """Why a file cannot be read."""
    if isinstance(error, Problem):
        return error.detail
    if isinstance(error, EOFError):
        return phrase("compression-breaks-off")
    if isinstance(error, OtherFormat):
        return phrase("other-encoding" if error.name == "UTF-16" else "other-compression", format=error.name)
    if isinstance(error, NotCompressed):
        return phrase("not-compressed")
    if isinstance(error, zlib.error | gzip.BadGzipFile):
        return phrase("damaged-compression")
    assert isinstance(error, OSError)
    return reason_of(error) or type(error).__name__


# --- reading records -------------------------------------------------------------------------------------------------


def records_of(sources: Iterable[Source], maximum_bytes: int, meter: Meter) -> Iterator[Record]:
    """All records in `sources`, in order."""
    for source in sources:
        yield from records_in(source, maximum_bytes, meter)


def records_in(
    source: Source, maximum_bytes: int, meter: Meter, start: int = 0, stop: int | None = None, first_line: int = 1
) -> Iterator[Record]:
    """The records in a source; if it has one per line and is plain, those that begin at bytes from `start` to `stop`.

    `first_line` is the line number of the first one. If reading fails, the last record has `trouble`, and so has the
    only one of a file without records.
    """
    if source.trouble:
        yield Record(source.name, Line(first_line, b""), trouble=source.trouble)
        return
    line = first_line
    try:
        with files.opened(source.path) as file:
            # a range is one of a plain file, and its first bytes say nothing about the whole
            content = unpacked(file, source.path, meter) if stop is None else MeteredFile(file, meter)
            chunks = chunks_of(content)
            is_empty = start == 0
            if not source.by_line:
                text = without_byte_order_mark(joined(chunks, maximum_bytes))
                notated = source.notated or (text is not None and notation.is_notation(text))
                yield Record(source.name, Line(1, text), notated)
                return
            if stop is not None:
                file.seek(max(0, start - 1))
                chunks = lines_between(chunks, start, stop)
            for found in archive.lines(chunks, maximum_bytes):
                line = found.number + first_line - 1
                text = without_byte_order_mark(found.text) if line == 1 else found.text
                if text != b"":
                    is_empty = False
                    yield Record(source.name, Line(line, text))
                line += 1
            if is_empty and not has_records_after(file, source, stop):
                yield Record(source.name, Line(line, b""), trouble=phrase("without-records"))
    except (*UNREADABLE, Problem) as error:
        yield Record(source.name, Line(line, b""), trouble=reason(error))


def has_records_after(file: BinaryIO, source: Source, stop: int | None) -> bool:
    """Whether a file has records beyond the range that ends at `stop`, which has none."""
    if stop is None or stop >= (source.bytes or 0):
        return False
    file.seek(stop)
    return any(chunk.strip(json_text.WHITE_SPACE.encode()) for chunk in iter(partial(file.read, CHUNK), b""))


def unpacked(file: BinaryIO, path: str, meter: Meter) -> MeteredFile | gzip.GzipFile:
    """The content of a file, decompressed if its name or its first bytes say so.

    Raises:
        NotCompressed, OtherFormat: if it is not what its name says, or what is read here.
    """
    measured = MeteredFile(file, meter)
    beginning = measured.peek(LONGEST_BEGINNING)
    if beginning.startswith(COMPRESSED_BEGINNING):
        return gzip.GzipFile(fileobj=measured)
    for other, name in OTHER_BEGINNINGS.items():
        if beginning.startswith(other):
            raise OtherFormat(name)
    if beginning and path.endswith(COMPRESSED):
        raise NotCompressed
    return measured


def is_plain(path: str) -> bool:
    """Whether a file can be read from its middle on; if it cannot be read at all, its reader will say so."""
    try:
        with files.opened(path) as file:
            return isinstance(unpacked(file, path, Meter()), MeteredFile)
    except OSError:
        return False


def chunks_of(content: MeteredFile | gzip.GzipFile) -> Iterator[bytes]:
    """The content of a file in chunks."""
    while chunk := content.read1(CHUNK):  # everything before the defect in a corrupt file
        yield chunk


def joined(chunks: Iterable[bytes], maximum_bytes: int) -> bytes | None:
    """Joins all chunks; None if they are longer than allowed."""
    pieces: list[bytes] = []
    length = 0
    for chunk in chunks:
        pieces.append(chunk)
        length += len(chunk)
        if length > maximum_bytes:
            return None
    return b"".join(pieces)


def without_byte_order_mark(text: bytes | None) -> bytes | None:
    """The beginning of a file without the byte order mark that some editors write."""
    return text if text is None else text.removeprefix(BOM_UTF8)


def with_lines_hint(detail: str, text: bytes) -> str:
    """The detail of an error in a text that should be one document, with a hint if it looks like one per line."""
    return f"{detail} {phrase('lines-hint')}" if archive.has_lines(text) else detail


def hint_in_file(text: bytes) -> str:
    """What to do with a file that should be in text notation, if it holds JSON."""
    return phrase("lines-hint") if archive.has_lines(text) else phrase("json-in-file")


def lines_between(chunks: Iterable[bytes], start: int, stop: int) -> Iterator[bytes]:
    """The lines that begin at bytes from `start` to before `stop`.

    `chunks` begin with the byte before `start` (or at 0). So every line of a file is in exactly one of the ranges into
    which it is split, wherever these end.
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
