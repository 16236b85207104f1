"""Prints the verdict on a recorded game: one line if it is right, otherwise the first divergence in detail."""

from collections.abc import Mapping
from typing import Any

import click

from capomastro.cli.shared import file_text, place_text, print_lines
from capomastro.documents.wordings import phrase
from capomastro.engine.game import AnyGame
from capomastro.layout.formatting import aligned, decision_line, naming, printable, table
from capomastro.layout.replays import full_move_text, lenient_lines, mismatch_lines, outcome_text


def departure_text(departure: str, index: int) -> str:
    """How and where a record departs from the rules: `illegal at ply 13`."""
    return phrase(f"{departure}-at", ply=index)


def print_replay(game: AnyGame, file: str, answer: Mapping[str, Any]) -> None:
    """Prints one line if a record is right, otherwise its first illegal move or wrong result in detail."""
    names = answer["state"].get("names")
    if answer["legal"]:
        good = answer.get("claimed_result_matches", True)
        verdict = phrase("legal-record", plies=answer["plies"], outcome=outcome_text(game, answer, names))
        print_verdict(file, verdict, good)
        print_lines("  " + line for line in mismatch_lines(game, answer, names))
        return
    divergence = answer["first_divergence"]
    departure = departure_text(divergence["departure"], divergence["index"])
    print_verdict(file, departure, good=False, rest=phrase("after-moves", plies=answer["plies"]))
    print_refusal(game, divergence, divergence["decision"], divergence["move"], names, file)
    if divergence["nearest"]:
        print_nearest(game, divergence)
    elif divergence["decision"]["actor"] == "seat":
        click.echo("  " + phrase("no-move-known"))
    if "lenient" in answer:
        print_lines(lenient_lines(game, answer["lenient"], names))


def print_refusal(
    game: AnyGame,
    judged: Mapping[str, Any],
    decision: Mapping[str, Any],
    move: Mapping[str, Any],
    names: Any,
    file: str = "",
) -> None:
    """Prints who was to decide what, the illegal move, and the rule it breaks; `judged` has `refusal` and `text`."""
    refusal = judged["refusal"]
    rows = [
        (1, phrase("label-decision"), decision_line(game, decision, names)),
        (1, phrase("label-move"), printable(judged["text"])),
        (1, "", full_move_text(move)),
        (1, phrase("label-rule"), refusal["rule"]),
        (1, phrase("label-because"), printable(refusal["message"])),
        (1, phrase("label-place" if "line" in refusal else "label-pointer"), place_text(refusal, file)),
    ]
    print_lines(aligned(rows))


def print_nearest(game: AnyGame, judged: Mapping[str, Any]) -> None:
    """Prints the legal moves nearest to an illegal one, each in words and as it is written."""
    click.echo("  " + phrase("nearest"))
    member = naming(game).member
    moves = [
        [printable(text), full_move_text(near["move"]), phrase("differs", members=list(map(member, near["differs"])))]
        for near, text in zip(judged["nearest"], judged["nearest_texts"], strict=True)
    ]
    print_lines("    " + line for line in table(moves))


def print_verdict(file: str, verdict: str, good: bool, rest: str = "") -> None:
    verdict = click.style(verdict, fg="green" if good else "red")
    click.echo(f"{click.style(file_text(file), bold=True)}: {verdict}{rest}")
