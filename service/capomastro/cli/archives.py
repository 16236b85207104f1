"""`capomastro replay` of archives: how far it has come, what became of the records, and going on after a stop."""

import signal
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from functools import partial
from typing import Any, NamedTuple

import click
from tqdm import tqdm

from capomastro.adjudicator import Answer
from capomastro.archive import Terms
from capomastro.batch import processes, sources
from capomastro.batch.processes import Judged
from capomastro.batch.sources import Meter, Source
from capomastro.batch.summaries import MOST_NOTED, Summary
from capomastro.batch.verdict_file import VerdictFile, read_verdict
from capomastro.cli.formatting import printable, table
from capomastro.cli.questions import ILLEGAL, UNUSABLE, say, say_json
from capomastro.cli.replays import DEPARTURES
from capomastro.documents.problems import Problem

BAR = "{percentage:3.0f}%|{bar}| {records} records, {pace}, {remaining} left"
BAR_OF_UNKNOWN_LENGTH = "{records} records, {pace}, {elapsed} so far"


class Request(NamedTuple):
    """What is to be judged, how, and where the verdicts go."""

    files: Sequence[str]
    terms: Terms
    by_line: bool = False
    verdicts: str | None = None
    restart: bool = False
    jobs: int | None = None
    cluster: str | None = None
    as_json: bool = False


def replay(request: Request) -> int:
    """Judges an archive, says what became of it, and returns the exit code."""
    summary = Summary()
    began = time.monotonic()
    try:
        with stopped_by_signals():
            judge(request, summary)
    except KeyboardInterrupt as stop:
        number = signal.SIGTERM if isinstance(stop, Terminated) else signal.SIGINT
        goes_on = " The same command goes on from there." if request.verdicts else ""
        click.echo(f"Stopped after {summary.records:,} records.{goes_on}", err=True)
        return 128 + number
    if not request.as_json:
        say(summary_lines(summary, time.monotonic() - began, request.verdicts))
    elif request.verdicts:
        say_json(summary.document())
    return UNUSABLE if summary.unusable else ILLEGAL if summary.wrong else 0


def judge(request: Request, summary: Summary) -> None:
    """Has every record judged that has no verdict yet; all are counted."""
    if request.cluster is not None:
        judge_on_cluster(request, summary)
    else:
        judge_here(request, summary)


def listed(request: Request) -> Iterator[Source]:
    """What is to be judged; never held as a whole, for there may be a million files."""
    return sources.listed(request.files, request.by_line, besides=request.verdicts)


def judge_here(request: Request, summary: Summary) -> None:
    """By the cores of this machine, in order."""
    terms, meter = request.terms, Meter()
    records = sources.records_of(listed(request), terms.most_bytes, meter)
    with VerdictFile(request.verdicts, request.restart) if request.verdicts else nullcontext() as file:
        if file is not None:
            with progress(listed(request), 0, summary) as bar:
                for verdict in file.answered(records, terms):
                    summary.count(verdict)
                    bar.update(meter.read - bar.n)
            say_going_on(summary)
        with progress(listed(request), meter.read, summary) as bar:
            jobs = request.jobs or processes.cores()
            for judged in processes.judged(processes.batches(records, meter), terms, jobs):
                if file is not None:
                    file.append(judged.verdicts)
                elif request.as_json:
                    click.echo(b"".join(judged.verdicts), nl=False)
                count(judged, summary)
                bar.update(judged.batch.read - bar.n)


def count(judged: Judged, summary: Summary) -> None:
    for verdict in judged.verdicts:
        summary.count(read_verdict(verdict))


def judge_on_cluster(request: Request, summary: Summary) -> None:
    """By workers elsewhere, part by part as they come; what is noted of single records is in their order all the same.

    Raises:
        Problem: `no-cluster` if the extra is not installed.
    """
    try:
        from capomastro.batch import cluster  # noqa: PLC0415 - an optional extra
    except ImportError:
        raise Problem("no-cluster", "A cluster needs Dask: install `capomastro[cluster]`.") from None
    assert request.cluster is not None
    assert request.verdicts is not None
    noted: dict[int, list[Answer]] = {}
    found = list(listed(request))
    with (
        cluster.connected(request.cluster, request.jobs or processes.cores(), partial(click.echo, err=True)) as client,
        progress(found, 0, summary) as bar,
    ):
        for done in cluster.judged(client, found, request.terms, request.verdicts, request.restart):
            noted[done.number] = done.summary.noted
            summary.add(done.summary)
            bar.update(done.bytes)
    summary.noted = [verdict for number in sorted(noted) for verdict in noted[number]][:MOST_NOTED]


