"""A replayed record in words: its outcome, what of its claimed result is wrong, and how it continues if repaired."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from capomastro.layout.formatting import decision_line, inline, joined, name_of, table, tagged

REPAIRS = {
    "skip": "Leaving out illegal moves; everything from here on is conditional",
    "correct": "Correcting illegal moves; everything from here on is conditional",
}


def full_move_text(move: Mapping[str, Any]) -> str:
    """A move with all its members, including its seat."""
    return tagged(move)


def outcome_text(answer: Mapping[str, Any], names: Sequence[str] | None) -> str:
    """The outcome of a replayed game in a few words, and whether the claimed result is right."""
    if "result" not in answer:
        outcome = f"not over: {decision_line(answer['decision'], names)}"
    else:
        outcome = result_text(answer["result"], names)
    if "claimed_result_matches" not in answer:
        return outcome
    if "result" not in answer:
        return f"{outcome}; the claimed result is not reached"
    return f"{outcome}; the claimed result is {'right' if answer['claimed_result_matches'] else 'WRONG'}"


def result_text(result: Mapping[str, Any], names: Sequence[str] | None) -> str:
    totals = ", ".join(f"{name_of(one['seat'], names)} {one['total']}" for one in result["players"])
    if "winners" not in result:
        return f"the winner is not certain ({totals})"
    winners = [name_of(seat, names) for seat in result["winners"]]
    return f"{joined(winners)} {'share the victory' if len(winners) > 1 else 'wins'} ({totals})"


def mismatch_lines(answer: Mapping[str, Any], names: Sequence[str] | None) -> Iterator[str]:
    """The differences between the claimed and the computed result, one per line."""
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
    """How the record continues if every illegal move is repaired."""
    yield f"  {REPAIRS[lenient['repair']]}"
    rows = [[f"ply {one['index']}", remedy_text(one), f"[{one['refusal']['rule']}]"] for one in lenient["divergences"]]
    yield from ("    " + line for line in table(rows))
    if lenient["followed_to_the_end"]:
        yield f"    {lenient['plies']} moves then; {outcome_text(lenient, names)}"
        yield from ("    " + line for line in mismatch_lines(lenient, names))
    else:
        yield f"    given up after {len(rows)} divergences"


def remedy_text(divergence: Mapping[str, Any]) -> str:
    """The remedy for an illegal move: `left out: pass: seat 0`."""
    remedy = divergence["remedy"]
    recorded = full_move_text(divergence["move"])
    if remedy["action"] == "left-out":
        return f"left out: {recorded}"
    played = full_move_text(remedy["move"])
    return f"{recorded} becomes {played}" if remedy["action"] == "replaced" else f"before {recorded}: {played}"
