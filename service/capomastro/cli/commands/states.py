"""`legal-moves`, `audit`, `score`, `view` and `picture`: questions about a state or a scoresheet."""

from functools import partial

import click
from msgspec import UNSET

from capomastro import adjudicator
from capomastro.cli import sources
from capomastro.cli.endings import ILLEGAL
from capomastro.cli.records import record_text
from capomastro.cli.shared import (
    AdjudicatorCommand,
    error_line,
    plain,
    print_document,
    print_heading,
    print_json,
    print_lines,
    with_json,
)
from capomastro.cli.states import page_lines, print_state
from capomastro.cli.translation import PATH
from capomastro.documents import notation
from capomastro.documents.problems import Problem
from capomastro.documents.wordings import phrase
from capomastro.drawing.pictures import LAYOUTS
from capomastro.layout.formatting import (
    decision_line,
    inline,
    move_text,
    naming,
    printable,
    prints_sentences,
)
from capomastro.layout.scores import score_lines


@click.command("legal-moves", cls=AdjudicatorCommand, short_help="List the legal moves of a position.")
@click.argument("file", type=PATH)
@click.option(
    "--limit",
    type=click.IntRange(1, adjudicator.MAXIMUM_LIMIT),
    default=adjudicator.DEFAULT_LIMIT,
    show_default=True,
    help="Maximum number of moves to list.",
)
@click.option("--cursor", help="Continue there; the previous page prints it.")
@click.option(
    "--payments",
    type=click.Choice(["minimal", "all"]),
    default="minimal",
    show_default=True,
    help="Payments without a superfluous part, or all.",
)
@click.option("--notation", "as_notation", is_flag=True, help="Print moves in text notation, as `move` takes them.")
@click.option("--explain", is_flag=True, help="Explain why other kinds of moves are unavailable.")
@with_json
def legal_moves(
    file: str, limit: int, cursor: str | None, payments: str, as_notation: bool, explain: bool, as_json: bool
) -> None:
    """List the legal moves of the state in FILE, or of the last position of a record, with their exact number."""
    source = sources.read_position(file)
    document = source.document
    with source.pointing("state"):
        texts = prints_sentences(source.game) and not as_notation and not as_json
        answer = plain(adjudicator.legal_moves(source.game, document, limit, cursor, payments == "all", explain, texts))
    if as_json:
        print_json(answer)
        return
    print_heading(decision_line(source.game, answer["decision"], document.get("names")))
    text = partial(notation.written_move, source.game) if as_notation or texts else move_text
    print_lines("  " + line for line in page_lines(answer, text))
    if "next_cursor" in answer:
        click.echo("  " + phrase("next-page", cursor=answer["next_cursor"]))
    if not answer["complete"]:
        click.echo("  " + phrase("unknown-cards"))
    for kind in answer.get("unavailable", ()):
        reason = {
            "type": inline(kind["type"], naming(source.game)),
            "message": printable(kind["message"]),
            "rule": kind["rule"],
        }
        click.echo("  " + phrase("not-available", **reason))


@click.command(cls=AdjudicatorCommand, short_help="Find what is impossible in a state.")
@click.argument("file", type=PATH)
@with_json
@click.pass_context
def audit(context: click.Context, file: str, as_json: bool) -> None:
    """Audit the state in FILE, or the last position of a record: list everything impossible in it."""
    source = sources.read_position(file)
    with source.pointing("state"):
        findings = source.into_file(adjudicator.audit(source.game, source.document).findings, "state")
    if as_json:
        print_json({"findings": findings})
    elif findings:
        click.secho(phrase("findings", findings=findings), fg="red")
        print_lines("  " + error_line(finding) for finding in findings)
    else:
        click.secho(phrase("possible"), fg="green")
    context.exit(ILLEGAL if findings else 0)