# --- being stopped ---------------------------------------------------------------------------------------------------


class Terminated(KeyboardInterrupt):
    """SIGTERM: as Ctrl-C, for those who end processes by it."""


@contextmanager
def stopped_by_signals() -> Iterator[None]:
    """SIGTERM is raised, as Ctrl-C is by itself."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(*_: Any) -> None:
        raise Terminated

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


# --- how far it has come ---------------------------------------------------------------------------------------------


class Bar(tqdm):  # type: ignore[type-arg]
    """A bar that grows with the bytes read and tells records: how long those yet to be read take, nobody knows."""

    def __init__(self, total: int | None, begun_at: int, summary: Summary) -> None:
        self.summary = summary
        self.before = summary.records
        layout = BAR if total is not None else BAR_OF_UNKNOWN_LENGTH
        only_on_a_terminal: Any = {"disable": None, "dynamic_ncols": True, "leave": False}
        super().__init__(total=total, initial=begun_at, bar_format=layout, **only_on_a_terminal)

    @property
    def format_dict(self) -> Any:
        """What can stand in the layout."""
        known = super().format_dict
        records, elapsed = self.summary.records, known["elapsed"]
        pace = f"{(records - self.before) / elapsed:,.0f}/s" if elapsed else "…"
        return {**known, "records": f"{records:,}", "pace": pace}


def progress(found: Iterable[Source], begun_at: int, summary: Summary) -> Bar:
    """A bar for what is found; of unknown length if something has no size, as standard input."""
    total = 0
    for source in found:
        if source.bytes is None:
            return Bar(None, begun_at, summary)
        total += source.bytes
    return Bar(total, begun_at, summary)


def say_going_on(summary: Summary) -> None:
    if summary.records:
        click.echo(f"Going on after {summary.records:,} records.", err=True)


# --- what became of it -----------------------------------------------------------------------------------------------


def summary_lines(summary: Summary, seconds: float, verdicts: str | None) -> Iterator[str]:
    """The first records that are not right, then how many came to which verdict, and the rules that were broken."""
    yield from map(noted_line, summary.noted)
    more = summary.wrong + summary.unusable - len(summary.noted)
    if more:
        where = f"{printable(verdicts)} has them all" if verdicts else "--verdicts FILE keeps them all"
        yield f"… and {more:,} more; {where}"
    if summary.noted:
        yield ""
    yield from table_of_verdicts(summary)
    if summary.rules():
        yield ""
        rows = [["records", "first rule broken"], *([f"{number:,}", rule] for rule, number in summary.rules())]
        yield from table(rows, right=(0,))
    yield ""
    yield f"{summary.records:,} {'record' if summary.records == 1 else 'records'} in {seconds:,.1f} s"


def table_of_verdicts(summary: Summary) -> list[str]:
    """A row per game, a column per verdict that occurs, and sums."""
    numbers = dict(summary.verdicts())
    words = sorted({verdict for _, verdict in numbers}, key=lambda verdict: (verdict != "legal", verdict))
    counts = {game or "of no known game": [numbers.get((game, word), 0) for word in words] for game in summary.games()}
    if len(counts) > 1:
        counts["all"] = [sum(column) for column in zip(*counts.values(), strict=True)]
    rows = [[label, *(f"{number:,}" for number in (*row, sum(row)))] for label, row in counts.items()]
    return table([["", *words, "all"], *rows], right=range(1, len(words) + 2))


def noted_line(verdict: Answer) -> str:
    """`club.ndjson:17: illegal at ply 23: the payment is worth 7, the price is 9 [palazzo.buy.price]`."""
    if "first_divergence" in verdict:
        divergence = verdict["first_divergence"]
        refusal = divergence["refusal"]
        departure = DEPARTURES[divergence["departure"]].format(divergence["index"])
        said = f"{departure}: {refusal['message']} [{refusal['rule']}]"
    elif "problem" in verdict:
        said = verdict["detail"]
    else:
        said = f"the claimed result is {'not reached' if verdict['verdict'] == 'unfinished' else 'wrong'}"
    where = click.style(printable(f"{verdict['source']}:{verdict['line']}"), bold=True)
    return f"{where}: {printable(said)}"
