"""`capomastro replay` for archives: progress, a summary of the verdicts, and resuming after an interruption."""

import signal
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, nullcontext
from functools import partial
from typing import Any, NamedTuple

import click
from tqdm import tqdm

from capomastro.archive import Terms
from capomastro.batch import files, processes, sources
from capomastro.batch.findings import Findings
from capomastro.batch.sources import Meter, Source
from capomastro.batch.summaries import Summary
from capomastro.batch.verdict_file import VerdictFile
from capomastro.cli.endings import ILLEGAL, UNUSABLE, exit_code_of
from capomastro.cli.faults import fault_lines, repeated_lines
from capomastro.cli.reports import kind_text, write_report
from capomastro.cli.shared import file_text, print_json, print_lines
from capomastro.cores import cores
from capomastro.documents.problems import Problem
from capomastro.documents.wordings import capitalised, phrase, title_of
from capomastro.games import all_games
from capomastro.layout.formatting import separated, table

BAR = "{percentage:3.0f}%|{bar}| "


class Request(NamedTuple):
    """What to judge, how, and where to write the verdicts."""

    files: Sequence[str]
    terms: Terms
    by_line: bool = False
    verdicts: str | None = None
    restart: bool = False
    jobs: int | None = None
    cluster: str | None = None
    as_json: bool = False
    list_all: bool = False
    must_be_finished: bool = False
    reports: Sequence[str] = ()
    pictures: int = 0


def replay(request: Request) -> int:
    """Judges an archive, prints the summary, and returns the exit code."""
    began = time.monotonic()
    with Findings() as findings:
        summary = Summary(findings, request.must_be_finished)
        try:
            with stopped_by_signals():
                judge(request, summary)
        except Stopped as stop:
            resume = [phrase("resumes")] if request.verdicts else []
            click.echo(" ".join([phrase("stopped", records=separated(summary.records)), *resume]), err=True)
            return exit_code_of(stop.number)
        for path in request.reports:
            again = (source for source in sources_to_judge(request) if source.can_be_read_again)
            records = sources.records_of(again, request.terms.maximum_bytes, Meter())
            totals = cells_of_verdicts(summary, for_people=True)
            write_report(path, summary, totals, request.files, records, request.pictures)
        if not request.as_json:
            print_lines(summary_lines(summary, time.monotonic() - began, request))
        elif request.verdicts:
            print_json(summary.document())
    return UNUSABLE if summary.unusable else ILLEGAL if summary.wrong else 0


def judge(request: Request, summary: Summary) -> None:
    """Judges every record that has no verdict yet; counts all records."""
    if request.cluster is not None:
        judge_on_cluster(request, summary)
    else:
        judge_here(request, summary)


def sources_to_judge(request: Request, meter: Meter | None = None) -> Iterator[Source]:
    """The sources to judge; never held as a whole, since there may be a million files."""
    return sources.sources_at(request.files, request.by_line, request.verdicts, meter)


def judge_here(request: Request, summary: Summary) -> None:
    """Judges on the cores of this machine, in order."""
    terms, meter = request.terms, Meter()
    records = sources.records_of(sources_to_judge(request, meter), terms.maximum_bytes, meter)
    with VerdictFile(request.verdicts, request.restart) if request.verdicts else nullcontext() as file:
        if file is not None:
            with progress(sources_to_judge(request), 0, summary) as bar:
                for verdict in file.answered(records, terms):
                    summary.count(verdict)
                    bar.update(meter.read - bar.n)
            print_resuming(summary)
        found = processes.judged(processes.batches(records, meter), terms, request.jobs)
        with closing(found), progress(sources_to_judge(request), meter.read, summary) as bar:
            for judged in found:
                if file is not None:
                    file.append(judged.verdicts)
                elif request.as_json:
                    click.echo(b"".join(judged.verdicts), nl=False)
                summary.count_lines(judged.verdicts)
                bar.update(judged.batch.read - bar.n)
    summary.ignored = meter.ignored


def judge_on_cluster(request: Request, summary: Summary) -> None:
    """Judges on a cluster, part by part in any order; faults are still reported in the order of the records.

    Raises:
        Problem: `no-cluster` if the extra is not installed.
    """
    try:
        from capomastro.batch import cluster  # noqa: PLC0415 - an optional extra
    except ImportError:
        raise Problem("no-cluster", phrase("no-cluster-extra")) from None
    assert request.cluster is not None
    assert request.verdicts is not None
    meter = Meter()
    found = list(sources_to_judge(request, meter))
    summary.ignored = meter.ignored
    with (
        cluster.connected(request.cluster, request.jobs or cores(), partial(click.echo, err=True)) as client,
        progress(found, 0, summary) as bar,
    ):
        for part in cluster.judged(client, found, request.terms, request.verdicts, request.restart):
            with files.opened(part.verdicts) as verdicts:
                summary.count_lines(verdicts, part.number)
            bar.update(part.bytes)


