"""Repairs the records of an archive: what can be written of each, and what was done to it.

A repaired record is judged again before it is written. What was recorded stays beside it: in text notation as comments
in the text as it was, in JSON, which has no comments, as tags.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import msgspec
from msgspec import UNSET, UnsetType

from capomastro.adjudicator.loading import load_record
from capomastro.adjudicator.replays import claim_check, repaired_record
from capomastro.archive import Line, Terms, require_judgeable
from capomastro.batch.judging import KeptVerdict, judge, read_verdict
from capomastro.batch.sources import Record
from capomastro.documents import claims, json_text, notation
from capomastro.documents.claims import Claim
from capomastro.documents.notation import Notated
from capomastro.documents.wordings import phrase
from capomastro.engine import records
from capomastro.engine.game import AnyGame
from capomastro.engine.records import Repair, RepairedMove
from capomastro.games import all_games

MAXIMUM_TAGS, LONGEST_TAG = 50, 1_000
"""As many tags, and as long ones, as a record may have."""
CLAIM = re.compile(r"[ \t]*(?:totals|result)\b")
"""The beginning of a line of text notation with a claimed result."""

Outcome = Literal["kept", "repaired", "not-repaired"]


class Change(msgspec.Struct, frozen=True, omit_defaults=True):
    """What was done about an illegal move: its number, from 1, what was recorded and what is written, as notation."""

    action: records.Action
    number: int
    rule: str
    was: str = ""
    now: str = ""

    def __str__(self) -> str:
        slots: dict[str, dict[str, Any]] = {
            "replaced": {"was": self.was, "now": self.now},
            "inserted": {"now": self.now},
            "left-out": {"was": self.was},
            "swapped": {"next": self.number + 1},
        }
        return phrase(f"mended-{self.action}", number=self.number, **slots[self.action])


class Repaired(KeptVerdict, frozen=True, kw_only=True):
    """The verdict on a record as it was found, and what became of it; `document` and `text` only if it was repaired.

    `drops_claim`: the moves that were repaired have another result than the record claims.
    """

    outcome: Outcome = "not-repaired"
    changes: tuple[Change, ...] = ()
    drops_claim: bool = False
    document: dict[str, Any] | UnsetType = UNSET
    text: str | None = None


_decoder = msgspec.json.Decoder(Repaired)


def read_repaired(line: bytes) -> Repaired:
    return _decoder.decode(line)


def repair(records: Sequence[Record], terms: Terms) -> list[bytes]:
    """What becomes of each record."""
    return [outcome_line(record, line, terms) for record, line in zip(records, judge(records, terms), strict=True)]


def outcome_line(record: Record, line: bytes, terms: Terms) -> bytes:
    found = read_verdict(line)
    if found.legal and found.claimed_result_matches is not False:
        return with_members(line, outcome="kept")
    if found.first_divergence is UNSET:
        return line
    mended = repaired(record, terms)
    return line if mended is None else with_members(line, outcome="repaired", **mended._asdict())


def with_members(line: bytes, **members: Any) -> bytes:
    return json_text.encode({**msgspec.json.decode(line), **members})


class Mended(NamedTuple):
    """A repaired record: what was done, and the record as a document and, if it was one, as text."""

    changes: Sequence[Change]
    drops_claim: bool
    document: Mapping[str, Any]
    text: str | None


def repaired(record: Record, terms: Terms) -> Mended | None:
    """A record with its illegal moves repaired; None if they cannot be, or if the result is not legal."""
    assert record.line.text is not None
    notated = notation.read(record.line.text, all_games()) if record.notated else None
    document = json_text.decode(record.line.text) if notated is None else notated.record
    game = require_judgeable(document, terms)
    start, moves = load_record(game, document, terms.under_current_rules, "")
    meets_claim = claim_check(game, claims.claim_in(document))
    followed = records.follow(game, start, moves, Repair.CORRECT, meets_claim)
    if not followed.to_the_end:
        return None
    drops_claim = meets_claim is not None and not meets_claim(followed.state)
    changes = [change_of(game, divergence, document["moves"]) for divergence in followed.divergences]
    again = json_text.decode(json_text.encode(repaired_record(game, document, followed.moves, not drops_claim)))
    text = None if notated is None else mended_text(record.line.text.decode(), notated, changes, drops_claim)
    written = Record(
        record.source, Line(1, json_text.encode(again) if text is None else text.encode()), text is not None
    )
    if not is_legal(written, terms):
        return None
    claimed = [phrase("comment-claim", was=claim_text(document))] if drops_claim else []
    return Mended(changes, drops_claim, with_tags(again, [*map(str, changes), *claimed]), text)


def is_legal(record: Record, terms: Terms) -> bool:
    (line,) = judge([record], terms)
    found = read_verdict(line)
    return found.legal is True and found.claimed_result_matches is not False


def change_of(game: AnyGame, divergence: RepairedMove, recorded: Sequence[Any]) -> Change:
    remedy = divergence.remedy
    number = divergence.index if remedy.first is None else remedy.first
    was = "" if remedy.action == "inserted" else notation.written_move(game, recorded[number])
    move = None if remedy.move is None else json_text.decode(json_text.encode(remedy.move))
    now = "" if move is None else notation.written_move(game, move)
    return Change(remedy.action, number + 1, divergence.refusal.rule, was, now)


# --- what was recorded -----------------------------------------------------------------------------------------------


def claim_text(document: Mapping[str, Any]) -> str:
    """The claimed totals by seat."""
    if "totals" in document:
        return ", ".join(map(str, document["totals"]))
    totals = {player["seat"]: player["total"] for player in document["result"]["players"]}
    return ", ".join(str(totals[seat]) for seat in sorted(totals))


def with_tags(document: Mapping[str, Any], notes: Sequence[str]) -> dict[str, Any]:
    """A document with notes as tags, as many as there is room for."""
    tags = dict(document.get("tags", {}))
    names = (name for number in range(1, MAXIMUM_TAGS + 1) if (name := f"repair-{number}") not in tags)
    room = MAXIMUM_TAGS - len(tags)
    tags |= {name: note[:LONGEST_TAG] for name, note in zip(names, notes[:room], strict=False)}
    members = {"tags": tags, **document} if "tags" not in document else {**document, "tags": tags}
    return {name: members[name] for name in sorted(members, key=lambda name: name in ("moves", *Claim._fields))}


class Lines:
    """The lines of a text that change: what stands instead of a line, and before it."""

    def __init__(self, text: str) -> None:
        self.lines = text.split("\n")
        self.instead: dict[int, str] = {}
        self.before: dict[int, list[str]] = {}

    def plain(self, number: int) -> str:
        return self.lines[number - 1].rstrip("\r")

    def written(self) -> Iterator[str]:
        for number, line in enumerate(self.lines, 1):
            end = "\r" if line.endswith("\r") else ""
            yield from (f"{added}{end}" for added in self.before.get(number, ()))
            yield f"{self.instead[number]}{end}" if number in self.instead else line


def mended_text(text: str, notated: Notated, changes: Iterable[Change], drops_claim: bool) -> str:
    """A record in text notation with changes made in its lines, and what was there as comments."""
    lines = Lines(text)
    for change in changes:
        number = notated.place(f"/moves/{change.number - 1}/type")[0]
        match change.action:
            case "inserted":
                lines.before.setdefault(number, []).append(f"{change.now}  # {phrase('comment-inserted')}")
            case "left-out":
                lines.instead[number] = f"# {phrase('comment-left-out', was=lines.plain(number).strip())}"
            case "replaced":
                was = phrase("comment-replaced", was=lines.plain(number).strip())
                lines.instead[number] = f"{change.now}  # {was}"
            case "swapped":
                further = notated.place(f"/moves/{change.number}/type")[0]
                first, second = lines.plain(number), lines.plain(further)
                lines.instead[number] = f"{second}  # {phrase('comment-swapped')}"
                lines.instead[further] = first
    if drops_claim:
        for number in range(1, len(lines.lines) + 1):
            if CLAIM.match(lines.plain(number)):
                lines.instead[number] = f"# {phrase('comment-claim', was=lines.plain(number).strip())}"
    return "\n".join(lines.written())
