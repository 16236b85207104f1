"""`capomastro replay --report`: the faults of an archive as a page that needs nothing else, or as CSV.

Both are written fault by fault, and picture by picture, so their size is limited by the disk only. For the pictures the
archive is read a second time.
"""

from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.resources import files as package_files
from typing import Any, NamedTuple

from jinja2 import Environment, StrictUndefined
from msgspec import UNSET

from capomastro import adjudicator
from capomastro.batch import files
from capomastro.batch.findings import Findings
from capomastro.batch.judging import KeptVerdict
from capomastro.batch.sources import Record
from capomastro.batch.summaries import Summary
from capomastro.cli.faults import fault_text, place_of, repeated_text
from capomastro.cli.records import opened_for_writing
from capomastro.documents import json_text
from capomastro.documents.languages import current_language
from capomastro.documents.problems import Problem
from capomastro.documents.reading import reader_of
from capomastro.documents.wordings import capitalised, move_text, phrase, title_of
from capomastro.engine.game import AnyGame
from capomastro.games import all_games
from capomastro.layout.formatting import separated
from capomastro.layout.spreadsheets import csv_row
from capomastro.pages import FILES

STYLE_OF_OTHERS = "/* header"
"""Where the part of the style sheet begins that is for the parts of other pages."""
NEAREST = 5
ROWS_SHOWN = 200
"""Faults that a page shows at first, and more at each request; laying out thousands takes a browser many seconds."""


class Fault(NamedTuple):
    """A fault as a reader sees it; `kind` is the index of its kind."""

    place: str
    title: str
    id: str
    kind: int
    verdict: str
    move: str
    message: str
    rule: str
    nearest: Sequence[str]


class Position(NamedTuple):
    """The position in which a fault shows, as an SVG in base64."""

    place: str
    title: str
    sentence: str
    picture: str


def write_report(
    path: str,
    summary: Summary,
    totals: Sequence[Sequence[str]],
    names: Iterable[str],
    records: Iterable[Record],
    most: int,
) -> None:
    """Writes the report that the name of a file asks for; `most` pictures at least, if there are as many faults.

    `names` are the archives that were judged.

    Raises:
        Problem: `unwritable`.
    """
    findings = summary.findings
    with opened_for_writing(path) as file:
        if path.removesuffix(".gz").endswith(".csv"):
            for line in csv_lines(findings):
                file.write(line.encode())
            return
        for text in page(findings, totals, pictures(findings, records, most), names):
            file.write(text.encode())


def page(
    findings: Findings, totals: Sequence[Sequence[str]], shown: Iterable[Position], names: Iterable[str]
) -> Iterator[str]:
    kinds = findings.kinds()
    template = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    ).from_string((package_files("capomastro.cli") / "report.html").read_text("utf-8"))
    stream = template.stream(
        t=words(),
        language=current_language(),
        style=(FILES / "style.css").read_text("utf-8").partition(STYLE_OF_OTHERS)[0],
        files=", ".join(map(files.path_text, names)),
        totals=totals,
        page=ROWS_SHOWN,
        kinds=[
            {"records": separated(kind.records), "verdict": kind_text(kind.verdict), "reason": kind.reason}
            for kind in kinds
        ],
        faults=map(in_script, faults(findings)),
        pictures=shown,
        repeated_count=findings.count_repeated(),
        repeated=map(repeated_text, findings.repeated()),
    )
    stream.enable_buffering(500)
    yield from stream


def words_of_page() -> dict[str, str]:
    """The phrases of the page itself."""
    return {
        "title": phrase("report-title"),
        "totals": phrase("report-totals"),
        "kinds": phrase("report-kinds"),
        "kind": phrase("report-kind"),
        "rule": phrase("report-rule"),
        "faults": phrase("report-faults"),
        "search": phrase("report-search"),
        "place": phrase("report-place"),
        "record": phrase("report-record"),
        "fault": phrase("report-fault"),
        "nearest": phrase("report-nearest"),
        "positions": phrase("report-positions"),
        "more": phrase("report-more"),
        "script": phrase("report-script"),
        "repeated": phrase("report-repeated"),
        "records": phrase("records-column"),
        "all": phrase("all"),
    }


