"""The commands. Each asks one question and prints the answer for a person, or with `--json` as a document."""

import os
import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from textwrap import wrap
from typing import Any

import click

import capomastro
from capomastro import adjudicator, archive, catalogue
from capomastro.archive import Terms
from capomastro.batch.files import path_shown
from capomastro.batch.sources import is_archive
from capomastro.cli import counting, random_play, sources
from capomastro.cli.formatting import (
    actor_of,
    aligned,
    decision_line,
    inline,
    move_line,
    move_text,
    name_of,
    outline,
    points_by_name,
    printable,
    state_rows,
    table,
)
from capomastro.cli.questions import (
    ILLEGAL,
    UNUSABLE,
    Question,
    error_line,
    plain,
    say,
    say_heading,
    say_json,
    say_problem,
    settings,
    with_json,
    with_setup,
)
from capomastro.cli.replays import say_replay
from capomastro.cli.scores import result_lines, score_lines
from capomastro.documents import json_text, notation
from capomastro.documents.problems import Problem
from capomastro.engine.game import AnyGame
from capomastro.engine.records import Repair
from capomastro.games import all_games
from capomastro.settings import PREFIX, VARIABLES

WIDTH = 96


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(capomastro.__version__, message="%(prog)s %(version)s")
def main() -> None:
    """A referee for building games: legal moves, verdicts, replays and scores.

    Files hold JSON documents, or records written by hand; "-" is standard input. Exit codes: 0 if the answer is yes, 1
    if it is no (an illegal move, something that cannot be), 2 if the question could not be answered.
    """


def read(file: str, *members: str) -> sources.Source:
    """The document of a file."""
    return sources.source_of(sources.read(file, settings().maximum_record_bytes), *members)


main.add_command(counting.command)


# --- serve -----------------------------------------------------------------------------------------------------------


class Serve(click.Command):
    """Prints the table of settings below its help."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Environment variables"):
            formatter.write_dl([(line.name, f"{line.meaning}  {said_value(line)}") for line in VARIABLES])


def said_value(line: Any) -> str:
    """`[8000]`, or if the environment says otherwise `[8000; now 9000]`."""
    now = f"; now {printable(os.environ[line.name])}" if line.name in os.environ else ""
    return f"[{line.default}{now}]"


@main.command(cls=Serve, short_help="Answer over HTTP.")
@click.option("--host", help="The address to listen on, instead of CAPOMASTRO_HOST.")
@click.option("--port", type=click.IntRange(1, 65535), help="The port to listen on, instead of PORT.")
def serve(host: str | None, port: int | None) -> None:
    """Answer over HTTP until stopped.

    SIGTERM lets running requests finish. What happens is written to stderr, one JSON object per line.
    """
    chosen = settings()
    given: dict[str, Any] = {"host": host, "port": port}
    for name in unknown_variables(os.environ):
        click.echo(f"Warning: {name} is no setting; `capomastro serve --help` lists them.", err=True)
    from capomastro.api.server import starting  # noqa: PLC0415 - only this command needs Flask and gunicorn

    starting.serve(replace(chosen, **{name: value for name, value in given.items() if value is not None}))


def unknown_variables(environment: Mapping[str, str]) -> list[str]:
    """Variables that have our prefix and are no setting, most likely mistyped.

    No error: Kubernetes sets such variables (`CAPOMASTRO_SERVICE_HOST`) if a service is called as we are.
    """
    known = {line.name for line in VARIABLES}
    return sorted(name for name in environment if name.startswith(PREFIX) and name not in known)


# --- games and rules -------------------------------------------------------------------------------------------------


@main.command(cls=Question, short_help="List the games, or show one.")
@click.argument("game", required=False)
@with_json
def games(game: str | None, as_json: bool) -> None:
    """List the games; or show GAME: its options, components, decisions and assumptions."""
    if game is None:
        entries = [catalogue.entry(one) for one in all_games().values()]
        if as_json:
            say_json({"games": entries})
            return
        rows = [
            [one["id"], one["title"], players_text(one), f"rules version {one['rules_version']}"] for one in entries
        ]
        say(table(rows))
        return
    page = plain(catalogue.page(adjudicator.game_of(game), {}))
    if as_json:
        say_json(page)
    else:
        say_page(page)


def players_text(entry: Mapping[str, Any]) -> str:
    """`2 to 4 players`."""
    return f"{entry['players'][0]} to {entry['players'][-1]} players"


def say_page(page: Mapping[str, Any]) -> None:
    """A game's catalogue."""
    say_heading(f"{page['title']}, {players_text(page)}, rules version {page['rules_version']}")
    described, defaults = page["options"]["schema"].get("properties", {}), page["options"]["defaults"]
    if described:
        say_section("Options")
    for name, schema in described.items():
        default = inline(defaults[name]) if name in defaults else "depends on the players"
        say(wrapped(f"{name}  [{default}]", "  "))
        say(wrapped(schema.get("description", ""), "    "))
    if page["components"]:
        say_section("Components")
    for group, counts in page["components"].items():
        click.echo(f"  {printable(group)}")
        say(wrapped(", ".join(f"{token} ×{count}" if count != 1 else token for token, count in counts.items()), "    "))
    say_section("Decisions")
    rows = [[one["kind"], one["actor"], ", ".join(one["moves"])] for one in page["decisions"]]
    say("  " + line for line in table(rows))
    if page["assumptions"]:
        say_section("Assumed, for want of a source")
        for one in page["assumptions"]:
            click.echo(f"  {one['rule']}")
            say(wrapped(one["wording"], "    "))


