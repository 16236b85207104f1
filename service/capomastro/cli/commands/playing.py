"""`new` and `play`: games that begin here."""

import secrets
from typing import Any

import click

from capomastro import adjudicator
from capomastro.cli import random_play
from capomastro.cli.formatting import actor_of, move_line, name_of, points_by_name, printable
from capomastro.cli.questions import Question, plain, say, say_heading, say_json, with_json, with_setup
from capomastro.cli.records import record_text, write
from capomastro.cli.scores import result_lines
from capomastro.cli.states import say_state
from capomastro.documents import notation


@click.command(cls=Question, short_help="Set up a game.")
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


@click.command(cls=Question, short_help="Play a game with random legal moves.")
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
            actor, points = actor_of(plain(ply.decision), names), points_by_name(plain(ply.events), names)
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
