"""`new` and `play`: begin games."""

import secrets
from contextlib import nullcontext
from typing import Any

import click

from capomastro import adjudicator
from capomastro.answers import LONGEST_LABEL
from capomastro.batch.files import path_text
from capomastro.cli import random_play
from capomastro.cli.records import opened_for_writing, record_text, write_record
from capomastro.cli.shared import (
    AdjudicatorCommand,
    file_text,
    plain,
    print_document,
    print_heading,
    print_json,
    print_lines,
    with_json,
    with_setup,
)
from capomastro.cli.states import print_state
from capomastro.documents.wordings import move_text, phrase, title_of
from capomastro.engine import referee
from capomastro.engine.game import AnyGame
from capomastro.engine.steps import state_after
from capomastro.layout.formatting import (
    actor_of,
    move_line,
    player_name,
    points_by_name,
    printable,
    prints_sentences,
    sentence_line,
)
from capomastro.layout.scores import result_lines


@click.command(cls=AdjudicatorCommand, short_help="Set up a game.")
@with_setup
@click.option("--seed", help="Draws all chance in the set-up; without it, chance is to move.")
@click.option("--record", "output", metavar="OUTPUT", type=click.Path(dir_okay=False), help="Begin a record in OUTPUT.")
@with_json
def new(
    game: str,
    players: int,
    names: list[str] | None,
    chosen: dict[str, Any],
    document: dict[str, Any],
    seed: str | None,
    output: str | None,
    as_json: bool,
) -> None:
    """Set up a game of GAME and print its state."""
    found, options = adjudicator.game_of(game), {**document, **chosen}
    begun = adjudicator.set_up(found, players, names, options, seed)
    answer = plain(begun)
    if output is not None:
        write_record(output, plain(adjudicator.record_of(found, begun.state, begun.moves)))
    if as_json:
        print_json(answer)
    else:
        print_state(found, answer["state"], answer["decision"], answer["derived"])


@click.command(cls=AdjudicatorCommand, short_help="Play a game with random legal moves.")
@with_setup
@click.option("--seed", help="Repeats a game; without it, a new seed is chosen and printed.")
@click.option("--record", "file", metavar="FILE", type=click.Path(dir_okay=False), help="Write the record to FILE.")
@click.option(
    "--games",
    "number",
    type=click.IntRange(1),
    metavar="N",
    help="Play N games and write an archive: one record per line, each with its own seed as id.",
)
@with_json
def play(
    game: str,
    players: int,
    names: list[str] | None,
    chosen: dict[str, Any],
    document: dict[str, Any],
    seed: str | None,
    file: str | None,
    number: int | None,
    as_json: bool,
) -> None:
    """Play a game of GAME with random legal moves and print every move and the result.

    The same seed plays the same game. With --json, print the record. With --games, play many and write or print an
    archive.
    """
    found = adjudicator.game_of(game)
    seed = secrets.token_hex(4) if seed is None else seed
    if number is not None:
        play_archive(found, players, names, {**document, **chosen}, seed, number, file, as_json)
        return
    start = random_play.start(found, players, names, {**document, **chosen})
    if not as_json:
        print_heading(phrase("heading-seed", title=title_of(found), players=players, seed=printable(seed)))
    width = max(len(phrase("chance")), *(len(player_name(seat, names)) for seat in range(players)))
    moves = []
    state = start
    for step in random_play.play_out(found, start, seed):
        moves.append(step.move)
        state = step.after
        if not as_json:
            decision = referee.decision(found, step.before)
            actor, points = actor_of(plain(decision), names), points_by_name(plain(step.events), names)
            if prints_sentences(found):
                click.echo(sentence_line(step.before.ply, move_text(found, step.move, names), points))
            else:
                click.echo(move_line(step.before.ply, actor, plain(step.move), points, width))
    result = found.result(state)
    record = plain(adjudicator.record_of(found, start, moves, result))
    if file is not None:
        write_record(file, record)
    if as_json:
        print_document(record_text(record))
        return
    click.echo()
    print_lines(result_lines(found, plain(result), names))
    if file is not None:
        click.echo("\n" + phrase("recorded", moves=len(moves), file=file_text(file)))


def play_archive(
    game: AnyGame,
    players: int,
    names: list[str] | None,
    options: dict[str, Any],
    seed: str,
    number: int,
    file: str | None,
    as_json: bool,
) -> None:
    """Plays games and writes their records, one per line, to `file`; with `as_json` also or only to the screen."""
    if file is None and not as_json:
        raise click.UsageError(phrase("games-without-record"))
    if len(f"{seed}-{number}") > LONGEST_LABEL:
        raise click.UsageError(phrase("seed-as-id", most=LONGEST_LABEL))
    start = random_play.start(game, players, names, options)
    lines = (archived_game(game, start, f"{seed}-{index}") for index in range(1, number + 1))
    with nullcontext() if file is None else opened_for_writing(file) as archive:
        for line in lines:
            if archive is not None:
                archive.write(line)
            if as_json:
                click.echo(line, nl=False)
    if file is not None and not as_json:
        click.echo(phrase("archived", games=number, first=f"{seed}-1", last=f"{seed}-{number}", file=path_text(file)))


def archived_game(game: AnyGame, start: Any, seed: str) -> bytes:
    """The record of a random game as a line of an archive; its id is its seed."""
    steps = list(random_play.play_out(game, start, seed))
    result = game.result(state_after(start, steps))
    record = plain(adjudicator.record_of(game, start, [step.move for step in steps], result))
    return record_text({**record, "id": seed}, by_line=True).encode()
