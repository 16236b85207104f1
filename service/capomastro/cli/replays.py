"""What is said of a recorded game: one line if all is right, else where it departs from the rules and what is near."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import click

from capomastro.cli.formatting import (
    aligned,
    decision_line,
    inline,
    joined,
    move_text,
    name_of,
    printable,
    table,
    tagged,
)
from capomastro.cli.questions import place_text, say

DEPARTURES = {
    "illegal-move": "illegal at ply {}",
    "out-of-turn": "out of turn at ply {}",
    "missing-chance": "chance is missing at ply {}",
    "missing-move": "a player's move is missing at ply {}",
    "after-the-end": "moves after the end, from ply {} on",
}
REPAIRS = {
    "skip": "Leaving out what is not legal; from here on all is conditional",
    "correct": "Correcting what is not legal; from here on all is conditional",
}


def say_replay(file: str, answer: Mapping[str, Any]) -> None:
    """A record in one line if it is right, else all about its first illegal move, or about its claimed result."""
    names = answer["state"].get("names")
    if answer["legal"]:
        good = answer.get("claimed_result_matches", True)
        verdict = f"legal, {answer['plies']} moves; {standing_text(answer, names)}"
        say_verdict(file, verdict, good)
        say("  " + line for line in wrong_lines(answer, names))
        return
    divergence = answer["first_divergence"]
    departure = DEPARTURES[divergence["departure"]].format(divergence["index"])
    say_verdict(file, departure, good=False, rest=f", after {answer['plies']} legal moves")
    refusal = divergence["refusal"]
    said = [
        (1, "decision", decision_line(divergence["decision"], names)),
        (1, "move", said_move(divergence["move"])),
        (1, "rule", refusal["rule"]),
        (1, "because", printable(refusal["message"])),
        (1, "place" if "line" in refusal else "pointer", place_text(refusal, file)),
    ]
    say(aligned(said))
    if divergence["nearest"]:
        click.echo("  nearest legal moves")
        rows = [[move_text(near["move"]), f"other {joined(near['differs'])}"] for near in divergence["nearest"]]
        say("    " + line for line in table(rows))
    elif divergence["decision"]["actor"] == "seat":
        click.echo("  no legal move can be told: the hand was not seen")
    if "lenient" in answer:
        say(lenient_lines(answer["lenient"], names))


def say_verdict(file: str, verdict: str, good: bool, rest: str = "") -> None:
    verdict = click.style(verdict, fg="green" if good else "red")
    click.echo(f"{click.style(printable(file), bold=True)}: {verdict}{rest}")


def said_move(move: Mapping[str, Any]) -> str:
    """A move whoever made it, so its seat as well."""
    return tagged(move)


def standing_text(answer: Mapping[str, Any], names: Sequence[str] | None) -> str:
    """How a replayed game stands, in a few words, and whether that was claimed."""
    if "result" not in answer:
        standing = f"not over: {decision_line(answer['decision'], names)}"
    else:
        standing = result_text(answer["result"], names)
    if "claimed_result_matches" not in answer:
        return standing
    if "result" not in answer:
        return f"{standing}; the claimed result is not reached"
    return f"{standing}; the claimed result is {'right' if answer['claimed_result_matches'] else 'WRONG'}"


def result_text(result: Mapping[str, Any], names: Sequence[str] | None) -> str:
    totals = ", ".join(f"{name_of(one['seat'], names)} {one['total']}" for one in result["players"])
    if "winners" not in result:
        return f"the winner is not certain ({totals})"
    winners = [name_of(seat, names) for seat in result["winners"]]
    return f"{joined(winners)} {'share the victory' if len(winners) > 1 else 'wins'} ({totals})"


def wrong_lines(answer: Mapping[str, Any], names: Sequence[str] | None) -> Iterator[str]:
    """What of the claimed result is not as computed, a line each."""
    wrong = [line for line in answer.get("claimed_result_lines", ()) if not line["matches"]]
    rows = [
        [
            name_of(line["seat"], names) if "seat" in line else "",
            line["what"],
            f"claimed {inline(line['claimed']) if line['claimed'] is not None else 'nothing'}",
            f"computed {inline(line['computed']) if line['computed'] is not None else 'nothing'}",
        ]
        for line in wrong
    ]
    if rows:
        yield from table(rows)


def lenient_lines(lenient: Mapping[str, Any], names: Sequence[str] | None) -> Iterator[str]:
    """How the record goes on if something is done about every move that is not legal."""
    yield f"  {REPAIRS[lenient['repair']]}"
    rows = [[f"ply {one['index']}", remedy_text(one), f"[{one['refusal']['rule']}]"] for one in lenient["divergences"]]
    yield from ("    " + line for line in table(rows))
    if lenient["followed_to_the_end"]:
        yield f"    {lenient['plies']} moves then; {standing_text(lenient, names)}"
        yield from ("    " + line for line in wrong_lines(lenient, names))
    else:
        yield f"    given up after {len(rows)} divergences"


def remedy_text(divergence: Mapping[str, Any]) -> str:
    """What was done about a move: `pass: seat 0  left out`."""
    remedy = divergence["remedy"]
    recorded = said_move(divergence["move"])
    if remedy["action"] == "left-out":
        return f"left out: {recorded}"
    played = said_move(remedy["move"])
    return f"{recorded} becomes {played}" if remedy["action"] == "replaced" else f"before {recorded}: {played}"
