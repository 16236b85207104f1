"""Archives of recorded games for tests: short games of all kinds, repeated, some of them spoilt."""

import json
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import cycle, islice
from pathlib import Path
from typing import Any

from capomastro.archive import Line, Terms
from capomastro.batch.judging import judge
from capomastro.batch.sources import Record
from capomastro.documents.languages import current_language
from tests.support.recorded import record_files

SHORTEST = 12


@cache
def short_games() -> Sequence[dict[str, Any]]:
    """Some of the shortest recorded games of every title."""
    by_size = sorted(record_files(), key=lambda file: file.stat().st_size)
    per_game: dict[str, list[dict[str, Any]]] = {}
    for file in by_size:
        document = json.loads(file.read_bytes())
        per_game.setdefault(document["game"], []).append(document)
    return [document for documents in per_game.values() for document in documents[: SHORTEST // len(per_game)]]


def archive_lines(number: int) -> Iterator[bytes]:
    """Lines with different records: every seventh continues after the end, every eleventh is not JSON."""
    for index, document in enumerate(islice(cycle(short_games()), number), 1):
        moves = [*document["moves"], document["moves"][-1]] if index % 7 == 0 else document["moves"]
        text = json.dumps({**document, "id": f"game-{index}", "moves": moves}).encode()
        yield text[:-20].strip() if index % 11 == 0 else text


def write_archive(file: Path, number: int) -> Path:
    """A file with `count` records, one per line."""
    file.write_bytes(b"".join(line + b"\n" for line in archive_lines(number)))
    return file


def expected(source: str, texts: Sequence[bytes]) -> bytes:
    """The expected file of verdicts, with each record judged by itself in this process."""
    return expected_in(current_language(), source, tuple(texts))


@cache
def expected_in(language: str, source: str, texts: Sequence[bytes]) -> bytes:
    """The same, with sentences in the current `language`: judging the archives of several tests takes a while."""
    assert language == current_language()
    records = [Record(source, Line(number, text)) for number, text in enumerate(texts, 1)]
    return b"".join(judge(records, Terms()))
