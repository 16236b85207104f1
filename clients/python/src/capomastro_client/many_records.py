"""Records by the thousand: sent some at a time, judged one by one.

A stream of any length could not be sent again. Batches can: what has been answered is not asked again, and an answer
that breaks off is continued with the next record.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import httpx2
import msgspec

from capomastro_client.exchange import Exchange, decoded
from capomastro_client.models import VerdictOnLine
from capomastro_client.problems import UnreachableError

PATH = "/v1/replays"
HEADERS = {"Content-Type": "application/x-ndjson", "Accept": "application/x-ndjson, application/problem+json"}
BATCH_BYTES = 1 << 20
BATCH_LINES = 500


class Batch(NamedTuple):
    """Lines without their ends, and how many there are before."""

    before: int
    lines: list[bytes]


def line(record: object) -> bytes:
    """A record as one line; a text is taken as it is, without its line end.

    Raises:
        ValueError: The text has a line end inside.
    """
    if isinstance(record, str):
        record = record.encode()
    text = record.removesuffix(b"\n").removesuffix(b"\r") if isinstance(record, bytes) else msgspec.json.encode(record)
    if b"\n" in text:
        raise ValueError("a record among many is one line")
    return text


def batches(records: Iterable[object]) -> Iterator[Batch]:
    """All records, some at a time."""
    before, lines, size = 0, list[bytes](), 0
    for record in records:
        lines.append(line(record))
        size += len(lines[-1])
        if len(lines) >= BATCH_LINES or size >= BATCH_BYTES:
            yield Batch(before, lines)
            before, lines, size = before + len(lines), [], 0
    if lines:
        yield Batch(before, lines)


def is_any_left(lines: Iterable[bytes]) -> bool:
    """Whether any line is not blank, as the service sees it: blank ones have no verdict."""
    return any(line.strip() for line in lines)


def replayed(exchange: Exchange, records: Iterable[object], query: Mapping[str, str]) -> Iterator[VerdictOnLine]:
    """The verdicts on all records that are not blank, with the numbers of their lines."""
    for batch in batches(records):
        yield from _judged(exchange, batch, query)


def _judged(exchange: Exchange, batch: Batch, query: Mapping[str, str]) -> Iterator[VerdictOnLine]:
    done = 0
    broken = 0
    while is_any_left(left := batch.lines[done:]):
        before = done
        try:
            with exchange.lines(PATH, b"\n".join([*left, b""]), HEADERS, query) as answer:
                for text in answer:
                    verdict = decoded(text, VerdictOnLine)
                    done = before + verdict.line
                    yield msgspec.structs.replace(verdict, line=batch.before + done)
        except httpx2.TransportError as error:
            reason: Exception | None = error
        else:
            reason = None
        if is_any_left(batch.lines[done:]):
            broken = 1 if done > before else broken + 1
            pause = exchange.retries.pause(broken, None, {})
            if pause is None:
                raise UnreachableError(f"the verdicts end before line {batch.before + done + 1}") from reason
            exchange.sleep(pause)
