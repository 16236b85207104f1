"""`perft`: counts sequences of decisions, in the tables by which people compare engines."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import click

from capomastro import adjudicator
from capomastro.batch.files import path_text
from capomastro.cli import sources
from capomastro.cli.endings import ILLEGAL, UNUSABLE
from capomastro.cli.shared import AdjudicatorCommand, file_text, plain, print_problem, settings, with_json
from capomastro.cli.translation import PATH
from capomastro.documents import json_text
from capomastro.documents.problems import Problem
from capomastro.documents.wordings import phrase
from capomastro.engine import perft as sequences
from capomastro.engine import referee
from capomastro.engine.game import AnyGame
from capomastro.engine.steps import draw_steps, state_after
from capomastro.layout.formatting import decision_line, move_text, printable
from capomastro.layout.states import position_text

NUMBER = 12
"""Width of the column of numbers, which are printed as they are found."""


class Count(NamedTuple):
    """What to count: from which state, how deep, with which seed and payments.

    `published` are the numbers in a set-up of the conformance kit, from depth 1 on; empty for a bare state, and if the
    options differ from those of the set-up.
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
        """Seed and whether all payments count: the last arguments of `perft` and `divide`."""
        return self.seed, self.payments == "all"


@click.command("perft", cls=AdjudicatorCommand, short_help="Count sequences of decisions, to compare engines.")
@click.argument("files", type=PATH, nargs=-1, required=True, metavar="FILE...")
@click.option("--depth", type=click.IntRange(1), help="Depth in decisions; by default the published depth.")
@click.option("--seed", help="Draws chance in between.  [default: that of the set-up, or 0]")
@click.option(
    "--payments",
    type=click.Choice(["minimal", "all"]),
    help="Payments without a superfluous part, or all.  [default: as in the set-up, or minimal]",
)
@click.option("--divide", "by_move", is_flag=True, help="Print the number for each move of the first decision.")
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

    A FILE holds a state, or a set-up of the conformance kit with published numbers to compare: the exit code is 1 if
    one differs. One step is one decision of a seat; the seed draws chance in between. With --json, one line per file.
    """
    print_line = print_nothing if as_json else click.echo
    matches = True
    for file in files:
        try:
            count = count_of(file, depth, seed, payments)
        except Problem as problem:
            if as_json:
                raise
            print_problem(problem, file)
            context.exit(UNUSABLE)
        for line in heading(count, by_move):
            print_line(line)
        answer = count_by_move(count, print_line) if by_move else count_by_depth(count, print_line)
        matches &= answer.get("as_published", True)
        if as_json:
            terms = {"file": path_text(file), "seed": count.seed, "payments": count.payments, "depth": count.depth}
            click.echo(json_text.encode({**terms, **answer}))
    context.exit(0 if matches else ILLEGAL)


def count_of(file: str, depth: int | None, seed: str | None, payments: str | None) -> Count:
    """What to count for a file: options take precedence over its set-up.

    Raises:
        click.UsageError: if neither gives the depth.
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
        raise click.UsageError(phrase("no-depth", file=file_text(file)))
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
    """The numbers published in a set-up.

    Raises:
        Problem: `shape` if it is not a set-up.
    """
    numbers = setup.get("sequences", [])
    if (
        not isinstance(numbers, list)
        or not all(type(number) is int for number in numbers)
        or not isinstance(setup.get("seed", ""), str)
        or setup.get("payments", "all") not in ("minimal", "all")
    ):
        raise Problem("shape", phrase("no-perft-setup"))
    return numbers


# --- answers ---------------------------------------------------------------------------------------------------------


def count_by_depth(count: Count, print_line: Callable[[str], None]) -> dict[str, Any]:
    """The number for each depth; prints each line as soon as its number is known."""
    depth_title, title = phrase("perft-depth"), phrase("perft-sequences")
    print_line(f"  {depth_title:>5}  {title:>{NUMBER}}")
    numbers: list[int] = []
    for depth in range(1, count.depth + 1):
        numbers.append(sequences.perft(count.game, count.state, depth, *count.terms))
        print_line(f"  {depth:>{max(5, len(depth_title))}}  {numbers[-1]:>{NUMBER}}{remark(count, depth, numbers[-1])}")
    return {"sequences": numbers, **comparison_with_published(count.published, numbers)}


def count_by_move(count: Count, print_line: Callable[[str], None]) -> dict[str, Any]:
    """The number for each move of the first decision; prints each line as soon as its number is known."""
    moves = []
    for move, number in sequences.divide(count.game, count.state, count.depth, *count.terms):
        moves.append({"move": plain(move), "sequences": number})
        print_line(f"  {number:>{NUMBER}}  {move_text(plain(move))}")
    total = sum(part["sequences"] for part in moves)
    print_line(f"  {total:>{NUMBER}}  {phrase('perft-in-all')}{remark(count, count.depth, total)}")
    return {
        "moves": moves,
        "sequences": total,
        **comparison_with_published(count.published[count.depth - 1 :], [total]),
    }


def heading(count: Count, by_move: bool) -> list[str]:
    """What is counted, in two lines."""
    begin = state_after(count.state, draw_steps(count.game, count.state, count.seed))
    decides = decision_line(count.game, plain(referee.decision(count.game, begin)), count.state.names)
    where = position_text(count.game, len(count.state.seats), count.state.ply, decides)
    terms = phrase(f"perft-terms-{count.payments}", seed=printable(count.seed))
    depth = f", {phrase('perft-at-depth', depth=count.depth)}" if by_move else ""
    return [
        click.style(printable(f"{path_text(count.file)}: {where}"), bold=True),
        f"  {terms}{depth}",
    ]


def remark(count: Count, depth: int, number: int) -> str:
    """Whether a number is the published one, if there is one."""
    if depth > len(count.published):
        return ""
    published = count.published[depth - 1]
    if number == published:
        return click.style(f"  {phrase('perft-as-published')}", fg="green")
    return click.style(f"  {phrase('perft-wrong', published=str(published))}", fg="red")


def comparison_with_published(published: Sequence[int], numbers: Sequence[int]) -> dict[str, bool]:
    """The member `as_published` of the answer; empty if there is nothing to compare."""
    pairs = list(zip(published, numbers, strict=False))
    return {"as_published": all(theirs == ours for theirs, ours in pairs)} if pairs else {}


def print_nothing(_line: str) -> None:
    """Prints nothing: with --json, only the complete answer is printed."""
