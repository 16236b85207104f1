"""`suggest`, `verdict` and `move`: a move is suggested, judged or played."""

from collections.abc import Mapping, Sequence
from typing import Any

import click

from capomastro import adjudicator
from capomastro.cli import sources
from capomastro.cli.endings import ILLEGAL
from capomastro.cli.records import write_record
from capomastro.cli.replays import print_nearest, print_refusal
from capomastro.cli.shared import (
    AdjudicatorCommand,
    plain,
    print_document,
    print_json,
    print_lines,
    print_problem,
    with_json,
)
from capomastro.cli.states import print_state
from capomastro.cli.translation import PATH
from capomastro.documents import json_text, notation
from capomastro.documents.phrases import quoted
from capomastro.documents.problems import Problem
from capomastro.documents.wordings import phrase
from capomastro.engine.game import AnyGame
from capomastro.layout.formatting import move_line, player_name, points_by_name, prints_sentences, sentence_line


@click.command(cls=AdjudicatorCommand, short_help="Suggest a move.")
@click.argument("file", type=PATH)
@click.option(
    "--player",
    type=click.Choice(adjudicator.PLAYERS),
    default=adjudicator.DEFAULT_PLAYER,
    show_default=True,
    help="Who suggests it: planning plays towards a goal, random at random.",
)
@click.option("--seed", default="", help="Decides between equally good moves.")
@with_json
def suggest(file: str, player: str, seed: str, as_json: bool) -> None:
    """Suggest a move for the seat that decides in the state in FILE, or in the last position of a record.

    It is written in text notation, as `move` takes it, and depends on nothing but what that seat may know, the player
    and the seed.
    """
    source = sources.read_position(file)
    with source.pointing("state"):
        answer = plain(adjudicator.suggestion(source.game, source.document, player, seed))
    if as_json:
        print_json(answer)
    elif "move" in answer:
        print_document(notation.written_move(source.game, answer["move"]) + "\n")
    else:
        click.echo(phrase("over"))


@click.command(cls=AdjudicatorCommand, short_help="Judge a move.")
@click.argument("file", type=PATH)
@click.argument("move")
@click.option(
    "--nearest",
    type=click.IntRange(0, adjudicator.MAXIMUM_NEAREST),
    default=5,
    show_default=True,
    help="Number of nearest legal moves to list for an illegal one.",
)
@with_json
@click.pass_context
def verdict(context: click.Context, file: str, move: str, nearest: int, as_json: bool) -> None:
    """Judge MOVE in the state in FILE, or in the last position of a record.

    MOVE is written as in text notation ("0 build", or "Ada build" if the players have names) or in JSON. The exit code
    is 1 if it is illegal.
    """
    source = sources.read_position(file)
    names = names_in(source.document)
    document = move_document(source.game, move, names, "/move")
    with source.pointing("state"):
        answer = plain(adjudicator.verdict(source.game, source.document, document, nearest, texts=not as_json))
    if as_json:
        print_json(answer)
    elif answer["legal"]:
        click.secho(phrase("legal"), fg="green")
    else:
        click.secho(phrase("illegal"), fg="red")
        decision = plain(adjudicator.legal_moves(source.game, source.document, 1).decision)
        print_refusal(source.game, answer, decision, document, names)
        if answer["nearest"]:
            print_nearest(source.game, answer)
    context.exit(0 if answer["legal"] else ILLEGAL)


@click.command(cls=AdjudicatorCommand, short_help="Play moves.")
@click.argument("file", type=PATH)
@click.argument("moves", nargs=-1, metavar="[MOVE]...")
@click.option("--seed", help="Draws all chance between the moves and after them; without it, give the draws as moves.")
@click.option(
    "--record", "output", metavar="OUTPUT", type=click.Path(dir_okay=False), help="Write the record to OUTPUT."
)
@with_json
@click.pass_context
def move(
    context: click.Context, file: str, moves: Sequence[str], seed: str | None, output: str | None, as_json: bool
) -> None:
    """Play each MOVE in the state in FILE, or in the last position of a record, and print the next state.

    Moves are written as in text notation ("0 build", or "Ada build" if the players have names) or in JSON. All of them
    are played, or none: the exit code is 1 if one is illegal. If FILE holds a record, --record writes it with the moves
    added; OUTPUT may be FILE.
    """
    given = sources.read_source(file, "state", "record")
    source = sources.last_position(given) if sources.is_record(given.document) else given
    if output is not None and source is given:
        raise click.UsageError(phrase("no-record-to-continue"))
    game, names = source.game, names_in(source.document)
    documents = [move_document(game, text, names, f"/moves/{index}") for index, text in enumerate(moves)]
    try:
        with source.pointing("state"):
            answer = plain(
                adjudicator.transition(
                    game, source.document, documents, seed, texts=not as_json and prints_sentences(game)
                )
            )
    except Problem as problem:
        if problem.id != "illegal-move":
            raise
        print_illegal(problem, as_json)
        context.exit(ILLEGAL)
    if output is not None:
        record = {**given.document, "moves": [*given.document["moves"], *answer["moves"]]}
        record.pop("result", None)
        if "result" in answer:
            record["result"] = answer["result"]
        write_record(output, record, given.notated)
    if as_json:
        print_json(answer)
        return
    print_lines(played_lines(answer, source.document["ply"], names))
    click.echo()
    print_state(game, answer["state"], answer["decision"], answer["derived"])


def names_in(state: Mapping[str, Any]) -> list[str] | None:
    """The players' names in a state that has not been validated yet."""
    names = state.get("names")
    return names if isinstance(names, list) and all(isinstance(name, str) for name in names) else None


def move_document(game: AnyGame, text: str, names: Sequence[str] | None, at: str) -> Any:
    """The move in an argument, in text notation or in JSON; `at` is its place in a request.

    Raises:
        Problem: `malformed-notation` or `malformed-json`; the errors name the character in the argument.
    """
    try:
        if json_text.begins_as_object(text):
            return json_text.decode(json_text.utf8(text))
        return notation.read_move(game, text, names)
    except Problem as problem:
        detail = phrase("not-a-move", text=quoted(text), detail=problem.detail)
        errors = [
            {"pointer": at, "message": phrase("at-character", message=error["message"], character=error["column"])}
            for error in problem.errors
        ]
        raise Problem(problem.id, detail, errors) from None


def print_illegal(problem: Problem, as_json: bool) -> None:
    """Prints why a move was not played."""
    if as_json:
        print_json(problem.document())
    else:
        print_problem(problem)


def played_lines(answer: Mapping[str, Any], ply: int, names: Sequence[str] | None) -> list[str]:
    """The moves that were played, draws included, and the points that came of them."""
    if "texts" in answer:
        lines = [sentence_line(ply + index, text, {}) for index, text in enumerate(answer["texts"])]
    else:
        actors = [player_name(move["seat"], names) if "seat" in move else phrase("chance") for move in answer["moves"]]
        width = max(map(len, actors), default=0)
        played = zip(actors, answer["moves"], strict=True)
        lines = [move_line(ply + index, actor, move, {}, width) for index, (actor, move) in enumerate(played)]
    scored = ", ".join(
        f"{name} {points:+}" for name, points in points_by_name(answer["events"], names).items() if points
    )
    return [*lines, f"       {phrase('scored', scores=scored)}"] if scored else lines