# --- signals ---------------------------------------------------------------------------------------------------------


class Stopped(KeyboardInterrupt):
    """Ctrl-C or SIGTERM; `number` is the signal's."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


@contextmanager
def stopped_by_signals() -> Iterator[None]:
    """Raises `Stopped` at the first Ctrl-C or SIGTERM; further ones are ignored, as the run is ending already.

    Signals that are ignored already stay ignored, such as Ctrl-C in the background of a script.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(number: int, _: Any) -> None:
        for each in before:
            signal.signal(each, signal.SIG_IGN)
        raise Stopped(number)

    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    before = {number: handler for number, handler in handlers.items() if handler is not signal.SIG_IGN}
    for number in before:
        signal.signal(number, stop)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


# --- progress --------------------------------------------------------------------------------------------------------


class Bar(tqdm):  # type: ignore[type-arg]
    """A progress bar that grows with the bytes read and shows the number of records."""

    def __init__(self, total: int | None, begun_at: int, summary: Summary) -> None:
        self.summary = summary
        self.before = summary.records
        counted = {"records": "{records}", "pace": "{pace}"}
        if total is not None:
            layout = BAR + phrase("progress", remaining="{remaining}", **counted)
        else:
            layout = phrase("progress-so-far", elapsed="{elapsed}", **counted)
        only_on_a_terminal: Any = {"disable": None, "dynamic_ncols": True, "leave": False}
        super().__init__(total=total, initial=begun_at, bar_format=layout, **only_on_a_terminal)

    @property
    def format_dict(self) -> Any:
        """The values available to the layout."""
        known = super().format_dict
        records, elapsed = self.summary.records, known["elapsed"]
        pace = f"{(records - self.before) / elapsed:,.0f}/s" if elapsed else "…"
        return {**known, "records": f"{records:,}", "pace": pace}


def progress(found: Iterable[Source], begun_at: int, summary: Summary) -> Bar:
    """A bar for these sources; of unknown length if one has no size, such as standard input."""
    total = 0
    for source in found:
        if source.bytes is None:
            return Bar(None, begun_at, summary)
        total += source.bytes
    return Bar(total, begun_at, summary)


def print_resuming(summary: Summary) -> None:
    if summary.records:
        click.echo(phrase("resuming", records=separated(summary.records)), err=True)


# --- summary ---------------------------------------------------------------------------------------------------------


def summary_lines(summary: Summary, seconds: float, request: Request) -> Iterator[str]:
    """The faults and the repeated games, then the number of records by verdict, and the rules broken."""
    elsewhere = file_text(request.verdicts) if request.verdicts else None
    yield from fault_lines(summary.findings, request.list_all, elsewhere)
    yield from repeated_lines(summary.findings, request.list_all)
    yield from table_of_verdicts(summary)
    if summary.rules():
        yield ""
        rows = [
            [phrase("records-column"), phrase("rule-column")],
            *([separated(number), rule] for rule, number in summary.rules()),
        ]
        yield from table(rows, right=(0,))
    yield ""
    if summary.lenient:
        yield phrase("repaired-in-all", lenient=summary.lenient, repaired=summary.repaired, confirmed=summary.confirmed)
    if summary.ignored:
        yield phrase("ignored-files", files=summary.ignored, suffixes=[*sources.SINGLE, *sources.BY_LINE])
    yield phrase(
        "one-record-judged" if summary.records == 1 else "records-judged",
        records=separated(summary.records),
        seconds=separated(seconds, 1),
    )


def table_of_verdicts(summary: Summary) -> list[str]:
    """A row per game, a column per verdict that occurs, and totals."""
    rows = cells_of_verdicts(summary)
    return table(rows, right=range(1, len(rows[0])))


def cells_of_verdicts(summary: Summary, for_people: bool = False) -> list[list[str]]:
    """The cells of that table; `for_people` with titles and words instead of ids."""
    numbers = dict(summary.verdicts())
    words = sorted({verdict for _, verdict in numbers}, key=lambda verdict: (verdict != "legal", verdict))
    counts = {label(game, for_people): [numbers.get((game, word), 0) for word in words] for game in summary.games()}
    everything = phrase("all")
    if len(counts) > 1:
        counts[everything] = [sum(column) for column in zip(*counts.values(), strict=True)]
    rows = [[name, *(separated(number) for number in (*row, sum(row)))] for name, row in counts.items()]
    heads = ["", *(kind_text(word) if for_people else phrase(f"verdict-{word}") for word in words), everything]
    return [list(map(capitalised, cells)) for cells in (heads, *rows)] if for_people else [heads, *rows]


def label(game: str, for_people: bool) -> str:
    """A game in the summary; "" stands for records of unknown games."""
    if not game:
        return phrase("unknown-game")
    return title_of(all_games()[game]) if for_people else game
