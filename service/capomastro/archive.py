"""Archives: thousands of recorded games, one JSON record per line (NDJSON), with a verdict on each.

A verdict is one word on the record, and what a reader needs to investigate; for states and complete results, replay
the single record (`adjudicator.replay`). No line ends the archive: one that cannot be judged gets a verdict that says
so.
"""

import re
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET, UnsetType

from capomastro import adjudicator
from capomastro.adjudicator.loading import load_record
from capomastro.adjudicator.replays import replay_moves
from capomastro.answers import LONGEST_LABEL, LenientReplay, LenientReplayOnLine, Replay, VerdictOnLine
from capomastro.documents import claims, json_text
from capomastro.documents.problems import Problem, too_many_moves
from capomastro.documents.wordings import phrase
from capomastro.engine.decisions import Decision
from capomastro.engine.game import AnyGame
from capomastro.engine.moves import Move
from capomastro.engine.results import ClaimedLine
from capomastro.games import all_games
from capomastro.settings import Settings

BLANK = b" \t\r"
"""What a line can have before and after its record: with the line feed, the white space of JSON (RFC 8259)."""
UNUSABLE = "unusable"
OTHER_VERSION = "other-version"
DIGITS = 16
"""Length of a digest: the first hexadecimal digits of a SHA-256."""


class Terms(NamedTuple):
    """How to judge records: limits and rules.

    `maximum_bytes` per line, `maximum_moves` per record; `under_current_rules`: accept other rules versions; `repair`:
    how to continue an illegal record ("skip", "correct"; None: not at all).
    """

    maximum_bytes: int = Settings.maximum_record_bytes
    maximum_moves: int = Settings.maximum_moves
    under_current_rules: bool = False
    repair: str | None = None


class Line(NamedTuple):
    """A line of an archive: its number, from 1, and its text; None if it is too long."""

    number: int
    text: bytes | None


def lines(chunks: Iterable[bytes], maximum_bytes: int) -> Iterator[Line]:
    """The lines in `chunks` of bytes, holding at most `maximum_bytes` of each; blank ones are counted but omitted.

    A line ends with a line feed and nothing else; a carriage return before it is a blank. Of a document over several
    lines only the first is among them: it says what is wrong, and the others have no meaning of their own.
    """
    belongs: re.Pattern[bytes] | None = None
    for number, text in cut(chunks, maximum_bytes):
        if belongs is not None:
            if text is None or belongs.match(text):
                continue
            belongs = None
        content = None if text is None else text.strip(BLANK)
        if content != b"":
            yield Line(number, content)
            begun = None if content is None else document_begun(content)
            belongs = None if begun is None else begun.rest


def is_blank(text: bytes) -> bool:
    """Whether a text has nothing but blanks and ends of lines."""
    return not text.strip(BLANK + b"\n")


def cut(chunks: Iterable[bytes], maximum_bytes: int) -> Iterator[tuple[int, bytes | None]]:
    """Every line in `chunks`, with its number; None for one of more than `maximum_bytes`, which is not held.

    Blank lines that fill a chunk are only counted: an endless number of them costs little.
    """
    number = 1
    begun: list[bytes] = []
    length = 0
    for chunk in chunks:
        if length == 0 and len(chunk) <= maximum_bytes and chunk.endswith(b"\n") and is_blank(chunk):
            number += chunk.count(b"\n")
            continue
        *ended, rest = chunk.split(b"\n")
        for piece in ended:
            length += len(piece)
            yield number, b"".join([*begun, piece]) if length <= maximum_bytes else None
            number, begun, length = number + 1, [], 0
        length += len(rest)
        if rest:
            begun.append(rest)
        if length > maximum_bytes:
            begun.clear()
    yield number, b"".join(begun) if length <= maximum_bytes else None


class DocumentOverLines(NamedTuple):
    """A kind of document over several lines: a sentence about what it is, and how its further lines begin."""

    hint: Callable[[], str]
    rest: re.Pattern[bytes]


OBJECT = DocumentOverLines(lambda: phrase("json-over-lines"), re.compile(rb"[ \t\r]|[]}]|\Z"))
"""An object laid out for people: its further lines are indented, up to the closing brace."""
ARRAY = DocumentOverLines(lambda: phrase("array-over-lines"), re.compile(rb""))
"""An array, whose items may each be on a line: all that follows belongs to it."""
NOTATION = DocumentOverLines(lambda: phrase("notation-over-lines"), re.compile(rb"(?!\{)"))
"""A record in text notation: no line of it begins with a brace."""
ITEM = re.compile(rb"\[[ \t]*(\{|\Z)")
MEMBER = re.compile(rb"#|[a-z_]+[ \t]*:")


def document_begun(text: bytes) -> DocumentOverLines | None:
    """The document over several lines that a line begins as no record on one line does; None for other lines."""
    begins = text.removeprefix(BOM_UTF8)
    goes_on = begins[-1:] in (b",", b"{", b"[")
    if goes_on and begins.startswith(b"{"):
        return OBJECT
    if goes_on and ITEM.match(begins):
        return ARRAY
    return NOTATION if MEMBER.match(begins) else None


def has_lines(text: bytes) -> bool:
    """Whether a text looks like an archive: several lines that all begin with a brace."""
    if not text.strip(BLANK + b"\n").startswith(b"{"):
        return False
    found = [line for line in text.split(b"\n") if line.strip(BLANK)]
    return len(found) > 1 and all(line.startswith(b"{") for line in found)