def say_section(title: str) -> None:
    click.echo()
    say_heading(title)


def wrapped(text: str, indent: str) -> list[str]:
    """Text as lines that break neither a token nor between it and its number."""
    glued = text.replace(" ×", "\N{NO-BREAK SPACE}×")
    lines = wrap(glued, WIDTH, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False)
    return [line.replace("\N{NO-BREAK SPACE}", " ") for line in lines]


@main.command(cls=Question, short_help="List the rules of a game, or show one.")
@click.argument("game")
@click.argument("rule", required=False)
@with_json
def rules(game: str, rule: str | None, as_json: bool) -> None:
    """List the rules of GAME in our words; or show one RULE, by the id that refusals name."""
    found = adjudicator.game_of(game)
    answer = catalogue.rules(found) if rule is None else catalogue.rule_page(found, rule)
    if as_json:
        say_json(answer)
        return
    for one in answer["rules"] if rule is None else [answer]:
        say_heading(one["id"])
        say(wrapped(one["wording"], "  "))
        click.echo(f"  [{one['mark']}: {one['source']}]")


# --- beginning and playing -------------------------------------------------------------------------------------------


@main.command(cls=Question, short_help="Set up a game.")
@with_setup
@click.option("--seed", help="Draws all chance of the set-up; without it chance is to move.")
@with_json
def new(
    game: str,
    players: int,
    names: list[str] | None,
    chosen: dict[str, Any],
    document: dict[str, Any],
    seed: str | None,
    as_json: bool,
) -> None:
    """Set up a game of GAME and print its state."""
    answer = plain(adjudicator.set_up(adjudicator.game_of(game), players, names, {**document, **chosen}, seed))
    if as_json:
        say_json(answer)
    else:
        say_state(adjudicator.game_of(game), answer["state"], answer["decision"], answer["derived"])


def say_state(game: AnyGame, state: Any, decision: Any, derived: Any) -> None:
    """A state under a heading that says where it stands, and what follows from it."""
    decides = decision_line(decision, state.get("names"))
    say_heading(f"{game.title}, {len(state['seats'])} players, ply {state['ply']}; {decides}")
    click.echo()
    say(aligned([*state_rows(state), (0, "this follows", ""), *outline(derived, 1)]))


@main.command(cls=Question, short_help="Play a game with random legal moves.")
@with_setup
@click.option("--seed", help="Repeats a game; without it one is made up and printed.")
@click.option("--record", "file", metavar="FILE", type=click.Path(dir_okay=False), help="Write the record to FILE.")
@with_json
def play(
    game: str,
    players: int,
    names: list[str] | None,
    chosen: dict[str, Any],
    document: dict[str, Any],
    seed: str | None,
    file: str | None,
    as_json: bool,
) -> None:
    """Play a game of GAME with random legal moves and print every move and the result.

    The same seed plays the same game. With --json, the record is printed.
    """
    found = adjudicator.game_of(game)
    seed = secrets.token_hex(4) if seed is None else seed
    start = random_play.start(found, players, names, {**document, **chosen})
    if not as_json:
        say_heading(f"{found.title}, {players} players, seed {printable(seed)}")
    width = max(len("chance"), *(len(name_of(seat, names)) for seat in range(players)))
    moves = []
    state = start
    for ply in random_play.play_out(found, start, seed):
        moves.append(ply.move)
        state = ply.after
        if not as_json:
            actor, points = actor_of(plain(ply.decision), names), points_by_name(ply.events, names)
            click.echo(move_line(ply.number, actor, plain(ply.move), points, width))
    result = found.result(state)
    record = plain(adjudicator.record_of(found, start, moves, result))
    if file is not None:
        write(file, record_text(record, by_hand=file.endswith(notation.SUFFIX)))
    if as_json:
        click.echo(record_text(record), nl=False)
        return
    click.echo()
    say(result_lines(found, plain(result), names))
    if file is not None:
        click.echo(f"\n{len(moves)} moves recorded in {printable(file)}.")


