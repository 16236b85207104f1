"""`replay`, `repair` and `convert`: recorded games."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import click

from capomastro import adjudicator, archive
from capomastro.adjudicator.loading import load_record
from capomastro.archive import Terms
from capomastro.batch.files import path_text
from capomastro.batch.sources import holds_lines, is_archive
from capomastro.cli import sources
from capomastro.cli.endings import ILLEGAL, UNUSABLE
from capomastro.cli.records import record_text, write
from capomastro.cli.replays import print_replay
from capomastro.cli.shared import (
    AdjudicatorCommand,
    plain,
    print_document,
    print_lines,
    print_problem,
    settings,
    with_archive_options,
    with_current_rules,
    with_json,
)
from capomastro.cli.tables import read_table
from capomastro.cli.translation import PATH
from capomastro.documents import json_text
from capomastro.documents.problems import Problem
from capomastro.documents.wordings import phrase
from capomastro.engine.records import Repair
from capomastro.layout.formatting import printable
from capomastro.layout.narrative import narrative_lines
from capomastro.tables import draws


@click.command(cls=AdjudicatorCommand, short_help="Judge recorded games.")
@click.argument("files", type=PATH, nargs=-1, required=True, metavar="FILE...")
@with_current_rules
@click.option(
    "--repair",
    type=click.Choice([repair.value for repair in Repair]),
    help="Continue beyond the first illegal move: leave illegal moves out, or correct them.",
)
@click.option(
    "--verdicts",
    type=PATH,
    metavar="VERDICTS",
    help="Write the verdict on each record to VERDICTS, one per line; if interrupted, the same command resumes.",
)
@click.option("--restart", is_flag=True, help="Discard the verdicts in VERDICTS first.")
@with_archive_options
@click.option(
    "--cluster",
    metavar="ADDRESS",
    help='Judge on the Dask cluster at ADDRESS, or a small one started here ("local"); VERDICTS is then a directory.',
)
@click.option("--all", "list_all", is_flag=True, help="List every fault of an archive, by kind.")
@click.option("--finished", "must_be_finished", is_flag=True, help="Count a record of an unfinished game as wrong.")
@click.option(
    "--report",
    "reports",
    type=PATH,
    multiple=True,
    metavar="REPORT",
    help="Write the faults of an archive to REPORT: a page (.html) or a table (.csv); can be repeated.",
)
@click.option(
    "--pictures",
    type=click.IntRange(0, 1000),
    default=100,
    show_default=True,
    metavar="N",
    help="Show the position of the first N faults in a page, and of one of each kind.",
)
@click.option("--seed", metavar="SEED", help="Compare every draw with what SEED draws.")
@click.option(
    "--table", "table_file", type=PATH, metavar="TABLE", help="Compare an opened game with a sealed table of it."
)
@click.option("--draws", "only_draws", is_flag=True, help="Print only the draws, with weights, one JSON object a line.")
@click.option("--tell", is_flag=True, help="Tell the game in sentences, turn by turn, as far as it is legal.")
@with_json
@click.pass_context
def replay(
    context: click.Context,
    files: Sequence[str],
    under_current_rules: bool,
    repair: str | None,
    verdicts: str | None,
    restart: bool,
    jobs: int | None,
    by_line: bool,
    cluster: str | None,
    list_all: bool,
    must_be_finished: bool,
    reports: Sequence[str],
    pictures: int,
    seed: str | None,
    table_file: str | None,
    only_draws: bool,
    tell: bool,
    as_json: bool,
) -> None:
    """Replay recorded games: is every move legal, and is the claimed result right?

    A FILE holds one record (.json, .capo) or one per line (.ndjson, .jsonl), and may be compressed (.gz); or it is a
    directory of such files. For a single record, print the first illegal move with the rule it breaks and the nearest
    legal moves; for many, the number of records by verdict. With --json, one line per file or record. The exit code is
    1 if a record is wrong, 2 if one cannot be judged.
    """
    if verdicts is None and (restart or cluster):
        typed = [*(["--restart"] if restart else []), *(["--cluster"] if cluster else [])]
        raise click.UsageError(phrase("without-verdicts", options=typed))
    for report in reports:
        if not report.removesuffix(".gz").endswith((".html", ".csv")):
            raise click.UsageError(phrase("no-kind-of-report", file=path_text(report)))
    if verdicts or jobs or by_line or list_all or reports or any(map(is_archive, files)):
        given = {"--seed": seed is not None, "--table": table_file is not None, "--draws": only_draws, "--tell": tell}
        if typed := [option for option, is_given in given.items() if is_given]:
            raise click.UsageError(phrase("only-single-records", options=typed))
        from capomastro.cli import archives  # noqa: PLC0415 - not needed for a single record

        limits = settings()
        terms = Terms(limits.maximum_record_bytes, limits.maximum_moves, under_current_rules, repair)
        request = archives.Request(
            files, terms, by_line, verdicts, restart, jobs, cluster, as_json, list_all, must_be_finished
        )._replace(reports=reports, pictures=pictures)
        context.exit(archives.replay(request))
    if only_draws:
        for file in files:
            print_draws(sources.read_source(file, "record"))
        return
    options = ReplayOptions(under_current_rules, repair, must_be_finished, seed, table_file, tell, as_json)
    context.exit(max(replayed(file, options) for file in files))


class ReplayOptions(NamedTuple):
    """How to replay each record, what to compare its draws with, and how to print the answer."""

    under_current_rules: bool
    repair: str | None
    must_be_finished: bool
    seed: str | None
    table_file: str | None
    tell: bool
    as_json: bool


def replayed(file: str, options: ReplayOptions) -> int:
    """Replays the record in a file, prints the answer, and returns the exit code."""
    try:
        source = sources.read_source(file, "record")
        answer = answered(file, source, options)
    except Problem as problem:
        print_unusable(file, problem, options)
        return UNUSABLE
    print_answer(file, source, answer, options)
    missed = options.must_be_finished and answer["verdict"] == "unfinished"
    wrong = not answer["legal"] or answer.get("claimed_result_matches") is False or answer.get("unfair") or missed
    return ILLEGAL if wrong else 0


def answered(file: str, source: sources.Source, options: ReplayOptions) -> dict[str, Any]:
    """The answer on a record, with pointers into its file; `unfair` has what is wrong with its draws, if asked for."""
    texts = options.tell or not options.as_json
    with source.pointing("record"):
        answer = adjudicator.replay(
            source.game, source.document, options.under_current_rules, options.repair, texts=texts
        )
    document: dict[str, Any] = source.into_file(answer, "record")
    unfair = unfairness(file, source, document, options)
    return document if unfair is None else {**document, "unfair": unfair}


def print_unusable(file: str, problem: Problem, options: ReplayOptions) -> None:
    if options.as_json:
        print_line(file, plain(archive.unusable(problem, archive.Line(1, None))))
    else:
        print_problem(problem, file)


def print_answer(file: str, source: sources.Source, answer: Mapping[str, Any], options: ReplayOptions) -> None:
    if options.as_json:
        print_line(file, answer)
        return
    if options.tell:
        print_lines(narrative_lines(answer["course"], answer["state"].get("names")))
    print_replay(source.game, file, answer)
    if "unfair" in answer:
        print_fairness(answer["unfair"])


def print_line(file: str, verdict: Mapping[str, Any]) -> None:
    """Prints a verdict as one line of JSON, with the place of its record as in archives."""
    click.echo(json_text.encode({"source": path_text(file), "line": 1, **verdict}))


def unfairness(
    file: str, source: sources.Source, answer: Mapping[str, Any], options: ReplayOptions
) -> list[str] | None:
    """What is wrong with the draws, or differs from what a sealed table promised; None if nobody asked."""
    seed = options.seed
    if (seed is None and options.table_file is None) or not answer["legal"]:
        return None
    if options.table_file is None:
        assert seed is not None
        return draws.faults(source.game, source.document, seed)
    opened = sources.read(file, settings().maximum_record_bytes)
    if not is_opened_game(opened):
        raise Problem("shape", phrase("no-opened-game", file=path_text(file)))
    broken = draws.deviations_from_table(source.game, opened, read_table(options.table_file))
    return [*broken, *draws.faults(source.game, source.document, opened["seed"] if seed is None else seed)]


def is_opened_game(document: Any) -> bool:
    """Whether a document has, beside a record, the root, shares and seed of a sealed table."""
    if not isinstance(document, dict) or not isinstance(document.get("shares"), list):
        return False
    texts = (document.get("root"), document.get("seed"), *document["shares"])
    return "record" in document and all(isinstance(text, str) for text in texts)


def print_fairness(unfair: Sequence[str]) -> None:
    if not unfair:
        click.secho("  " + phrase("draws-right"), fg="green")
    for fault in unfair:
        click.secho(printable("  " + phrase("unfair", fault=fault)), fg="red")


def print_draws(source: sources.Source) -> None:
    """Prints every draw of a record as a line of JSON."""
    with source.pointing("record"):
        start, moves = load_record(source.game, source.document, under_current_rules=False, at="/record")
    for draw in draws.draws_in(source.game, start, moves):
        click.echo(json_text.encode(draw))


@click.command("repair", cls=AdjudicatorCommand, short_help="Repair recorded games.")
@click.argument("files", type=PATH, nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--output",
    type=PATH,
    required=True,
    metavar="OUTPUT",
    help="Write to OUTPUT: a file with one record (.json, .capo) or one per line (.ndjson, .jsonl), or a directory.",
)
@with_archive_options
@with_json
@click.pass_context
def repair_records(
    context: click.Context,
    files: Sequence[str],
    output: str,
    jobs: int | None,
    by_line: bool,
    as_json: bool,
) -> None:
    """Repair recorded games: write them with their illegal moves corrected, and list what was done.

    Everything it writes is legal; of equal remedies it takes one that meets the claimed result. The recorded moves stay
    beside the new ones, as comments (.capo) or tags. Records that are repeated word for word are left out. So are those
    that cannot be repaired; then the exit code is 1, or 2 if one cannot be used.
    """
    from capomastro.cli import repairs  # noqa: PLC0415 - not needed by other commands

    limits = settings()
    terms = Terms(limits.maximum_record_bytes, limits.maximum_moves)
    context.exit(repairs.repair_archive(repairs.Request(files, output, terms, by_line, jobs, as_json)))


@click.command(cls=AdjudicatorCommand, short_help="Turn a record in JSON into text, or back.")
@click.argument("file", type=PATH)
@click.option("--to", "form", type=click.Choice(["json", "text"]), help="The form to write.  [default: the other one]")
@click.option(
    "--output", metavar="OUTPUT", type=click.Path(dir_okay=False), help="Write to OUTPUT instead of standard output."
)
@click.option("--json", "as_json", is_flag=True, help="Print problems as JSON.")
def convert(file: str, form: str | None, output: str | None, as_json: bool) -> None:
    """Convert the record in FILE to the other form: JSON, or text with one move per line (.capo).

    From JSON to text and back nothing is lost; from text to JSON the comments are. --to text keeps those of a text.
    """
    source = sources.read_source(file, "record")
    with source.pointing("record"):
        adjudicator.shaped_record(source.game, source.document, under_current_rules=True)
    as_notation = form == "text" if form else source.notated is None
    by_line = output is not None and holds_lines(output)
    text = record_text(source.document, as_notation, source.notated, by_line)
    if output is None:
        print_document(text)
    else:
        write(output, text)
