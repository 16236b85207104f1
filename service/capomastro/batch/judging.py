"""Judges records: one line of JSON each, with the place of the record and its digest."""

from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from json import JSONDecodeError, loads
from typing import NamedTuple

import msgspec
from msgspec import UNSET, UnsetType

from capomastro import archive
from capomastro.answers import VerdictOnLine
from capomastro.archive import DIGITS, OTHER_VERSION, UNUSABLE, Line, Terms, unusable
from capomastro.batch.sources import Record, hint_in_file, with_lines_hint
from capomastro.documents import json_text, notation
from capomastro.documents.problems import Problem
from capomastro.documents.wordings import phrase
from capomastro.engine.game import SCHEMA_VERSION
from capomastro.engine.results import ClaimedLine
from capomastro.games import all_games

UNFIT = (UNUSABLE, OTHER_VERSION)
"""The verdicts on records that cannot be judged."""
NO_TEXT = b"\0unreadable"
"""Digested instead of a record that cannot be read: the reason depends on the language, and digests must not."""


class Place(msgspec.Struct, frozen=True):
    """Line and column in a source, from 1."""

    line: int
    column: int


class KeptVerdict(VerdictOnLine, frozen=True, kw_only=True):
    """A verdict in a file, with the source of its record, the place of its first fault, and its digest."""

    source: str
    place: Place | UnsetType = UNSET
    digest: str

    @property
    def first_place(self) -> Place:
        """The place of its first fault; where it begins, if none is known."""
        return Place(self.line, 1) if self.place is UNSET else self.place

    @property
    def reason(self) -> str:
        """What is behind it: the rule that is broken, or the problem."""
        return self.broken_rule or ("" if self.problem is UNSET else self.problem)


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


class Placed(NamedTuple):
    """A verdict, and the place of the first fault that it tells, if there is one."""

    verdict: VerdictOnLine
    place: Place | UnsetType = UNSET


def verdict_line(record: Record, placed: Placed, encoded_terms: bytes) -> bytes:
    """A line of a file of verdicts."""
    place = {} if placed.place is UNSET else {"place": placed.place}
    members = {"source": record.source, **msgspec.to_builtins(placed.verdict), **place}
    return json_text.encode({**members, "digest": digest(record, encoded_terms)}) + b"\n"


def verdict(record: Record, terms: Terms) -> Placed:
    """The verdict on a record, with the place of its first fault; never raises."""
    if record.trouble:
        return Placed(unusable(Problem("unreadable", phrase("record-unreadable", reason=record.trouble)), record.line))
    try:
        return verdict_on_notation(record.line, terms) if record.notated else verdict_on_json(record.line, terms)
    except Exception as error:  # noqa: BLE001 - a fault of ours in one record must not end the archive
        message = f"{type(error).__name__}: {error}"[:200]
        return Placed(unusable(Problem("internal", phrase("judge-failed", message=message)), record.line))


def verdict_on_json(line: Line, terms: Terms) -> Placed:
    """The verdict on a record in JSON; if it is a whole file that looks like an archive, with a hint."""
    answer = archive.verdict(line, terms)
    if line.text is None:
        return Placed(answer)
    if answer.problem == "malformed-json" and not answer.errors:
        detail = UNSET if answer.detail is UNSET else with_lines_hint(answer.detail, line.text)
        return Placed(msgspec.structs.replace(answer, detail=detail), after(line, place_of_malformed(line.text)))
    text = line.text
    place = place_of_fault(answer, lambda pointer: json_text.place_in(text, pointer))
    return Placed(answer, UNSET if place is UNSET else after(line, place))


def after(line: Line, place: Place) -> Place:
    """A place in the source, of a place in the text of a line of it."""
    return Place(line.number + place.line - 1, place.column)


def verdict_on_notation(line: Line, terms: Terms) -> Placed:
    """The verdict on a record in text notation, with line and column beside pointers."""
    if line.text is None:
        return Placed(archive.verdict(line, terms))
    try:
        notated = notation.read(line.text, all_games(), terms.maximum_moves, hint_in_file(line.text))
    except Problem as problem:
        first = next(iter(problem.errors), {"line": 1, "column": 1})
        return Placed(unusable(problem, line), Place(first["line"], first["column"]))
    answer = archive.verdict(Line(line.number, json_text.encode(notated.record)), terms)
    place = place_of_fault(answer, notated.place)
    return Placed(msgspec.convert(notated.located(answer), VerdictOnLine), place)


def place_of_fault(verdict: VerdictOnLine, find: Callable[[str], tuple[int, int]]) -> Place | UnsetType:
    """The place of the first fault of a record, or where it breaks off; `find` finds the place of a JSON Pointer."""
    places = [find(pointer) for pointer in pointers_to_fault(verdict)]
    if not places:
        return UNSET
    return Place(*next((place for place in places if place != find("")), places[0]))


def pointers_to_fault(verdict: VerdictOnLine) -> Sequence[str]:
    """Where the first fault may be in a record: a claimed result is in one of two members."""
    if verdict.first_divergence is not UNSET:
        return [str(verdict.first_divergence.refusal["pointer"])]
    if verdict.errors:
        return [str(verdict.errors[0].get("pointer", ""))]
    if verdict.verdict in UNFIT:
        return [""]
    if verdict.wrong_lines:
        first = claimed_lines_in_order(verdict.wrong_lines)[0]
        return [*([f"/totals/{first.seat}"] if first.what == "total" else []), "/result"]
    if verdict.verdict == "unfinished":
        last = 0 if verdict.plies is UNSET else max(0, verdict.plies - 1)
        return ["/totals", "/result"] if verdict.claimed_result_matches is False else [f"/moves/{last}"]
    return []


def claimed_lines_in_order(lines: Sequence[ClaimedLine]) -> list[ClaimedLine]:
    """Lines of a claim, totals first: they say the most."""
    return sorted(lines, key=lambda line: line.what != "total")


def place_of_malformed(text: bytes) -> Place:
    """Where a text stops being JSON, or UTF-8; its beginning if only the service does not accept it."""
    try:
        loads(text.decode())
    except JSONDecodeError as error:
        return Place(error.lineno, error.colno)
    except UnicodeDecodeError as error:
        return Place(*json_text.line_and_column(text, error.start))
    except RecursionError:
        pass
    return Place(1, 1)


def crashed(record: Record, terms: Terms) -> bytes:
    """The verdict on a record that killed a process."""
    verdict = unusable(Problem("internal", phrase("judge-died")), record.line)
    return verdict_line(record, Placed(verdict), terms_bytes(terms))
