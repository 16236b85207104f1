"""`capomastro repair`: writes the records of an archive with their illegal moves repaired, and lists what it did."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, closing
from pathlib import PurePath
from types import TracebackType
from typing import Any, NamedTuple, Self

import click
from msgspec import UNSET

from capomastro.archive import Terms
from capomastro.batch import files, processes, sources
from capomastro.batch.findings import Digests
from capomastro.batch.repairing import Repaired, read_repaired, repair
from capomastro.batch.sources import Meter, Record, holds_lines, holds_notation
from capomastro.cli.endings import ILLEGAL, UNUSABLE
from capomastro.cli.faults import fault_text, label, place_of
from capomastro.cli.records import opened_for_writing, record_text
from capomastro.cli.shared import plain
from capomastro.documents import json_text
from capomastro.documents.problems import Problem
from capomastro.documents.wordings import phrase
from capomastro.layout.formatting import printable, separated

REPEATED = "repeated"


class Request(NamedTuple):
    """What to repair, and where to write it."""

    files: Sequence[str]
    output: str
    terms: Terms
    by_line: bool
    jobs: int | None
    as_json: bool


def repair_archive(request: Request) -> int:
    """Writes the records, prints what was done, and returns the exit code."""
    require_own_places(request)
    counts: Counter[str] = Counter()
    meter = Meter()
    found = sources.sources_at(request.files, request.by_line, request.output, meter)
    batches = processes.batches(sources.records_of(found, request.terms.maximum_bytes, meter), meter)
    seen = Digests()
    unusable = False
    with Output(request) as output, closing(processes.judged(batches, request.terms, request.jobs, repair)) as judged:
        for batch, lines in judged:
            for record, line in zip(batch.records, lines, strict=True):
                outcome = read_repaired(line)
                word = REPEATED if is_repeated(outcome, seen) else outcome.outcome
                counts[word] += 1
                unusable |= outcome.problem is not UNSET
                if word in ("kept", "repaired"):
                    output.write(record, outcome)
                tell(outcome, word, request.as_json)
    if not request.as_json:
        click.echo(
            phrase(
                "records-mended",
                kept=separated(counts["kept"]),
                repaired=separated(counts["repaired"]),
                repeated=separated(counts[REPEATED]),
                not_repaired=separated(counts["not-repaired"]),
            )
        )
    return UNUSABLE if unusable else ILLEGAL if counts["not-repaired"] else 0


def require_own_places(request: Request) -> None:
    """Refuses sources that would be written to the same file of a directory, before anything is written.

    Raises:
        Problem: `unwritable`.
    """
    if is_file(request.output):
        return
    names, places = Digests(), Digests()
    for source in sources.sources_at(request.files, request.by_line, request.output):
        place = relative(source.name, request.files)
        if names.add(source.name) and not places.add(place):
            raise files.unwritable(files.joined(request.output, place), phrase("of-one-name"))


def is_repeated(outcome: Repaired, seen: Digests) -> bool:
    """Whether the same text came before."""
    return outcome.problem != "unreadable" and not seen.add(outcome.digest)


def tell(outcome: Repaired, word: str, as_json: bool) -> None:
    if as_json:
        click.echo(json_text.encode(told(outcome, word)))
        return
    for line in lines_of(outcome, word):
        click.echo(f"{click.style(place_of(outcome), bold=True)}: {printable(line)}{label(outcome)}")


def told(outcome: Repaired, word: str) -> dict[str, Any]:
    """What became of a record, as JSON."""
    members = plain(outcome)
    return {
        **{name: members[name] for name in ("source", "line", "place", "id", "verdict") if name in members},
        "outcome": word,
        **({"changes": members["changes"], "drops_claim": outcome.drops_claim} if word == "repaired" else {}),
        **({"reason": fault_text(outcome)} if word == "not-repaired" else {}),
    }


def lines_of(outcome: Repaired, word: str) -> Iterator[str]:
    """What was done to a record, in sentences."""
    match word:
        case "repaired":
            yield from (f"{change} [{change.rule}]" for change in outcome.changes)
            if outcome.drops_claim:
                yield phrase("claim-dropped")
        case "not-repaired":
            yield phrase("not-mended", fault=fault_text(outcome))
        case "repeated":
            yield phrase("repeated-left-out")


# --- writing ---------------------------------------------------------------------------------------------------------


class Output:
    """Where repaired records go: a file with a record per line, one record, or a directory like that of the sources."""

    def __init__(self, request: Request) -> None:
        self.request = request
        self.stack = ExitStack()
        self.path = ""
        self.written = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stack.__exit__(kind, error, trace)

    def write(self, record: Record, outcome: Repaired) -> None:
        """Writes a record as it was or as it was repaired, in the form of the file that it goes to."""
        path = self.path_for(record)
        by_line = self.by_line(path)
        if path != self.path:
            self.stack.close()
            self.file = self.stack.enter_context(opened_for_writing(path))
            self.path, self.written = path, 0
        elif not by_line:
            raise Problem("unwritable", phrase("many-records-in-one", file=files.path_text(path)))
        self.file.write(content_of(record, outcome, holds_notation(path) and not by_line, by_line))
        self.written += 1

    def by_line(self, path: str) -> bool:
        """Whether a file has a record per line: by its name, or in a directory like its source."""
        return holds_lines(path) or (self.request.by_line and path != self.request.output)

    def path_for(self, record: Record) -> str:
        output = self.request.output
        if is_file(output):
            return output
        path = files.joined(output, relative(record.source, self.request.files))
        directory = str(PurePath(path).parent)
        with files.writing(directory):
            files.make_directory(directory)
        return path


def is_file(output: str) -> bool:
    """Whether an output is named like a file with records; otherwise it is a directory."""
    return sources.uncompressed(output).endswith((*sources.BY_LINE, *sources.SINGLE))


def relative(source: str, given: Iterable[str]) -> str:
    """The path of a source below the directory that was given; its name, if it was given itself."""
    for top in given:
        if files.is_directory(top) and PurePath(source).is_relative_to(top):
            return str(PurePath(source).relative_to(top))
    return PurePath(source).name if source != files.STANDARD_INPUT else "-.ndjson"


def content_of(record: Record, outcome: Repaired, as_notation: bool, by_line: bool) -> bytes:
    """A record in text notation, in a line of JSON or in JSON laid out for people."""
    text = record.line.text
    assert text is not None
    if record.notated == as_notation and outcome.document is UNSET and not (by_line and b"\n" in text):
        return text + b"\n" if by_line else text
    if as_notation and outcome.text is not None:
        return outcome.text.encode()
    document = outcome.document if outcome.document is not UNSET else record.document()
    return record_text(document, as_notation, by_line=by_line).encode()
