"""Verdicts on records as they go into a file: one line of JSON each, with where the record stands and its digest."""

from collections.abc import Iterable
from hashlib import sha256

from capomastro import archive
from capomastro.adjudicator import Answer
from capomastro.archive import Line, Terms, unusable
from capomastro.batch.sources import Record, hinted
from capomastro.documents import json_text, notation
from capomastro.documents.problems import Problem
from capomastro.engine.game import SCHEMA_VERSION
from capomastro.games import all_games

DIGITS = 16
"""So many hexadecimal digits of a SHA-256 are a digest."""


def asked(terms: Terms) -> bytes:
    """What, besides the text of a record, decides on its verdict: versions and terms."""
    versions = {game.id: game.rules_version for game in all_games().values()}
    return json_text.canonical([SCHEMA_VERSION, versions, terms])


def digest(record: Record, question: bytes) -> str:
    """Stands for a record's text and what is `asked` of it: equal digests, equal verdicts."""
    content = record.trouble.encode("utf-8", "replace") if record.trouble else record.line.text or b""
    return sha256(question + b"\n" + content).hexdigest()[:DIGITS]


def judge(records: Iterable[Record], terms: Terms) -> list[bytes]:
    """The verdicts on records."""
    question = asked(terms)
    return [told(record, verdict(record, terms), question) for record in records]


def told(record: Record, verdict: Answer, question: bytes) -> bytes:
    """A verdict as a line of the file of verdicts."""
    where = {"source": record.source, "line": record.line.number}
    return json_text.encode({**where, **verdict, "digest": digest(record, question)}) + b"\n"


def verdict(record: Record, terms: Terms) -> Answer:
    """What became of a record, whatever happens."""
    if record.trouble:
        return unusable(Problem("unreadable", f"It cannot be read: {record.trouble}."))
    try:
        return verdict_on_notation(record.line, terms) if record.notated else verdict_on_json(record.line, terms)
    except Problem as problem:
        return unusable(problem)
    except Exception as error:  # noqa: BLE001 - a fault of ours in one record must not end the archive
        said = f"{type(error).__name__}: {error}"[:200]
        return unusable(Problem("internal", f"The judge failed; please report it with the record. {said}"))


def verdict_on_json(line: Line, terms: Terms) -> Answer:
    """What became of a record in JSON; the line of an archive, or a whole file that should be an archive perhaps."""
    answer = archive.verdict(line, terms)
    if answer.get("problem") == "malformed-json" and line.text is not None:
        answer["detail"] = hinted(answer["detail"], line.text)
    return answer


def verdict_on_notation(line: Line, terms: Terms) -> Answer:
    """What became of a record in text notation; its pointers are told with line and column."""
    if line.text is None:
        return archive.verdict(line, terms)
    notated = notation.read(line.text, all_games(), terms.most_moves)
    answer: Answer = notated.located(archive.verdict(Line(line.number, json_text.encode(notated.record)), terms))
    return answer


def crashed(record: Record, terms: Terms) -> bytes:
    """The verdict on a record that a process died of."""
    detail = "The process that judged it died over it, for want of memory or by a fault; please report it."
    return told(record, unusable(Problem("internal", detail)), asked(terms))