@click.command(cls=AdjudicatorCommand, short_help="Score a scoresheet or a finished game.")
@click.argument("file", type=PATH)
@click.option(
    "--even-if-impossible", is_flag=True, help="Also score a scoresheet that the rules do not allow, and say why not."
)
@with_json
def score(file: str, even_if_impossible: bool, as_json: bool) -> None:
    """Score the scoresheet or the finished state in FILE, with every line of the arithmetic."""
    source = sources.read_source(file, "scoresheet", "state")
    game, document = source.game, source.document
    if sources.is_record(document):
        raise Problem("shape", phrase("record-to-score"))
    if sources.is_state(document):
        with source.pointing("state"):
            answer = plain(adjudicator.score_state(game, document))
        names = document.get("names")
    else:
        with source.pointing("scoresheet"):
            answer = plain(adjudicator.score_scoresheet(game, document, even_if_impossible=even_if_impossible))
        names = [seat.get("name") for seat in document["seats"]]
    if as_json:
        print_json(answer)
    else:
        print_lines(score_lines(game, answer, names))


@click.command(cls=AdjudicatorCommand, short_help="Hide from a state or record what a seat may not know.")
@click.argument("file", type=PATH)
@click.option("--seat", type=click.IntRange(0), help="Show what this seat may know.")
@click.option("--spectator", is_flag=True, help="Show what a spectator may know.")
@click.option("--position", "last", is_flag=True, help="Of a record, show the last position, not the moves.")
@with_json
def view(file: str, seat: int | None, spectator: bool, last: bool, as_json: bool) -> None:
    """Print the state or record in FILE as a seat or a spectator may know it."""
    if (seat is None) != spectator:
        raise click.UsageError(phrase("seat-or-spectator"))
    source = sources.read_position(file) if last else sources.read_source(file, "record", "state")
    game, document = source.game, source.document
    if sources.is_record(document):
        with source.pointing("record"):
            seen = plain(adjudicator.view_of_record(game, document, seat).record)
        print_document(record_text(seen, as_notation=source.notated is not None and not as_json))
        return
    with source.pointing("state"):
        state = adjudicator.view_of_state(game, document, seat).state
    described = plain(adjudicator.described(game, state)._asdict())
    if as_json:
        print_json(described["state"])
    else:
        print_state(game, described["state"], described["decision"], described["derived"])


@click.command(cls=AdjudicatorCommand, short_help="Draw a position or a scoresheet as SVG.")
@click.argument("file", type=PATH)
@click.option(
    "--ply", type=click.IntRange(0), help="Of a record, the position after this many moves; by default the last."
)
@click.option("--seat", type=click.IntRange(0), help="Draw what this seat may know.")
@click.option("--spectator", is_flag=True, help="Draw what a spectator may know.")
@click.option("--layout", type=click.Choice(list(LAYOUTS)), default="wide", show_default=True, help="For which width.")
@click.option("--result", is_flag=True, help="Draw the result: places, points and what they are for.")
@click.option("--note", default="", help="Of a result, a line below the name of the game, such as the day.")
@click.option("--even-if-impossible", is_flag=True, help="Also draw the result of an impossible scoresheet.")
def picture(
    file: str,
    ply: int | None,
    seat: int | None,
    spectator: bool,
    layout: str,
    result: bool,
    note: str,
    even_if_impossible: bool,
) -> None:
    """Draw the state or the scoresheet in FILE, or a position of a record, as SVG."""
    if spectator and seat is not None:
        raise click.UsageError(phrase("seat-or-spectator"))
    viewer = seat if seat is not None else None if spectator else UNSET
    source = sources.read_source(file, "record", "state", "scoresheet")
    game, document = source.game, source.document
    if ply is not None and not sources.is_record(document):
        raise click.UsageError(phrase("ply-without-record"))
    if (ply is not None or viewer is not UNSET) if result else (note or even_if_impossible):
        raise click.UsageError(phrase("result-or-position"))
    if result:
        kind = "record" if sources.is_record(document) else "state" if sources.is_state(document) else "scoresheet"
        with source.pointing(kind):
            drawn = adjudicator.pictures_of_result(game, kind, document, layout, note, even_if_impossible)
        print_document(drawn.pictures[0] + "\n")
        return
    if sources.is_record(document):
        with source.pointing("record"):
            drawn = adjudicator.pictures_of_record(game, document, layout, viewer, ply)
    elif sources.is_state(document):
        with source.pointing("state"):
            drawn = adjudicator.pictures_of_state(game, document, layout, viewer)
    elif viewer is UNSET:
        with source.pointing("scoresheet"):
            drawn = adjudicator.pictures_of_scoresheet(game, document, layout)
    else:
        raise click.UsageError(phrase("scoresheet-for-seat"))
    print_document(drawn.pictures[0] + "\n")
