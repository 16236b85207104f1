"""Splits an archive into parts that can be judged anywhere and in any order, each with its own file of verdicts.

The plan is stored next to the verdicts: a resumed run judges the same parts, except those already judged. The files of
all parts, concatenated, are the verdicts in the order of the records.
"""

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from hashlib import sha256
from itertools import chain

import msgspec
from msgspec.structs import replace

from capomastro import archive
from capomastro.archive import Terms
from capomastro.batch import files
from capomastro.batch.judging import terms_bytes
from capomastro.batch.sources import CHUNK, Meter, Record, Source, is_plain, lines_between, records_in
from capomastro.batch.verdict_file import BEGINNING, begins_as_verdicts
from capomastro.documents import json_text
from capomastro.documents.problems import Problem
from capomastro.documents.wordings import phrase

PLAN = "plan.json"
PART = re.compile(r"part-[0-9]{5,}\.ndjson")
MINIMUM_PART_BYTES = 64 * 1024
MAXIMUM_PART_BYTES = 16 * 1024 * 1024
PARTS_PER_WORKER = 8
"""Minimum number, if the archive is large enough: when a worker is lost or slow, others can take over its parts."""


class Piece(msgspec.Struct, frozen=True, omit_defaults=True):
    """Records of one source: all of them, or the lines that begin at bytes from `start` to before `stop`."""

    source: Source
    start: int = 0
    stop: int | None = None
    first_line: int = 1

    @property
    def bytes(self) -> int:
        return ((self.source.bytes or 0) if self.stop is None else self.stop) - self.start


Part = list[Piece]


class Plan(msgspec.Struct, frozen=True, rename={"terms_digest": "question"}):
    """How an archive is split; `terms_digest` is that of the versions and terms under which all parts are judged.

    The file calls it `question`, as before: a run can resume after an update of the service.
    """

    terms_digest: str
    sources: list[Source]
    parts: list[Part]


Count = Callable[[Sequence[Piece]], Sequence[int | None]]
"""Counts the lines of ranges as `lines_in` does, wherever that is done best."""
AFTER = b"\n]"
"""Lines that are read after a range: the second belongs to every document over several lines, and begins none."""


def terms_digest(terms: Terms) -> str:
    """The SHA-256 of the versions and terms, in hexadecimal."""
    return sha256(terms_bytes(terms)).hexdigest()


def part_bytes(sources: Iterable[Source], workers: int) -> int:
    """The size of parts, in bytes."""
    total = sum(source.bytes or 0 for source in sources)
    return min(MAXIMUM_PART_BYTES, max(MINIMUM_PART_BYTES, total // (workers * PARTS_PER_WORKER)))


def split_into_parts(sources: Sequence[Source], maximum_bytes: int, count: Count) -> list[Part]:
    """Parts of about `maximum_bytes`: splits large plain files, joins small ones, leaves compressed ones whole.

    A document over several lines, which has one verdict, is not split, nor is what follows it.
    """
    pieces = numbered([piece for source in sources for piece in pieces_of(source, maximum_bytes)], count)
    parts: list[Part] = []
    weight = 0
    for piece in pieces:
        if not parts or weight + piece.bytes > maximum_bytes:
            parts.append([])
            weight = 0
        parts[-1].append(piece)
        weight += piece.bytes
    return parts


def pieces_of(source: Source, maximum_bytes: int) -> Iterator[Piece]:
    size = source.bytes or 0
    if not source.by_line or size <= maximum_bytes or not is_plain(source.path):
        yield Piece(source)
        return
    for start in range(0, size, maximum_bytes):
        yield Piece(source, start, min(size, start + maximum_bytes))


def numbered(pieces: Sequence[Piece], count: Count) -> Iterator[Piece]:
    """Pieces with the numbers of their first lines; one that ends within a document goes to the end of its file."""
    ranges = [piece for piece in pieces if piece.stop is not None]
    lines = dict(zip(map(id, ranges), count(ranges), strict=True))
    first_line: int | None = 1
    for piece in pieces:
        if piece.stop is None:
            yield piece
            continue
        if piece.start == 0:
            first_line = 1
        if first_line is None:
            continue
        within = lines[id(piece)]
        stop = piece.source.bytes if within is None else piece.stop
        yield replace(piece, first_line=first_line, stop=stop)
        first_line = None if within is None else first_line + within


def lines_in(piece: Piece, maximum_bytes: int) -> int | None:
    """The number of lines that begin in a range; None if a document over several lines goes on after it.

    `maximum_bytes` of each line are held, as when records are read. A last line without an end is not counted: none
    comes after it.
    """
    assert piece.stop is not None
    with files.opened(piece.source.path) as file:
        file.seek(max(0, piece.start - 1))
        chunks = lines_between(iter(partial(file.read, CHUNK), b""), piece.start, piece.stop)
        (last,) = deque(archive.lines(chain(chunks, [AFTER]), maximum_bytes), maxlen=1)
    return last.number - 2 if last.text == AFTER.strip() else None


def records_of_part(part: Part, maximum_bytes: int) -> Iterator[Record]:
    for piece in part:
        yield from records_in(piece.source, maximum_bytes, Meter(), piece.start, piece.stop, piece.first_line)


# --- files -----------------------------------------------------------------------------------------------------------


def part_file(directory: str, number: int) -> str:
    return files.joined(directory, f"part-{number:05}.ndjson")


def existing_parts(directory: str) -> list[str]:
    """The files of verdicts in a directory; those below it, or behind links, are of other runs."""
    return [file for file in files.files_in(directory) if PART.fullmatch(file.rpartition("/")[2])]


def load_or_make_plan(directory: str, sources: Sequence[Source], terms: Terms, workers: int, count: Count) -> Plan:
    """The plan in a directory; a new one if there is none.

    Raises:
        Problem: `other-verdicts` if the directory belongs to other records or terms.
    """
    file = files.joined(directory, PLAN)
    if files.exists(file):
        plan = read_plan(file)
        if (
            plan is None
            or plan.terms_digest != terms_digest(terms)
            or without_reasons(plan.sources) != without_reasons(sources)
        ):
            raise refused(directory)
        return plan
    if existing_parts(directory):
        raise refused(directory)
    parts = split_into_parts(sources, part_bytes(sources, workers), count)
    plan = Plan(terms_digest(terms), list(sources), parts)
    files.write_atomically(file, json_text.encode(plan))
    return plan


def without_reasons(sources: Iterable[Source]) -> list[Source]:
    """The sources without error texts, which depend on the language: a run may be resumed in another."""
    return [replace(source, trouble="unreadable") if source.trouble else source for source in sources]


def read_plan(file: str) -> Plan | None:
    try:
        return msgspec.json.decode(files.content(file), type=Plan)
    except msgspec.MsgspecError:
        return None


def remove_verdicts(directory: str) -> None:
    """Removes the verdicts in a directory, then the plan, so that an interrupted run can resume either way.

    Raises:
        Problem: `unwritable` if a file has only the name of one with verdicts: it may be a part of an archive.
    """
    parts = existing_parts(directory)
    for part in parts:
        with files.opened(part) as file:
            if not begins_as_verdicts(file.read(len(BEGINNING))):
                raise files.unwritable(part, phrase("no-verdicts"))
    for name in [*parts, files.joined(directory, PLAN)]:
        files.remove(name)


def refused(directory: str) -> Problem:
    return Problem("other-verdicts", phrase("cannot-resume-directory", directory=directory))
