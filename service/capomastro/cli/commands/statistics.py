"""`stats`: figures about recorded games."""

import re
from datetime import date

import click

from capomastro.archive import Terms
from capomastro.cli.shared import (
    AdjudicatorCommand,
    settings,
    with_archive_options,
    with_current_rules,
    with_json,
)
from capomastro.cli.translation import PATH
from capomastro.documents.phrases import quoted
from capomastro.documents.wordings import phrase

Pairs = tuple[tuple[str, str], ...]
DATE = re.compile(r"[0-9]{4}(-[0-9]{2}){0,2}")


def split_tags(_context: click.Context, _parameter: click.Parameter, given: tuple[str, ...]) -> Pairs:
    """Splits `name=value` pairs."""
    pairs = []
    for pair in given:
        name, sign, value = pair.partition("=")
        if not (name and sign):
            raise click.BadParameter(phrase("no-pair", text=quoted(pair)))
        pairs.append((name, value))
    return tuple(pairs)


def date_in(_context: click.Context, _parameter: click.Parameter, given: str | None) -> str | None:
    """A date that can be compared as a text: a year, with or without month and day."""
    if given is not None and not (DATE.fullmatch(given) and is_date(given + "0000-01-01"[len(given) :])):
        raise click.BadParameter(phrase("no-date", text=quoted(given)))
    return given


def is_date(text: str) -> bool:
    """Whether the calendar has such a day."""
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


@click.command(cls=AdjudicatorCommand, short_help="Count what happens in recorded games.")
@click.argument("files", type=PATH, nargs=-1, required=True, metavar="FILE...")
@click.option("--player", "players", multiple=True, metavar="NAME", help="Only games of this player; can be repeated.")
@click.option(
    "--tag",
    "tags",
    multiple=True,
    metavar="NAME=VALUE",
    callback=split_tags,
    help="Only games with this tag; can be repeated.",
)
@click.option(
    "--since",
    metavar="DATE",
    callback=date_in,
    help="Only games whose tag `date` is DATE (2024-03-09, 2024) or later.",
)
@click.option("--until", metavar="DATE", callback=date_in, help="Only games whose tag `date` is DATE or earlier.")
@click.option("--rules-version", type=int, metavar="N", help="Only games by version N of the rules.")
@click.option(
    "--where",
    "where",
    multiple=True,
    metavar="COMPARISON",
    help="Only games with such a position, as in `/seats/0/points >= 10`; can be repeated.",
)
@click.option(
    "--depth",
    type=click.IntRange(0, 20),
    default=2,
    show_default=True,
    metavar="N",
    help="How many moves of players at the beginning of each game to count as its opening.",
)
@click.option("--csv", "as_csv", is_flag=True, help="Print every figure as a line of CSV.")
@click.option(
    "--parquet",
    "tables",
    type=PATH,
    metavar="DIRECTORY",
    help="Also write games, results and moves as tables to DIRECTORY.",
)
@with_current_rules
@with_archive_options
@click.option(
    "--cluster", metavar="ADDRESS", help='Count on the Dask cluster at ADDRESS, or a small one started here ("local").'
)
@with_json
@click.pass_context
def stats(
    context: click.Context,
    files: tuple[str, ...],
    players: tuple[str, ...],
    tags: Pairs,
    since: str | None,
    until: str | None,
    rules_version: int | None,
    where: tuple[str, ...],
    depth: int,
    as_csv: bool,
    tables: str | None,
    under_current_rules: bool,
    jobs: int | None,
    by_line: bool,
    cluster: str | None,
    as_json: bool,
) -> None:
    """Count what happens in recorded games, by title and number of players.

    Games, their lengths, points by seat and place, shared victories, decisions and legal moves, moves by kind of
    decision and of move, and how first moves do. FILE is as for replay; records with an illegal move are left out.
    """
    from capomastro.batch.statistics import Question  # noqa: PLC0415 - not needed by other commands
    from capomastro.cli import statistics  # noqa: PLC0415 - not needed by other commands

    limits = settings()
    comparisons = tuple(map(statistics.comparison_in, where))
    question = Question(players, tags, since, until, rules_version, comparisons, depth, tables is not None)
    terms = Terms(limits.maximum_record_bytes, limits.maximum_moves, under_current_rules)
    request = statistics.Request(files, terms, question, by_line, jobs, cluster, as_csv, as_json, tables)
    context.exit(statistics.tell_statistics(request))
