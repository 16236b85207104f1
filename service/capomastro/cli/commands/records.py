"""`replay` and `convert`: recorded games."""

from collections.abc import Sequence

import click

from capomastro import adjudicator, archive
from capomastro.archive import Terms
from capomastro.batch.files import path_shown
from capomastro.batch.sources import is_archive
from capomastro.cli import sources
from capomastro.cli.questions import ILLEGAL, UNUSABLE, Question, plain, say_problem, settings, with_json
from capomastro.cli.records import record_text, write
from capomastro.cli.replays import say_replay
from capomastro.documents import json_text
from capomastro.documents.problems import Problem
from capomastro.engine.records import Repair


@click.command(cls=Question, short_help="Judge recorded games.")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--under-current-rules", is_flag=True, help="Judge records of older rules by the current ones.")
@click.option(
    "--repair",
    type=click.Choice([repair.value for repair in Repair]),
    help="Follow a record beyond its first illegal move: leave out what is not legal, or correct it.",
)
@click.option(
    "--verdicts",
    metavar="VERDICTS",
    help="Write the verdict on each record into VERDICTS, one a line; interrupted, the same command goes on.",
)
@click.option("--restart", is_flag=True, help="Empty VERDICTS first, whatever has been judged before.")
@click.option("--jobs", type=click.IntRange(1), metavar="N", help="Processes to judge with; one per core if not said.")
@click.option("--lines", "by_line", is_flag=True, help="The files hold a record a line, whatever they are called.")
@click.option(
    "--cluster",
    metavar="ADDRESS",
    help='Judge by the Dask cluster at ADDRESS, or a small one started here ("local"); VERDICTS is a directory then.',
)
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
    as_json: bool,
) -> None:
    """Replay recorded games: is every move legal, and the claimed result right?

    A FILE holds one record (.json, .capo), or one a line (.ndjson, .jsonl), and may be compressed (.gz); or it is a
    directory with such files. Of a single record the first illegal move is printed with the rule it breaks and the
    legal moves nearest to it; of many, how many came to which verdict. With --json, a line per file or record. The
    exit code is 1 if a record is wrong, 2 if one cannot be used.
    """
    if verdicts is None and (restart or cluster):
        raise click.UsageError("--restart and --cluster need --verdicts.")
    if verdicts or jobs or by_line or any(map(is_archive, files)):
        from capomastro.cli import archives  # noqa: PLC0415 - not needed for a single record

        limits = settings()
        terms = Terms(limits.maximum_record_bytes, limits.maximum_moves, under_current_rules, repair)
        request = archives.Request(files, terms, by_line, verdicts, restart, jobs, cluster, as_json)
        context.exit(archives.replay(request))
    code = 0
    for file in files:
        where = {"source": path_shown(file), "line": 1}
        try:
            source = sources.read_source(file, "record")
            with source.pointing("record"):
                answer = adjudicator.replay(source.game, source.document, under_current_rules, repair)
            answer = source.into_file(plain(answer), "record")
        except Problem as problem:
            code = UNUSABLE
            if as_json:
                click.echo(json_text.encode({**where, **archive.unusable(problem)}))
            else:
                say_problem(problem, file)
            continue
        if not answer["legal"] or answer.get("claimed_result_matches") is False:
            code = max(code, ILLEGAL)
        if as_json:
            click.echo(json_text.encode({**where, **answer}))
        else:
            say_replay(file, answer)
    context.exit(code)


@click.command(cls=Question, short_help="Turn a record in JSON into text, or back.")
@click.argument("file")
@click.option("--to", "form", type=click.Choice(["json", "text"]), help="The form to write; the other one if not said.")
@click.option("--output", metavar="OUTPUT", type=click.Path(dir_okay=False), help="Write to OUTPUT, not to the screen.")
@click.option("--json", "as_json", is_flag=True, help="Answer problems in JSON.")
def convert(file: str, form: str | None, output: str | None, as_json: bool) -> None:
    """Write the record in FILE in the other form: as JSON, or as text with one move a line (.capo).

    Nothing is lost on the way from JSON to text and back; the other way comments are.
    """
    source = sources.read_source(file, "record")
    with source.pointing("record"):
        adjudicator.shaped_record(source.game, source.document, under_current_rules=True)
    text = record_text(source.document, by_hand=form == "text" if form else source.notated is None)
    if output is None:
        click.echo(text, nl=False)
    else:
        write(output, text)