def words() -> dict[str, str]:
    return {name: capitalised(text) for name, text in words_of_page().items()}


def kind_text(verdict: str) -> str:
    """A verdict as a heading; in English the phrase is the name that the program prints."""
    return capitalised(phrase(f"verdict-{verdict}").replace("-", " "))


def in_script(fault: Fault) -> str:
    """A fault as JSON in a script element, which no text in it can end; its verdict is that of its kind."""
    return json_text.encode([*fault[:4], *fault[5:]]).decode().replace("<", "\\u003c")


def faults(findings: Findings) -> Iterator[Fault]:
    numbers = {(kind.verdict, kind.reason): number for number, kind in enumerate(findings.kinds())}
    for verdict in findings.faults():
        yield fault(verdict, numbers[verdict.verdict, verdict.reason])


def fault(verdict: KeptVerdict, kind: int) -> Fault:
    """A fault in words: the recorded move, why it is illegal, and the legal moves nearest to it."""
    game = all_games().get(verdict.game or "")
    names = None if verdict.names is UNSET else tuple(verdict.names)
    move, message, rule, nearest = "", fault_text(verdict), "", []
    if verdict.first_divergence is not UNSET and game is not None:
        first = verdict.first_divergence
        move = f"{first.index + 1}. {sentence_of(game, first.move, names)}"
        message, rule = first.refusal["message"], first.refusal["rule"]
        nearest = [sentence_of(game, near.move, names) for near in first.nearest[:NEAREST]]
    return Fault(
        place_of(verdict),
        phrase("unknown-game") if game is None else title_of(game),
        "" if verdict.id is UNSET else verdict.id,
        kind,
        phrase(f"verdict-{verdict.verdict}"),
        move,
        message,
        rule,
        nearest,
    )


def sentence_of(game: AnyGame, move: Mapping[str, Any], names: tuple[str, ...] | None) -> str:
    return move_text(game, reader_of(game, "move")(move), names)


# --- pictures --------------------------------------------------------------------------------------------------------


def pictures(findings: Findings, records: Iterable[Record], most: int) -> Iterator[Position]:
    """The positions of the first `most` faults and of the first of each kind, in the order of the records."""
    if not most:
        return
    wanted = {(fault.source, fault.line): fault for fault in findings.faults(most=most)}
    for kind in findings.kinds():
        wanted |= {(fault.source, fault.line): fault for fault in findings.faults(kind, most=1)}
    wanted = {key: fault for key, fault in wanted.items() if fault.plies is not UNSET}
    for record in records:
        verdict = wanted.pop((record.source, record.line.number), None)
        if verdict is not None:
            position = position_of(record, verdict)
            if position is not None:
                yield position
        if not wanted:
            return


def position_of(record: Record, verdict: KeptVerdict) -> Position | None:
    """The position in which a fault shows; None if the record has changed since it was judged."""
    try:
        document = record.document()
        game = adjudicator.game_in(document)
        played = {**document, "rules_version": game.rules_version, "moves": document["moves"][: verdict.plies]}
        (picture,) = adjudicator.pictures_of_record(game, played).pictures
    except Problem:
        return None
    return Position(place_of(verdict), title_of(game), fault_text(verdict), b64encode(picture.encode()).decode())


# --- CSV -------------------------------------------------------------------------------------------------------------

HEADS = ("file", "line", "column", "id", "game", "verdict", "reason", "move", "recorded", "message", "nearest")


def csv_lines(findings: Findings) -> Iterator[str]:
    """The faults as CSV, one per row."""
    yield csv_row(HEADS)
    for verdict in findings.faults():
        row = fault(verdict, 0)
        first = verdict.first_divergence
        number = "" if first is UNSET else first.index + 1
        place = verdict.first_place
        about = (verdict.source, place.line, place.column, row.id, row.title, row.verdict, verdict.reason)
        yield csv_row((*about, number, row.move.partition(" ")[2], row.message, " | ".join(row.nearest)))