def record_text(record: Mapping[str, Any], by_hand: bool = False) -> str:
    """A record as a person would write it: by hand, or in JSON with one member per line and one move per line."""
    if by_hand:
        return notation.written(adjudicator.game_in(record), record)
    parts = []
    for name, value in record.items():
        text = json_text.encode(value).decode()
        if name == "moves":
            text = "[\n" + ",\n".join("    " + json_text.encode(move).decode() for move in value) + "\n  ]"
        parts.append(f"  {json_text.encode(name).decode()}: {text}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def write(file: str, text: str) -> None:
    """Writes a file.

    Raises:
        Problem: `unwritable`.
    """
    try:
        Path(file).write_text(text, "utf-8")
    except OSError as error:
        raise Problem("unwritable", f"{file} cannot be written: {error.strerror}.") from None


# --- records ---------------------------------------------------------------------------------------------------------


@main.command(cls=Question, short_help="Judge recorded games.")
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
            source = read(file, "record")
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


@main.command(cls=Question, short_help="Turn a record in JSON into text, or back.")
@click.argument("file")
@click.option("--to", "form", type=click.Choice(["json", "text"]), help="The form to write; the other one if not said.")
@click.option("--output", metavar="OUTPUT", type=click.Path(dir_okay=False), help="Write to OUTPUT, not to the screen.")
@click.option("--json", "as_json", is_flag=True, help="Answer problems in JSON.")
def convert(file: str, form: str | None, output: str | None, as_json: bool) -> None:
    """Write the record in FILE in the other form: as JSON, or as text with one move a line (.capo).

    Nothing is lost on the way from JSON to text and back; the other way comments are.
    """
    source = read(file, "record")
    with source.pointing("record"):
        adjudicator.shaped_record(source.game, source.document, under_current_rules=True)
    text = record_text(source.document, by_hand=form == "text" if form else source.notated is None)
    if output is None:
        click.echo(text, nl=False)
    else:
        write(output, text)


# --- states ----------------------------------------------------------------------------------------------------------


@main.command("legal-moves", cls=Question, short_help="List the legal moves of a state.")
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
    source = read(file, "state")
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


def page_lines(page: Mapping[str, Any]) -> Iterator[str]:
    """A page of moves, those of chance with their probabilities, and how many there are if these are not all."""
    rows = [
        [move_text(one["move"]), one["probability"]] if "probability" in one else [move_text(one)]
        for one in page["moves"]
    ]
    if rows:
        yield from table(rows)
    if len(rows) < page["total"]:
        yield f"… {len(rows)} of {page['total']} moves"


@main.command(cls=Question, short_help="Find what cannot be in a state.")
@click.argument("file")
@with_json
@click.pass_context
def audit(context: click.Context, file: str, as_json: bool) -> None:
    """Examine the state in FILE: everything in it that cannot be."""
    source = read(file, "state")
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


@main.command(cls=Question, short_help="Score a table or a finished game.")
@click.argument("file")
@with_json
def score(file: str, as_json: bool) -> None:
    """Score the scoresheet or the finished state in FILE, with every line of the arithmetic."""
    source = read(file, "scoresheet", "state")
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


@main.command(cls=Question, short_help="Hide from a state or record what a seat does not know.")
@click.argument("file")
@click.option("--seat", type=click.IntRange(0), help="As this seat may know it.")
@click.option("--spectator", is_flag=True, help="As somebody may know it who only looks on.")
@with_json
def view(file: str, seat: int | None, spectator: bool, as_json: bool) -> None:
    """Print the state or record in FILE as a seat, or a spectator, may know it."""
    if (seat is None) != spectator:
        raise click.UsageError("Say either --seat N or --spectator.")
    source = read(file, "record", "state")
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
