"""A replayed record in words: its outcome, what of its claimed result is wrong, and how it continues if repaired."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from capomastro.documents.wordings import phrase
from capomastro.engine.game import AnyGame
from capomastro.layout.formatting import Naming, decision_line, inline, name_of, naming, printable, table, tagged


def full_move_text(move: Mapping[str, Any]) -> str:
    """A move with all its members, including its seat."""
    return tagged(move)


def outcome_text(game: AnyGame, answer: Mapping[str, Any], names: Sequence[str] | None) -> str:
    """The outcome of a replayed game in a few words, and whether the claimed result is right."""
    if "result" not in answer:
        outcome = phrase("not-over-outcome", decision=decision_line(game, answer["decision"], names))
    else:
        outcome = result_text(answer["result"], names)
    if "claimed_result_matches" not in answer:
        return outcome
    if "result" not in answer:
        return phrase("claim-not-reached", outcome=outcome)
    return phrase("claim-right" if answer["claimed_result_matches"] else "claim-wrong", outcome=outcome)


def result_text(result: Mapping[str, Any], names: Sequence[str] | None) -> str:
    totals = ", ".join(f"{name_of(one['seat'], names)}: {one['total']}" for one in result["players"])
    if "winners" not in result:
        return phrase("winner-uncertain", totals=totals)
    winners = [name_of(seat, names) for seat in result["winners"]]
    if len(winners) > 1:
        return phrase("winners", winners=winners, totals=totals)
    return phrase("winner", winner=winners[0], totals=totals)


def mismatch_lines(game: AnyGame, answer: Mapping[str, Any], names: Sequence[str] | None) -> Iterator[str]:
    """The differences between the claimed and the computed result, one per line."""
    named = naming(game)
    wrong = [line for line in answer.get("claimed_result_lines", ()) if not line["matches"]]
    rows = [
        [
            name_of(line["seat"], names) if "seat" in line else "",
            named.member(line["what"]),
            valued("claimed", line["claimed"], named),
            valued("computed", line["computed"], named),
        ]
        for line in wrong
    ]
    if rows:
        yield from table(rows)


def valued(what: str, value: Any, named: Naming) -> str:
    """A value that is `claimed` or `computed`, or that there is none."""
    return phrase(f"{what}-nothing") if value is None else phrase(what, value=inline(value, named))


def lenient_lines(game: AnyGame, lenient: Mapping[str, Any], names: Sequence[str] | None) -> Iterator[str]:
    """How the record continues if every illegal move is repaired."""
    yield f"  {phrase('repair-' + lenient['repair'])}"
    rows = [
        [phrase("ply", ply=one["index"]), remedy_text(one), remedy_written(one), f"[{one['refusal']['rule']}]"]
        for one in lenient["divergences"]
    ]
    yield from ("    " + line for line in table(rows))
    if lenient["followed_to_the_end"]:
        yield f"    {phrase('repaired', plies=lenient['plies'], outcome=outcome_text(game, lenient, names))}"
        yield from ("    " + line for line in mismatch_lines(game, lenient, names))
    else:
        yield f"    {phrase('given-up', divergences=len(rows))}"


def remedy_text(divergence: Mapping[str, Any]) -> str:
    """The remedy for an illegal move in words: `left out: Ada passes`."""
    action, recorded = divergence["remedy"]["action"], printable(divergence["text"])
    if action == "left-out":
        return phrase("left-out", recorded=recorded)
    return phrase(action, recorded=recorded, played=printable(divergence["remedy_text"]))


def remedy_written(divergence: Mapping[str, Any]) -> str:
    """The same in documents: the recorded move, and the one that was played for it or before it."""
    recorded, remedy = full_move_text(divergence["move"]), divergence["remedy"]
    if remedy["action"] == "left-out":
        return recorded
    played = full_move_text(remedy["move"])
    return f"{played} → {recorded}" if remedy["action"] == "inserted" else f"{recorded} → {played}"
