"""`perft`: how many sequences of decisions there are, as tables people compare engines by."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import click

from capomastro import adjudicator
from capomastro.cli import sources
from capomastro.cli.formatting import decision_line, move_text, printable
from capomastro.cli.questions import ILLEGAL, UNUSABLE, Question, plain, say_problem, settings, with_json
from capomastro.documents import json_text
from capomastro.documents.problems import Problem
from capomastro.engine import perft as sequences
from capomastro.engine import referee
from capomastro.engine.game import AnyGame

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
@click.option("--divide", "by_move", is_flag=True, help="The number for each move of the first decision.")
@with_json
@click.pass_context
def perft(
    context: click.Context,
    files: Sequence[str],
    depth: int | None,
    seed: str | None,
    payments: str | None,
    by_move: bool,
    as_json: bool,
) -> None:
    """Count the sequences of decisions that can follow the states in FILES.

    A FILE holds a state, or a set-up of the conformance kit, whose published numbers are compared: the exit code is 1
    if one is another. One step is one decision of a seat; chance plays in between, drawn by the seed. With --json, one
    line per file.
    """
    say_line = silent if as_json else click.echo
    right = True
    for file in files:
        try:
            count = count_of(file, depth, seed, payments)
        except Problem as problem:
            if as_json:
                raise
            say_problem(problem, file)
            context.exit(UNUSABLE)
        for line in heading(count, by_move):
            say_line(line)
        answer = divided(count, say_line) if by_move else tabled(count, say_line)
        right &= answer.get("as_published", True)
        if as_json:
            asked = {"file": file, "seed": count.seed, "payments": count.payments, "depth": count.depth}
            click.echo(json_text.encode({**asked, **answer}))
    context.exit(0 if right else ILLEGAL)


def count_of(file: str, depth: int | None, seed: str | None, payments: str | None) -> Count:
    """What is to be counted for a file: what the options say, else what its set-up says.

    Raises:
        click.UsageError: if neither says how deep.
    """
    value = sources.read(file, settings().maximum_record_bytes)
    source = sources.source_of(value, "state")
    game = source.game
    setup = value if source.at and "sequences" in value else {}
    with source.pointing("state"):
        state = adjudicator.load_state(game, source.document)
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


def tabled(count: Count, say_line: Callable[[str], None]) -> dict[str, Any]:
    """The number for each depth; a line is said as soon as its number is found."""
    say_line(f"  depth  {'sequences':>{NUMBER}}")
    numbers: list[int] = []
    for depth in range(1, count.depth + 1):
        numbers.append(sequences.perft(count.game, count.state, depth, *count.terms))
        say_line(f"  {depth:>5}  {numbers[-1]:>{NUMBER}}{remark(count, depth, numbers[-1])}")
    return {"sequences": numbers, **judged(count.published, numbers)}


def divided(count: Count, say_line: Callable[[str], None]) -> dict[str, Any]:
    """The number for each move of the first decision; a line is said as soon as its number is found."""
    moves = []
    for move, number in sequences.divide(count.game, count.state, count.depth, *count.terms):
        moves.append({"move": plain(move), "sequences": number})
        say_line(f"  {number:>{NUMBER}}  {move_text(plain(move))}")
    total = sum(part["sequences"] for part in moves)
    say_line(f"  {total:>{NUMBER}}  in all{remark(count, count.depth, total)}")
    return {"moves": moves, "sequences": total, **judged(count.published[count.depth - 1 :], [total])}


def heading(count: Count, by_move: bool) -> list[str]:
    """What is counted, in two lines."""
    begin, _, _ = referee.draw_chance(count.game, count.state, count.seed)
    decides = decision_line(plain(referee.decision(count.game, begin)), count.state.names)
    where = f"{count.game.title}, {len(count.state.seats)} players, ply {count.state.ply}; {decides}"
    depth = f", depth {count.depth}" if by_move else ""
    return [
        click.style(printable(f"{count.file}: {where}"), bold=True),
        f"  seed {printable(count.seed)}, {count.payments} payments{depth}",
    ]


def remark(count: Count, depth: int, number: int) -> str:
    """Whether a number is the published one, if one is published."""
    if depth > len(count.published):
        return ""
    published = count.published[depth - 1]
    if number == published:
        return click.style("  as published", fg="green")
    return click.style(f"  WRONG: {published} is published", fg="red")


def judged(published: Sequence[int], numbers: Sequence[int]) -> dict[str, bool]:
    """Whether all numbers are the published ones, as a member of the answer; none if there is nothing to compare."""
    pairs = list(zip(published, numbers, strict=False))
    return {"as_published": all(theirs == ours for theirs, ours in pairs)} if pairs else {}


def silent(_line: str) -> None:
    """Says nothing: with --json only the whole answer is printed."""
