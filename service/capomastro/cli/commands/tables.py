"""`table`, `verify-table` and `new-key`: games with secrets, played by passing one file round."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import combinations
from typing import Any, TypeVar

import click

from capomastro import adjudicator
from capomastro.batch.files import path_text
from capomastro.cli.endings import ILLEGAL
from capomastro.cli.service import Service, other_service
from capomastro.cli.shared import (
    AdjudicatorCommand,
    print_heading,
    print_json,
    print_lines,
    with_json,
    with_setup,
)
from capomastro.cli.states import move_lines, print_state
from capomastro.cli.tables import Player, is_table, load_player, make_secret, read_table, write_table
from capomastro.cli.translation import PATH, Group
from capomastro.documents import notation
from capomastro.documents.problems import Problem
from capomastro.documents.wordings import phrase, title_of
from capomastro.engine.game import AnyGame
from capomastro.layout.formatting import inline, naming, object_text, player_name, printable, prints_sentences
from capomastro.tables import history
from capomastro.tables.shares import LOCK
from capomastro.tables.terms import DRAWS

Function = TypeVar("Function", bound=Callable[..., Any])
SHOWN_MOVES = 20
"""Maximum number of legal moves shown."""

with_service = click.option(
    "--service",
    metavar="ADDRESS",
    default="http://localhost:8000",
    show_default=True,
    help="The service that has the keys.",
)
with_secret = click.option(
    "--secret",
    "secret_file",
    type=PATH,
    metavar="SECRET",
    help="File with your secret, otherwise a prompt asks for it. SECRET.table next to it keeps the last table.",
)


@click.command("new-key", cls=AdjudicatorCommand, short_help="Make a key that seals tables.")
def new_key() -> None:
    """Print a new key for CAPOMASTRO_SEALING_KEYS. Anyone who has it can look into every table it seals."""
    from capomastro.tables.keys import new_master  # noqa: PLC0415 - only this command needs cryptography

    click.echo(new_master())


@click.group(cls=Group, short_help="Play at a sealed table, from a file that is passed round.")
def table() -> None:
    """Play a game with hidden hands by passing one file round. docs/tables.md says what that promises, and what not.

    Everybody makes a secret and shows its lock; one creates the table with all locks; then each in turn takes the file,
    does what it waits for, and passes it on. A table that does not go on from the last one you saw is refused.
    """


@table.command("new-secret", cls=AdjudicatorCommand, short_help="Make your secret for one game.")
@click.argument("file", type=click.Path(dir_okay=False))
def secret_command(file: str) -> None:
    """Make a secret in FILE, which is yours alone, and print its lock, which is for everybody to see."""
    click.echo(make_secret(file))


@table.command(cls=AdjudicatorCommand, short_help="Create a table.")
@with_setup
@click.option("--lock", "locks", multiple=True, metavar="LOCK", required=True, help="The lock of each seat, in order.")
@click.option(
    "--draws",
    type=click.Choice(DRAWS),
    default=DRAWS[0],
    show_default=True,
    help="Who draws after a move: somebody else, or the move itself.",
)
@click.option("--nonce", default="", help="Distinguishes games that are otherwise the same.")
@click.option("--output", type=PATH, metavar="TABLE", required=True, help="The file to write the table to.")
@with_service
def create(
    game: str,
    players: int,
    names: list[str] | None,
    chosen: dict[str, Any],
    document: dict[str, Any],
    locks: tuple[str, ...],
    draws: str,
    nonce: str,
    output: str,
    service: str,
) -> None:
    """Create a table of GAME and write it to a file. At the end its record shows all hands: agree to that before."""
    if not all(map(LOCK.match, locks)):
        raise click.BadParameter(phrase("no-lock"), param_hint="--lock")
    creation = {"players": players, "locks": locks, "draws": draws, "nonce": nonce, "options": {**document, **chosen}}
    given = {} if names is None else {"names": names}
    made = Service(service).ask(adjudicator.game_of(game).id, "tables", {**creation, **given})["table"]
    if not is_table(made):
        raise other_service()
    write_table(output, made)
    print_waiting(made)


@table.command(cls=AdjudicatorCommand, short_help="Show a table as you may know it, and what you can do.")
@click.argument("file", type=PATH, metavar="TABLE")
@with_secret
@click.option("--spectator", is_flag=True, help="Show what an onlooker may know.")
@with_service
@with_json
def show(file: str, secret_file: str | None, spectator: bool, service: str, as_json: bool) -> None:
    """Show TABLE as your seat may know it, after the service has found it genuine; it is kept then."""
    shown = read_table(file)
    game = game_of_table(shown)
    body: dict[str, Any] = {"table": shown, "seat": None}
    player: Player | None = None
    if not spectator:
        player = load_player(secret_file)
        player.check(shown)
        body = {
            **player.request_members(shown),
            "legal_moves": SHOWN_MOVES,
            "texts": prints_sentences(game) and not as_json,
        }
    answer = Service(service).ask(game.id, "tables/views", body)
    if player is not None:
        player.keep(shown)
    if as_json:
        print_json(answer)
        return
    print_state(game, answer["state"], answer["decision"], answer["derived"])
    click.echo()
    print_waiting(shown)
    if answer["decision"].get("seat") is not None and answer["decision"]["seat"] == body["seat"]:
        page = answer["legal_moves"]
        print_lines("  " + line for line in move_lines(page, partial(move_text, game)))
        if page["total"] > SHOWN_MOVES:
            click.echo("  " + phrase("moves-in-all", moves=page["total"]))


@table.command(cls=AdjudicatorCommand, short_help="Join.")
@click.argument("file", type=PATH, metavar="TABLE")
@with_secret
@with_service
def join(file: str, secret_file: str | None, service: str) -> None:
    """Join TABLE with your secret, when it waits for your seat. Says what you agree to."""
    advance(file, secret_file, service, "join", ())


@table.command(cls=AdjudicatorCommand, short_help="Draw.")
@click.argument("file", type=PATH, metavar="TABLE")
@with_secret
@with_service
def draw(file: str, secret_file: str | None, service: str) -> None:
    """Draw everything that TABLE waits for. The player who moved last cannot do this."""
    advance(file, secret_file, service, "draw", ())


@table.command(cls=AdjudicatorCommand, short_help="Make your move.")
@click.argument("file", type=PATH, metavar="TABLE")
@click.argument("moves", nargs=-1, required=True, metavar="MOVE...")
@with_secret
@with_service
def move(file: str, moves: Sequence[str], secret_file: str | None, service: str) -> None:
    """Make one or more moves at TABLE, each as `show` writes it; the seat before it may be left out."""
    advance(file, secret_file, service, "move", moves)


def advance(file: str, secret_file: str | None, service: str, what: str, lines: Sequence[str]) -> None:
    """Does what a table waits for, and writes the next table over it."""
    before = read_table(file)
    game = game_of_table(before)
    player = load_player(secret_file)
    player.check(before)
    seat = player.seat_at(before)
    awaited = before["waiting"]
    if awaited["for"] != what or seat not in awaited["seats"]:
        raise Problem("not-awaited", phrase("not-your-turn", waiting=waiting_line(before), seat=seat))
    moves = [move_in(game, seat, line) for line in lines]
    body = {**player.request_members(before), "moves": moves, "texts": prints_sentences(game)}
    answer = Service(service).ask(game.id, "tables/transitions", body)
    player.keep_next(before, answer["table"])
    write_table(file, answer["table"])
    if what == "join":
        click.echo(terms_line(game, before["creation"], seat))
    print_lines(move_lines(answer["view"], partial(move_text, game)))
    print_waiting(answer["table"])


@table.command("open", cls=AdjudicatorCommand, short_help="Open the record of a finished game.")
@click.argument("file", type=PATH, metavar="TABLE")
@click.option("--output", type=PATH, metavar="OPENED", required=True, help="The file to write it to.")
@with_secret
@with_service
def open_command(file: str, output: str, secret_file: str | None, service: str) -> None:
    """Open the finished game of TABLE: its whole record, and what draws are checked with.

    `capomastro replay OPENED --table TABLE` checks it without the service.
    """
    finished = read_table(file)
    game = game_of_table(finished)
    player = load_player(secret_file)
    player.check(finished)
    answer = Service(service).ask(game.id, "tables/records", player.request_members(finished))
    player.keep(finished)
    write_table(output, answer)
    names = finished["creation"].get("names")
    print_lines(f"{player_name(player['seat'], names)}: {player['total']}" for player in answer["result"]["players"])


# --- forks -----------------------------------------------------------------------------------------------------------


@click.command("verify-table", cls=AdjudicatorCommand, short_help="Find who played twice, from tables that were kept.")
@click.argument("files", type=PATH, nargs=-1, required=True, metavar="FILE...")
@with_service
@with_json
@click.pass_context
def verify_table(context: click.Context, files: Sequence[str], service: str, as_json: bool) -> None:
    """Compare the sealed tables in FILES, from those who saw them, after asking the service whether they are genuine.

    Of two tables of one game, the record of one must begin with the record of the other. If it does not, the seat of
    the first line that differs has gone back and played twice. The exit code is 1 if a seat has, or if a table is not
    genuine.
    """
    client = Service(service)
    tables = {path_text(file): read_table(file) for file in files}
    foreign = [file for file, document in tables.items() if not is_genuine(client, document)]
    genuine = [(file, document) for file, document in tables.items() if file not in foreign]
    found = [
        {"files": [file, other], **difference}
        for (file, document), (other, another) in combinations(genuine, 2)
        if (difference := comparison(document, another)) is not None
    ]
    forks = [difference for difference in found if "line" in difference]
    if as_json:
        print_json({"foreign": foreign, "forks": forks})
    else:
        for file in foreign:
            print_heading(phrase("not-sealed", file=file))
        for difference in found:
            click.echo(printable(comparison_line(difference)))
        if not foreign and not forks:
            click.secho(phrase("genuine", tables=len(files)), fg="green")
    context.exit(ILLEGAL if foreign or forks else 0)


def is_genuine(service: Service, document: dict[str, Any]) -> bool:
    """Whether the service has sealed exactly this table, even under rules that it no longer knows."""
    try:
        service.ask(game_of_table(document).id, "tables/views", {"table": document, "seat": None})
    except Problem as problem:
        if problem.id in ("foreign-table", "not-found"):
            return False
        if problem.id != "other-version":
            raise
    return True


def comparison(document: dict[str, Any], other: dict[str, Any]) -> dict[str, Any] | None:
    """How two tables differ, as a document; None if one continues the other."""
    try:
        fork = history.fork(document, other)
    except history.DifferentGames:
        return {"different": True}
    if fork is None:
        return None
    seat = {} if fork.seat is None else {"seat": fork.seat}
    return {"line": fork.line + 1, "by": fork.by, **seat}


def comparison_line(found: dict[str, Any]) -> str:
    if "different" in found:
        return phrase("different-games", files=found["files"])
    if found["by"] == "chance":
        return phrase("fork-by-chance", files=found["files"], line=found["line"])
    return phrase("fork-by-seat", files=found["files"], line=found["line"], seat=found["seat"])


# --- words -----------------------------------------------------------------------------------------------------------


def game_of_table(document: dict[str, Any]) -> AnyGame:
    """The game of a table, looked up by id: no other text in the file can change the address that a secret is sent to.

    Raises:
        Problem: `not-found`.
    """
    return adjudicator.game_of(document["creation"]["game"])


def terms_line(game: AnyGame, creation: dict[str, Any], seat: int) -> str:
    """What a player who joins agrees to."""
    names = creation.get("names")
    players = phrase("players", players=creation["players"]) + (f": {inline(names)}" if names else "")
    terms = [
        f"{title_of(game)}, {players}",
        phrase(f"terms-draws-{creation['draws']}"),
        object_text(creation["options"], naming(game)),
    ]
    return phrase("joining", player=player_name(seat, names), terms="; ".join(filter(None, terms)))


def waiting_line(document: dict[str, Any]) -> str:
    names = document["creation"].get("names")
    awaited = document["waiting"]
    return phrase(f"waiting-{awaited['for']}", players=[player_name(seat, names) for seat in awaited["seats"]])


def print_waiting(document: dict[str, Any]) -> None:
    click.echo(waiting_line(document))


def move_text(game: AnyGame, document: Mapping[str, Any]) -> str:
    """A move as it is written, and can be typed."""
    return printable(notation.written_move(game, document))


def move_in(game: AnyGame, seat: int, line: str) -> Any:
    """The move in an argument; the seat may be left out."""
    text = line if line[:1].isdigit() else f"{seat} {line}"
    return notation.read_move(game, text)
