"""Archives: thousands of recorded games, one JSON record per line (NDJSON), with a verdict on each.

A verdict is one word on the record, and what a reader needs to investigate; for states and complete results, replay
the single record (`adjudicator.replay`). No line ends the archive: one that cannot be judged gets a verdict that says
so.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from msgspec import UNSET, UnsetType
from msgspec.structs import asdict

from capomastro import adjudicator
from capomastro.answers import Divergence, DivergenceOnLine, LenientReplay, LenientReplayOnLine, Replay, VerdictOnLine
from capomastro.documents import json_text
from capomastro.documents.problems import Problem, too_many_moves
from capomastro.documents.wordings import phrase
from capomastro.engine.decisions import Decision
from capomastro.engine.results import ClaimedLine
from capomastro.games import all_games
from capomastro.settings import Settings

BLANK = b" \t\r"
"""What a line can have before and after its record: with the line feed, the white space of JSON (RFC 8259)."""
UNUSABLE = "unusable"
OTHER_VERSION = "other-version"


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

    A line ends with a line feed and nothing else; a carriage return before it is a blank.
    """
    number = 1
    begun: list[bytes] = []
    length = 0
    for chunk in chunks:
        *ended, rest = chunk.split(b"\n")
        for piece in ended:
            length += len(piece)
            yield from line(number, [*begun, piece], length, maximum_bytes)
            number, begun, length = number + 1, [], 0
        length += len(rest)
        if rest:
            begun.append(rest)
        if length > maximum_bytes:
            begun.clear()
    yield from line(number, begun, length, maximum_bytes)


def line(number: int, pieces: list[bytes], length: int, maximum_bytes: int) -> Iterator[Line]:
    """Joins the pieces of a line; yields nothing if it is blank."""
    if length > maximum_bytes:
        yield Line(number, None)
    else:
        text = b"".join(pieces).strip(BLANK)
        if text:
            yield Line(number, text)


class Label(NamedTuple):
    """The game and the id in a record, whether known or not."""

    game: str | UnsetType = UNSET
    id: str | UnsetType = UNSET


UNLABELLED = Label()


def verdict(line: Line, terms: Terms) -> VerdictOnLine:
    """The verdict on the record in a line; never raises a `Problem`."""
    label = UNLABELLED
    try:
        document = decoded(line, terms)
        if isinstance(document, dict):
            label = Label(*(text if type(text := document.get(name)) is str else UNSET for name in Label._fields))
        return condensed(line, label, judged(document, terms))
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
    return json_text.decode(line.text)


def judged(document: Any, terms: Terms) -> Replay:
    """The complete answer for a record.

    Raises:
        Problem: if it cannot be judged.
    """
    game = adjudicator.game_in(document)
    moves = document.get("moves")
    if isinstance(moves, list) and len(moves) > terms.maximum_moves:
        raise too_many_moves(len(moves), terms.maximum_moves, "/moves")
    return adjudicator.replay(game, document, terms.under_current_rules, terms.repair, at="")


def condensed(line: Line, label: Label, answer: Replay) -> VerdictOnLine:
    """An answer without its largest parts, states and matching lines, which would add up over thousands of records."""
    first, lenient = answer.first_divergence, answer.lenient
    return VerdictOnLine(
        line=line.number,
        game=label.game,
        id=label.id,
        verdict=answer.verdict,
        legal=answer.legal,
        plies=answer.plies,
        first_divergence=UNSET if first is UNSET else on_line(first),
        **reached_in(answer)._asdict(),
        lenient=UNSET if lenient is UNSET else condensed_lenient(lenient),
    )


def condensed_lenient(lenient: LenientReplay) -> LenientReplayOnLine:
    return LenientReplayOnLine(
        lenient.repair,
        [on_line(one) for one in lenient.divergences],
        lenient.followed_to_the_end,
        lenient.plies,
        *reached_in(lenient),
    )


def on_line(divergence: Divergence) -> DivergenceOnLine:
    """A divergence without the sentences, which nobody can ask for here."""
    members = asdict(divergence)
    return DivergenceOnLine(**{name: members[name] for name in DivergenceOnLine.__struct_fields__ if name in members})


class Reached(NamedTuple):
    """What a replay reached, without the state and the complete result."""

    decision: Decision
    claimed_result_matches: bool | UnsetType
    totals: list[int] | UnsetType
    winners: tuple[int, ...] | UnsetType
    wrong_lines: list[ClaimedLine] | UnsetType


def reached_in(answer: Replay | LenientReplay) -> Reached:
    result, lines = answer.result, answer.claimed_result_lines
    return Reached(
        answer.decision,
        answer.claimed_result_matches,
        UNSET if result is UNSET else [player.total for player in result.players],
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
