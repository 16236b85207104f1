"""Words the faults of an archive, each after a place that editors can open: `club.ndjson:17:803: move 24: …`."""

from collections.abc import Iterable, Iterator
from itertools import islice

import click
from msgspec import UNSET, to_builtins

from capomastro.batch.findings import FaultKind, Findings, Repeated
from capomastro.batch.judging import KeptVerdict, claimed_lines_in_order
from capomastro.documents.phrases import EXCERPT
from capomastro.documents.wordings import phrase, with_cause
from capomastro.engine.results import ClaimedLine
from capomastro.games import all_games
from capomastro.layout.formatting import AS_WRITTEN, naming, player_name, printable, separated
from capomastro.layout.replays import labelled_value, without_equal_lists

MAXIMUM_LISTED = 20
"""Maximum number of faults, and of repeated games, that are listed without being asked for."""
CLAIMED_LINES = 3
"""Lines of a wrong result that are shown in one line of text."""


def fault_lines(findings: Findings, list_all: bool, elsewhere: str | None) -> Iterator[str]:
    """The first faults in the order of the records; with `list_all` every one, under its kind.

    `elsewhere`: the file that has the others.
    """
    kinds = findings.kinds()
    if list_all:
        for kind in kinds:
            yield click.style(kind_text(kind), bold=True)
            yield from map(fault_line, findings.faults(kind))
            yield ""
    elif kinds:
        yield from map(fault_line, findings.faults(most=MAXIMUM_LISTED))
        yield from more_line(sum(kind.records for kind in kinds) - MAXIMUM_LISTED, elsewhere)
        yield ""


def repeated_lines(findings: Findings, list_all: bool) -> Iterator[str]:
    """The records of games that an earlier record holds too."""
    number = findings.count_repeated()
    yield from map(repeated_line, islice(findings.repeated(), None if list_all else MAXIMUM_LISTED))
    if number:
        yield from () if list_all else more_line(number - MAXIMUM_LISTED)
        yield ""


def more_line(more: int, elsewhere: str | None = None) -> Iterator[str]:
    if more > 0:
        place = {"file": elsewhere} if elsewhere else {}
        yield phrase("more-failures-in" if elsewhere else "more-failures", more=separated(more), **place)


def kind_text(kind: FaultKind) -> str:
    """`12 × out-of-turn [palazzo.turn.seat]`."""
    reason = f" [{kind.reason}]" if kind.reason else ""
    return f"{separated(kind.records)} × {phrase(f'verdict-{kind.verdict}')}{reason}"


def fault_line(verdict: KeptVerdict) -> str:
    """`club.ndjson:17:803: move 24: out-of-turn: seat 1 is to decide, not seat 0 [palazzo.turn.seat] (g97)`."""
    return f"{click.style(place_of(verdict), bold=True)}: {printable(fault_text(verdict))}{label(verdict)}"


def repeated_line(repeated: Repeated) -> str:
    """`club.ndjson:18:1: the same record as club.ndjson:3 (g97)`."""
    place, _, text = repeated_text(repeated).partition(": ")
    return f"{click.style(place, bold=True)}: {text}"


def repeated_text(repeated: Repeated) -> str:
    first = f"{repeated.first_source}:{repeated.first_line}"
    text = phrase("same-record" if repeated.same_text else "same-moves", place=printable(first))
    where = printable(f"{repeated.source}:{repeated.line}:1")
    return f"{where}: {text}{'' if repeated.id is None else id_text(repeated.id)}"


def place_of(verdict: KeptVerdict) -> str:
    """File, line and column of a fault, as compilers write them."""
    place = verdict.first_place
    return printable(f"{verdict.source}:{place.line}:{place.column}")


def fault_text(verdict: KeptVerdict) -> str:
    """What is wrong with a record, in one line."""
    if verdict.first_divergence is not UNSET:
        divergence = verdict.first_divergence
        return phrase(
            "fault-at-move",
            number=divergence.index + 1,
            departure=phrase(f"verdict-{divergence.departure}"),
            message=divergence.refusal["message"],
            rule=divergence.refusal["rule"],
        )
    if verdict.detail is not UNSET:
        return " ".join([verdict.detail, *first_error(verdict)])
    if verdict.claimed_result_matches is not False:
        return phrase("not-finished", moves=verdict.plies)
    if verdict.verdict == "unfinished":
        return phrase("claim-missed")
    return f"{phrase('claim-false')}: {'; '.join(claimed_texts(verdict))}"


def claimed_texts(verdict: KeptVerdict) -> Iterator[str]:
    """The wrong lines of a claimed result beside the computed ones, totals first."""
    lines = claimed_lines_in_order(() if verdict.wrong_lines is UNSET else verdict.wrong_lines)
    yield from (claimed_text(line, verdict) for line in lines[:CLAIMED_LINES])
    if len(lines) > CLAIMED_LINES:
        yield "…"


def claimed_text(line: ClaimedLine, verdict: KeptVerdict) -> str:
    """`Bruno, total: claimed 8, computed 5`."""
    names = None if verdict.names is UNSET else verdict.names
    named = naming(all_games()[verdict.game]) if verdict.game in all_games() else AS_WRITTEN
    player = () if line.seat is UNSET else (player_name(line.seat, names),)
    claimed, computed = map(to_builtins, without_equal_lists(line.claimed, line.computed))
    beside = (labelled_value("claimed", claimed, named), labelled_value("computed", computed, named))
    return f"{', '.join([*player, named.member(line.what)])}: {', '.join(beside)}"


def first_error(verdict: KeptVerdict) -> Iterable[str]:
    """The first error of a record that cannot be judged, unless it says what the detail says."""
    errors = () if verdict.errors is UNSET else verdict.errors
    if errors and errors[0].get("message") != verdict.detail:
        rule = f" [{errors[0]['rule']}]" if "rule" in errors[0] else ""
        yield f"{errors[0].get('pointer') or phrase('whole-document')}: {with_cause(errors[0])}{rule}"


def label(verdict: KeptVerdict) -> str:
    return "" if verdict.id is UNSET else id_text(verdict.id)


def id_text(id: str) -> str:
    """` (g97)`: the id of a record; that of an unusable record can be of any length."""
    name = id if len(id) <= EXCERPT else f"{id[:EXCERPT]}…"
    return f" ({printable(name)})"
