"""An archive divided into parts that can be judged anywhere and in any order, each giving a file of verdicts.

The plan stands beside the verdicts: whoever goes on judges the same parts, and those already there are not touched.
All parts one after the other are the verdicts in the order of the records.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import sha256
from typing import NamedTuple

import msgspec

from capomastro.archive import Terms
from capomastro.batch import files
from capomastro.batch.judging import asked
from capomastro.batch.sources import CHUNK, Meter, Record, Source, records_in
from capomastro.documents import json_text
from capomastro.documents.problems import Problem

PLAN = "plan.json"
PART = re.compile(r"part-[0-9]{5,}\.ndjson")
FEWEST_BYTES = 64 * 1024
MOST_BYTES = 16 * 1024 * 1024
PARTS_PER_WORKER = 8
"""So many at least, if the archive is large enough: when a worker is lost or slow, the others have something to do."""


class Piece(msgspec.Struct, frozen=True, omit_defaults=True):
    """Records of one source: all, or the lines that begin at byte `start` or later and before `stop`."""

    source: Source
    start: int = 0
    stop: int | None = None
    first_line: int = 1

    @property
    def bytes(self) -> int:
        return ((self.source.bytes or 0) if self.stop is None else self.stop) - self.start


Part = list[Piece]


class Plan(msgspec.Struct, frozen=True):
    """How an archive is divided; `question` stands for versions and terms, under which all parts have to be judged."""

    question: str
    sources: list[Source]
    parts: list[Part]


class Block(NamedTuple):
    """What has to be known of a range of bytes to number the lines of the next one."""

    newlines: int
    ends_line: bool


Count = Callable[[Sequence[Piece]], Sequence[Block]]
"""Looks at ranges, wherever that is best done."""


def question(terms: Terms) -> str:
    return sha256(asked(terms)).hexdigest()


def part_bytes(sources: Iterable[Source], workers: int) -> int:
    """How many bytes a part should have."""
    total = sum(source.bytes or 0 for source in sources)
    return min(MOST_BYTES, max(FEWEST_BYTES, total // (workers * PARTS_PER_WORKER)))


def divided(sources: Sequence[Source], most_bytes: int, count: Count) -> list[Part]:
    """Parts of about `most_bytes`: large plain files in ranges, small ones together; compressed ones stay whole."""
    pieces = numbered([piece for source in sources for piece in pieces_of(source, most_bytes)], count)
    parts: list[Part] = []
    weight = most_bytes
    for piece in pieces:
        if weight + piece.bytes > most_bytes:
            parts.append([])
            weight = 0
        parts[-1].append(piece)
        weight += piece.bytes
    return parts


def pieces_of(source: Source, most_bytes: int) -> Iterator[Piece]:
    size = source.bytes or 0
    if not source.by_line or source.compressed or size <= most_bytes:
        yield Piece(source)
        return
    for start in range(0, size, most_bytes):
        yield Piece(source, start, min(size, start + most_bytes))


def numbered(pieces: Sequence[Piece], count: Count) -> Iterator[Piece]:
    """Pieces with the numbers of their first lines, which depend on all that stands before them in the file."""
    ranges = [piece for piece in pieces if piece.stop is not None]
    blocks = dict(zip(map(id, ranges), count(ranges), strict=True))
    before, ends_line = 0, True
    for piece in pieces:
        if piece.start == 0:
            before, ends_line = 0, True
        # a line that began in the range before ends in this one, and is no line of this one
        yield msgspec.structs.replace(piece, first_line=before + (1 if ends_line else 2))
        if piece.stop is not None:
            block = blocks[id(piece)]
            before, ends_line = before + block.newlines, block.ends_line


def block_of(piece: Piece) -> Block:
    """Counts the newlines in a range."""
    newlines, last = 0, b""
    left = piece.bytes
    with files.opened(piece.source.path) as file:
        file.seek(piece.start)
        while left and (chunk := file.read(min(CHUNK, left))):
            newlines += chunk.count(b"\n")
            last, left = chunk[-1:], left - len(chunk)
    return Block(newlines, last == b"\n")


def records_of_part(part: Part, most_bytes: int) -> Iterator[Record]:
    for piece in part:
        yield from records_in(piece.source, most_bytes, Meter(), piece.start, piece.stop, piece.first_line)


# --- beside the verdicts ---------------------------------------------------------------------------------------------


def part_file(directory: str, number: int) -> str:
    return files.joined(directory, f"part-{number:05}.ndjson")


def parts_there(directory: str) -> list[str]:
    """The verdicts that are in a directory already."""
    return [file for file in files.files_below(directory) if PART.fullmatch(file.rpartition("/")[2])]


def planned(directory: str, sources: Sequence[Source], terms: Terms, workers: int, count: Count) -> Plan:
    """The plan in a directory; if there is none, a new one.

    Raises:
        Problem: `other-verdicts` if what is there is of other records or of other terms.
    """
    file = files.joined(directory, PLAN)
    if files.exists(file):
        plan = read_plan(file)
        if plan is None or (plan.question, plan.sources) != (question(terms), list(sources)):
            raise refused(directory)
        return plan
    if parts_there(directory):
        raise refused(directory)
    parts = divided(sources, part_bytes(sources, workers), count)
    plan = Plan(question(terms), list(sources), parts)
    files.write_whole(file, json_text.encode(plan))
    return plan


def read_plan(file: str) -> Plan | None:
    try:
        return msgspec.json.decode(files.content(file), type=Plan)
    except msgspec.MsgspecError:
        return None


def forget(directory: str) -> None:
    """Removes the verdicts in a directory, and the plan last: whoever is interrupted here can go on either way."""
    for file in [*parts_there(directory), files.joined(directory, PLAN)]:
        files.remove(file)


def refused(directory: str) -> Problem:
    detail = (
        f"{directory} cannot be gone on with: the records, the options or the rules are others than those of the "
        "verdicts in it; --restart begins anew."
    )
    return Problem("other-verdicts", detail)
