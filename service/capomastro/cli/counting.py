"""`capomastro perft`: how many sequences of decisions there are, as tables people compare engines by."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import click

from capomastro import adjudicator
from capomastro.adjudicator import AnyGame
from capomastro.cli import sources
from capomastro.cli.formatting import decision_line, move_text, printable
from capomastro.cli.questions import ILLEGAL, Question, plain, say_heading, settings, with_json
from capomastro.documents import json_text
from capomastro.documents.problems import Problem
from capomastro.engine import referee
from capomastro.engine.perft import divide, perft

NUMBER = 12
"""How wide a number of sequences is printed: numbers come one by one, so their column cannot be as wide as needed."""


class Count(NamedTuple):
    """What is counted: from which state, how deep, which chance, which payments.

    `published` are the numbers that a set-up of the conformance kit gives, from depth 1 on; empty for a bare state, and
    where something else than what they stand for is counted.
    """

    file: str
    game: AnyGame
    state: Any
    depth: int
    seed: str
    payments: str
    published: Sequence[int]

    @property
    def terms(self) -> tuple[str, bool]:
        """The seed, and whether all payments count: how `perft` and `divide` are asked."""
        return self.seed, self.payments == "all"


@click.command("perft", cls=Question, short_help="Count sequences of decisions, to compare engines.")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--depth", type=click.IntRange(1), help="How many decisions deep; by default as deep as is published.")
@click.option("--seed", help="Draws what chance decides in between.  [default: that of the set-up, or 0]")
@click.option(
    "--payments",
    type=click.Choice(["minimal", "all"]),
    help="Payments of which no part would do, or all.  [default: as in the set-up, or minimal]",
)
@click.option("--divide", "divided", is_flag=True, help="The number for each move of the first decision.")
@with_json
@click.pass_context
def command(
    context: click.Context,
    files: Sequence[str],
    depth: int | None,
    seed: str | None,
    payments: str | None,
    divided: bool,
    as_json: bool,
) -> None:
    """Count the sequences of decisions that can follow the states in FILES.

    A FILE holds a state, or a set-up of the conformance kit, whose published numbers are compared: the exit code is 1
    if one is another. One step is one decision of a seat; chance plays in between, drawn by the seed. With --json, one
    line per file.
    """
    right = True
    for file in files:
        count = count_of(file, depth, seed, payments)
        answer = divide_lines(count) if divided else depth_lines(count)
        right &= say_as_json(count, answer, divided) if as_json else say_as_text(count, answer, divided)
    context.exit(0 if right else ILLEGAL)


def count_of(file: str, depth: int | None, seed: str | None, payments: str | None) -> Count:
    """What is to be counted for a file: what the options say, else what its set-up says.

    Raises:
        click.UsageError: if neither says how deep.
    """
    value = sources.read(file, settings().maximum_record_bytes)
    game, document, at = sources.source_of(value, "state")
    setup = value if at and "sequences" in value else {}
    with sources.pointing("state", at):
        state = adjudicator.load_state(game, document)
    published = numbers_in(setup)
    if seed not in (None, setup.get("seed")) or payments not in (None, setup.get("payments")):
        published = []
    if depth is None and not published:
        raise click.UsageError(f"Say with --depth how deep to count; {printable(file)} does not.")
    return Count(
        file,
        game,
        state,
        depth or len(published),
        setup.get("seed", "0") if seed is None else seed,
        setup.get("payments", "minimal") if payments is None else payments,
        published,
    )


def numbers_in(setup: Any) -> list[int]:
    """The numbers a set-up publishes.

    Raises:
        Problem: `shape`, if it is none.
    """
    numbers = setup.get("sequences", [])
    if (
        not isinstance(numbers, list)
        or not all(type(number) is int for number in numbers)
        or not isinstance(setup.get("seed", ""), str)
        or setup.get("payments", "all") not in ("minimal", "all")
    ):
        raise Problem("shape", "This is no set-up of perft; the conformance kit has a schema of them.")
    return numbers


# --- answers ---------------------------------------------------------------------------------------------------------


class Line(NamedTuple):
    """A depth, or a move of the first decision, with its number of sequences."""

    of: Any
    sequences: int


def depth_lines(count: Count) -> Iterator[Line]:
    """The number for each depth, as it is found."""
    for depth in range(1, count.depth + 1):
        yield Line(depth, perft(count.game, count.state, depth, *count.terms))


def divide_lines(count: Count) -> Iterator[Line]:
    """The number for each move of the first decision, as it is found."""
    for move, number in divide(count.game, count.state, count.depth, *count.terms):
        yield Line(plain(move), number)


def published_at(count: Count, depth: int) -> int | None:
    """The number that is published for a depth, if one is."""
    return count.published[depth - 1] if depth <= len(count.published) else None


def say_as_text(count: Count, lines: Iterator[Line], divided: bool) -> bool:
    """Prints each number as it is found; whether none differs from what is published."""
    names = count.state.names
    begin, _, _ = referee.draw_chance(count.game, count.state, count.seed)
    where = f"{count.game.title}, {len(count.state.seats)} players, ply {count.state.ply}"
    say_heading(f"{count.file}: {where}; {decision_line(plain(referee.decision(count.game, begin)), names)}")
    depth = f", depth {count.depth}" if divided else ""
    click.echo(f"  seed {printable(count.seed)}, {count.payments} payments{depth}")
    if divided:
        return say_divided(count, lines)
    right = True
    click.echo(f"  depth{'sequences':>{NUMBER + 2}}")
    for line in lines:
        verdict, fits = compared(line.sequences, published_at(count, line.of))
        click.echo(f"  {line.of:>5}{line.sequences:>{NUMBER + 2}}{verdict}")
        right &= fits
    return right


def say_divided(count: Count, lines: Iterator[Line]) -> bool:
    total = 0
    for line in lines:
        total += line.sequences
        click.echo(f"{line.sequences:>{NUMBER}}  {move_text(line.of)}")
    verdict, fits = compared(total, published_at(count, count.depth))
    click.echo(f"{total:>{NUMBER}}  in all{verdict}")
    return fits


def compared(number: int, published: int | None) -> tuple[str, bool]:
    """What is said of a number beside the published one, and whether they are the same."""
    if published is None:
        return "", True
    if number == published:
        return click.style("  as published", fg="green"), True
    return click.style(f"  WRONG: {published} is published", fg="red"), False


def say_as_json(count: Count, lines: Iterator[Line], divided: bool) -> bool:
    """Prints one line with all numbers; whether none differs from what is published."""
    found = list(lines)
    numbers = [line.sequences for line in found]
    answer: dict[str, Any] = {"file": count.file, "seed": count.seed, "payments": count.payments, "depth": count.depth}
    if divided:
        answer["moves"] = [{"move": line.of, "sequences": line.sequences} for line in found]
        ours, published = [sum(numbers)], [published_at(count, count.depth)]
    else:
        ours, published = numbers, [published_at(count, depth) for depth in range(1, count.depth + 1)]
    answer["sequences"] = ours[0] if divided else ours
    right = all(theirs in (None, number) for number, theirs in zip(ours, published, strict=True))
    if any(theirs is not None for theirs in published):
        answer["as_published"] = right
    click.echo(json_text.encode(answer))
    return right
