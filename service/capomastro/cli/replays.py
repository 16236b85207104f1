"""Prints the verdict on a recorded game: one line if it is right, otherwise the first divergence in detail."""

from collections.abc import Mapping, Sequence
from typing import Any

import click

from capomastro.cli.shared import place_text, print_lines
from capomastro.layout.formatting import aligned, decision_line, joined, move_text, printable, table
from capomastro.layout.replays import full_move_text, lenient_lines, mismatch_lines, outcome_text

DEPARTURES = {
    "illegal-move": "illegal at ply {}",
    "out-of-turn": "out of turn at ply {}",
    "missing-chance": "chance is missing at ply {}",
    "missing-move": "a player's move is missing at ply {}",
    "after-the-end": "moves after the end, from ply {} on",
}


def print_replay(file: str, answer: Mapping[str, Any]) -> None:
    """Prints one line if a record is right, otherwise its first illegal move or wrong result in detail."""
    names = answer["state"].get("names")
    if answer["legal"]:
        good = answer.get("claimed_result_matches", True)
        verdict = f"legal, {answer['plies']} moves; {outcome_text(answer, names)}"
        print_verdict(file, verdict, good)
        print_lines("  " + line for line in mismatch_lines(answer, names))
        return
    divergence = answer["first_divergence"]
    departure = DEPARTURES[divergence["departure"]].format(divergence["index"])
    print_verdict(file, departure, good=False, rest=f", after {answer['plies']} legal moves")
    print_refusal(divergence["decision"], divergence["move"], divergence["refusal"], names, file)
    if divergence["nearest"]:
        print_nearest(divergence["nearest"])
    elif divergence["decision"]["actor"] == "seat":
        click.echo("  no legal move is known: the hand was not seen")
    if "lenient" in answer:
        print_lines(lenient_lines(answer["lenient"], names))


def print_refusal(
    decision: Mapping[str, Any], move: Mapping[str, Any], refusal: Mapping[str, Any], names: Any, file: str = ""
) -> None:
    """Prints who was to decide what, the illegal move, and the rule it breaks."""
    rows = [
        (1, "decision", decision_line(decision, names)),
        (1, "move", full_move_text(move)),
        (1, "rule", refusal["rule"]),
        (1, "because", printable(refusal["message"])),
        (1, "place" if "line" in refusal else "pointer", place_text(refusal, file)),
    ]
    print_lines(aligned(rows))


def print_nearest(nearest: Sequence[Mapping[str, Any]]) -> None:
    """Prints the legal moves nearest to an illegal one."""
    click.echo("  nearest legal moves")
    moves = [[move_text(near["move"]), f"other {joined(near['differs'])}"] for near in nearest]
    print_lines("    " + line for line in table(moves))


def print_verdict(file: str, verdict: str, good: bool, rest: str = "") -> None:
    verdict = click.style(verdict, fg="green" if good else "red")
    click.echo(f"{click.style(printable(file), bold=True)}: {verdict}{rest}")
