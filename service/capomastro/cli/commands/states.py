"""`legal-moves`, `audit`, `score` and `view`: what one can ask about a state, and what lies on a table."""

import click

from capomastro import adjudicator
from capomastro.cli import sources
from capomastro.cli.formatting import decision_line, inline, printable
from capomastro.cli.questions import (
    ILLEGAL,
    Question,
    error_line,
    plain,
    say,
    say_heading,
    say_json,
    with_json,
)
from capomastro.cli.records import record_text
from capomastro.cli.scores import score_lines
from capomastro.cli.states import page_lines, say_state
from capomastro.documents.problems import Problem


@click.command("legal-moves", cls=Question, short_help="List the legal moves of a state.")
@click.argument("file")
@click.option(
    "--limit",
    type=click.IntRange(1, adjudicator.MAXIMUM_LIMIT),
    default=adjudicator.DEFAULT_LIMIT,
    show_default=True,
    help="How many moves to list.",
)
@click.option("--cursor", help="Where to go on, as the page before says.")
@click.option(
    "--payments",
    type=click.Choice(["minimal", "all"]),
    default="minimal",
    show_default=True,
    help="Payments of which no part would do, or all.",
)
@click.option("--explain", is_flag=True, help="Say of each other kind of move why it is not available.")
@with_json
def legal_moves(file: str, limit: int, cursor: str | None, payments: str, explain: bool, as_json: bool) -> None:
    """List the legal moves of the state in FILE, with their exact number."""
    source = sources.read_source(file, "state")
    document = source.document
    with source.pointing("state"):
        answer = plain(adjudicator.legal_moves(source.game, document, limit, cursor, payments == "all", explain))
    if as_json:
        say_json(answer)
        return
    say_heading(decision_line(answer["decision"], document.get("names")))
    say("  " + line for line in page_lines(answer))
    if "next_cursor" in answer:
        click.echo(f"  Go on with --cursor {answer['next_cursor']}")
    if not answer["complete"]:
        click.echo("  The hand holds unknown cards: moves with those may be legal as well.")
    for one in answer.get("unavailable", ()):
        click.echo(f"  not {inline(one['type'])}: {printable(one['message'])} [{one['rule']}]")


@click.command(cls=Question, short_help="Find what cannot be in a state.")
@click.argument("file")
@with_json
@click.pass_context
def audit(context: click.Context, file: str, as_json: bool) -> None:
    """Examine the state in FILE: everything in it that cannot be."""
    source = sources.read_source(file, "state")
    with source.pointing("state"):
        findings = source.into_file(adjudicator.audit(source.game, source.document)["findings"], "state")
    if as_json:
        say_json({"findings": findings})
    elif findings:
        click.secho(f"{len(findings)} findings" if len(findings) > 1 else "1 finding", fg="red")
        say("  " + error_line(finding) for finding in findings)
    else:
        click.secho("This state can be.", fg="green")
    context.exit(ILLEGAL if findings else 0)


@click.command(cls=Question, short_help="Score a table or a finished game.")
@click.argument("file")
@with_json
def score(file: str, as_json: bool) -> None:
    """Score the scoresheet or the finished state in FILE, with every line of the arithmetic."""
    source = sources.read_source(file, "scoresheet", "state")
    game, document = source.game, source.document
    if sources.is_record(document):
        raise Problem("shape", "This is a record; `capomastro replay` says how it ends.")
    if sources.is_state(document):
        with source.pointing("state"):
            answer = plain(adjudicator.score_state(game, document))
        names = document.get("names")
    else:
        with source.pointing("scoresheet"):
            answer = plain(adjudicator.score_scoresheet(game, document))
        names = [seat.get("name", f"seat {index}") for index, seat in enumerate(document["seats"])]
    if as_json:
        say_json(answer)
    else:
        say(score_lines(game, answer, names))


@click.command(cls=Question, short_help="Hide from a state or record what a seat does not know.")
@click.argument("file")
@click.option("--seat", type=click.IntRange(0), help="As this seat may know it.")
@click.option("--spectator", is_flag=True, help="As somebody may know it who only looks on.")
@with_json
def view(file: str, seat: int | None, spectator: bool, as_json: bool) -> None:
    """Print the state or record in FILE as a seat, or a spectator, may know it."""
    if (seat is None) != spectator:
        raise click.UsageError("Say either --seat N or --spectator.")
    source = sources.read_source(file, "record", "state")
    game, document = source.game, source.document
    if sources.is_record(document):
        with source.pointing("record"):
            seen = plain(adjudicator.view_of_record(game, document, seat))
        click.echo(record_text(seen, by_hand=source.notated is not None and not as_json), nl=False)
        return
    with source.pointing("state"):
        state = adjudicator.view_of_state(game, document, seat)
    standing = plain(adjudicator.standing(game, state))
    if as_json:
        say_json(standing["state"])
    else:
        say_state(game, standing["state"], standing["decision"], standing["derived"])