class Label(NamedTuple):
    """The game and the id in a record, whether known or not; at most `LONGEST_LABEL` characters each.

    Longer ones are not echoed: a stream would hold them until its client reads them. No valid record has one.
    """

    game: str | UnsetType = UNSET
    id: str | UnsetType = UNSET


UNLABELLED = Label()


def label_of(document: Any) -> Label:
    """The label of a document, as far as it is short text."""
    if not isinstance(document, dict):
        return UNLABELLED
    return Label(*map(as_label, map(document.get, Label._fields)))


def as_label(value: Any) -> str | UnsetType:
    return value if isinstance(value, str) and len(value) <= LONGEST_LABEL else UNSET


def verdict(line: Line, terms: Terms) -> VerdictOnLine:
    """The verdict on the record in a line; never raises a `Problem`."""
    label = UNLABELLED
    try:
        document = decoded(line, terms)
        label = label_of(document)
        return judged(line, label, document, terms)
    except Problem as problem:
        return unusable(problem, line, label)


def unusable(problem: Problem, line: Line, label: Label = UNLABELLED) -> VerdictOnLine:
    """The verdict on a record that cannot be judged."""
    word = OTHER_VERSION if problem.id == OTHER_VERSION else UNUSABLE
    return VerdictOnLine(
        line=line.number,
        verdict=word,
        problem=problem.id,
        detail=problem.detail,
        errors=problem.errors or UNSET,
        game=label.game,
        id=label.id,
    )


def decoded(line: Line, terms: Terms) -> Any:
    """The JSON value in a line.

    Raises:
        Problem: `too-large` or `malformed-json`.
    """
    if line.text is None:
        raise Problem("too-large", phrase("line-bytes", bytes=terms.maximum_bytes))
    json_text.require_few_parts(line.text)
    try:
        return json_text.decode(line.text)
    except Problem as problem:
        begun = None if b"\n" in line.text else document_begun(line.text)
        if begun is None:
            raise
        raise Problem(problem.id, begun.hint()) from None


def judged(line: Line, label: Label, document: Any, terms: Terms) -> VerdictOnLine:
    """The verdict on a record.

    Raises:
        Problem: if it cannot be judged.
    """
    game = require_judgeable(document, terms)
    start, moves = load_record(game, document, terms.under_current_rules, "")
    answer = replay_moves(game, start, moves, claims.claim_in(document), terms.repair)
    return msgspec.structs.replace(
        condensed(line, label, answer),
        players=len(start.seats),
        names=document.get("names", UNSET),
        tags=document.get("tags", UNSET),
        moves_hash=moves_hash(game, start, moves) if moves else UNSET,
    )


def moves_hash(game: AnyGame, start: Any, moves: Sequence[Move]) -> str:
    """Identifies a game as it was played: the first digits of a SHA-256 of its title, players, options and moves."""
    played = [game.id, game.rules_version, len(start.seats), start.options, moves]
    return sha256(json_text.canonical(played)).hexdigest()[:DIGITS]


def require_judgeable(document: Any, terms: Terms) -> AnyGame:
    """The game of a record that does not have too many moves.

    Raises:
        Problem: `shape`, `not-found` or `envelope`.
    """
    game = adjudicator.game_in(document)
    moves = document.get("moves")
    if isinstance(moves, list) and len(moves) > terms.maximum_moves:
        raise too_many_moves(len(moves), terms.maximum_moves, "/moves")
    return game


def condensed(line: Line, label: Label, answer: Replay) -> VerdictOnLine:
    """An answer without its largest parts, states and matching lines, which would add up over thousands of records."""
    lenient = answer.lenient
    return VerdictOnLine(
        line=line.number,
        game=label.game,
        id=label.id,
        verdict=answer.verdict,
        legal=answer.legal,
        plies=answer.plies,
        first_divergence=answer.first_divergence,
        **summary_of(answer)._asdict(),
        lenient=UNSET if lenient is UNSET else condensed_lenient(lenient),
    )


def condensed_lenient(lenient: LenientReplay) -> LenientReplayOnLine:
    return LenientReplayOnLine(
        lenient.repair,
        lenient.divergences,
        lenient.followed_to_the_end,
        lenient.plies,
        *summary_of(lenient),
    )


class Summary(NamedTuple):
    """What a replay reached, without the state and the complete result."""

    decision: Decision
    claimed_result_matches: bool | UnsetType
    totals: tuple[int, ...] | UnsetType
    winners: tuple[int, ...] | UnsetType
    wrong_lines: list[ClaimedLine] | UnsetType


def summary_of(answer: Replay | LenientReplay) -> Summary:
    result, lines = answer.result, answer.claimed_result_lines
    return Summary(
        answer.decision,
        answer.claimed_result_matches,
        UNSET if result is UNSET else result.totals,
        UNSET if result is UNSET or result.winners is None else result.winners,
        (UNSET if lines is UNSET else [line for line in lines if not line.matches]) or UNSET,
    )


class Tally:
    """Counts verdicts by game, and broken rules.

    Records of unknown games count under "", so that the content of records cannot make a tally grow.
    """

    def __init__(self) -> None:
        self.verdicts: Counter[tuple[str, str]] = Counter()
        self.rules: Counter[str] = Counter()

    def count(self, verdict: VerdictOnLine) -> None:
        self.verdicts[verdict.game if verdict.game in all_games() else "", verdict.verdict] += 1
        if verdict.broken_rule is not None:
            self.rules[verdict.broken_rule] += 1
