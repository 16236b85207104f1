"""Judges records: one line of JSON each, with the place of the record and its digest."""

from collections.abc import Iterable
from hashlib import sha256

import msgspec
from msgspec import UNSET

from capomastro import archive
from capomastro.answers import VerdictOnLine
from capomastro.archive import Line, Terms, unusable
from capomastro.batch.sources import Record, hint_in_file, with_lines_hint
from capomastro.documents import json_text, notation
from capomastro.documents.problems import Problem
from capomastro.documents.wordings import phrase
from capomastro.engine.game import SCHEMA_VERSION
from capomastro.games import all_games

DIGITS = 16
"""Length of a digest: the first hexadecimal digits of a SHA-256."""
NO_TEXT = b"\0unreadable"
"""Digested instead of a record that cannot be read: the reason depends on the language, and digests must not."""


class KeptVerdict(VerdictOnLine, frozen=True, kw_only=True):
    """A verdict in a file, with the source of its record and its digest."""

    source: str
    digest: str


_decoder = msgspec.json.Decoder(KeptVerdict)


def read_verdict(line: bytes) -> KeptVerdict:
    """A verdict in a line of a file.

    Raises:
        ValueError: if the line is not a verdict.
    """
    try:
        return _decoder.decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise ValueError("not a verdict on a record") from error


def terms_bytes(terms: Terms) -> bytes:
    """All that determines the verdict on a record apart from its text: versions and terms."""
    versions = {game.id: game.rules_version for game in all_games().values()}
    return json_text.canonical([SCHEMA_VERSION, versions, terms])


def digest(record: Record, encoded_terms: bytes) -> str:
    """A digest of a record's text and the `terms_bytes`: equal digests, equal verdicts, but for their words."""
    content = NO_TEXT if record.trouble else record.line.text or b""
    return sha256(encoded_terms + b"\n" + content).hexdigest()[:DIGITS]


def judge(records: Iterable[Record], terms: Terms) -> list[bytes]:
    """The verdicts on records."""
    encoded_terms = terms_bytes(terms)
    return [verdict_line(record, verdict(record, terms), encoded_terms) for record in records]


def verdict_line(record: Record, verdict: VerdictOnLine, encoded_terms: bytes) -> bytes:
    """A line of a file of verdicts."""
    members = msgspec.to_builtins(verdict)
    return json_text.encode({"source": record.source, **members, "digest": digest(record, encoded_terms)}) + b"\n"


def verdict(record: Record, terms: Terms) -> VerdictOnLine:
    """The verdict on a record; never raises."""
    if record.trouble:
        return unusable(Problem("unreadable", phrase("record-unreadable", reason=record.trouble)), record.line)
    try:
        return verdict_on_notation(record.line, terms) if record.notated else verdict_on_json(record.line, terms)
    except Problem as problem:
        return unusable(problem, record.line)
    except Exception as error:  # noqa: BLE001 - a fault of ours in one record must not end the archive
        message = f"{type(error).__name__}: {error}"[:200]
        return unusable(Problem("internal", phrase("judge-failed", message=message)), record.line)


def verdict_on_json(line: Line, terms: Terms) -> VerdictOnLine:
    """The verdict on a record in JSON; if it is a whole file that looks like an archive, with a hint."""
    answer = archive.verdict(line, terms)
    if answer.problem == "malformed-json" and answer.detail is not UNSET and line.text is not None:
        return msgspec.structs.replace(answer, detail=with_lines_hint(answer.detail, line.text))
    return answer


def verdict_on_notation(line: Line, terms: Terms) -> VerdictOnLine:
    """The verdict on a record in text notation, with line and column beside pointers."""
    if line.text is None:
        return archive.verdict(line, terms)
    notated = notation.read(line.text, all_games(), terms.maximum_moves, hint_in_file(line.text))
    answer = archive.verdict(Line(line.number, json_text.encode(notated.record)), terms)
    return msgspec.convert(notated.located(answer), VerdictOnLine)


def crashed(record: Record, terms: Terms) -> bytes:
    """The verdict on a record that killed a process."""
    return verdict_line(record, unusable(Problem("internal", phrase("judge-died")), record.line), terms_bytes(terms))
