"""A replayed record in words: its outcome, what of its claimed result is wrong, and how it continues if repaired."""

import re
from collections.abc import Iterator, Mapping, Sequence
from textwrap import wrap
from typing import Any

from capomastro.documents.wordings import phrase
from capomastro.engine.game import AnyGame
from capomastro.layout.formatting import (
    WIDTH,
    Naming,
    decision_line,
    inline,
    naming,
    object_text,
    player_name,
    printable,
    table,
)

MARGIN = 4
"""The most characters before a line that is indented."""
BLANK_WITHIN = re.compile("(?<![,;]) ")
"""A blank within a member or an item, where no line ends."""
NO_BREAK = "\N{NO-BREAK SPACE}"


def full_move_text(move: Mapping[str, Any]) -> str:
    """A move with all its members, including its seat."""
    return object_text(move)


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


def result_text(result: Mapping[str, Any], names: Sequence[str | None] | None) -> str:
    totals = ", ".join(f"{player_name(player['seat'], names)}: {player['total']}" for player in result["players"])
    if "winners" not in result:
        return phrase("winner-uncertain", totals=totals)
    winners = [player_name(seat, names) for seat in result["winners"]]
    if len(winners) > 1:
        return phrase("winners", winners=winners, totals=totals)
    return phrase("winner", winner=winners[0], totals=totals)


def mismatch_lines(game: AnyGame, answer: Mapping[str, Any], names: Sequence[str] | None) -> Iterator[str]:
    """The differences between the claimed and the computed result, one per line."""
    named = naming(game)
    wrong = [line for line in answer.get("claimed_result_lines", ()) if not line["matches"]]
    rows = []
    for line in wrong:
        player = player_name(line["seat"], names) if "seat" in line else ""
        claimed, computed = without_equal_lists(line["claimed"], line["computed"])
        rows.append(
            (
                player,
                named.member(line["what"]),
                labelled_value("claimed", claimed, named),
                labelled_value("computed", computed, named),
            )
        )
    beside = table(rows) if rows else []
    if all(len(line) <= WIDTH - MARGIN for line in beside):
        yield from beside
    else:
        yield from claimed_above_computed(rows)


def claimed_above_computed(rows: Sequence[tuple[str, str, str, str]]) -> Iterator[str]:
    """What is claimed and below it what is computed, for rows that are too long to have both."""
    labels = table([[player, what, ""] for player, what, _, _ in rows])
    width = max(map(len, labels)) + 2
    for label, (_, _, claimed, computed) in zip(labels, rows, strict=True):
        for begin, text in ((label, claimed), ("", computed)):
            yield from wrapped_after_commas(text, begin.ljust(width), " " * (width + 2))


def wrapped_after_commas(text: str, first: str, further: str) -> Iterator[str]:
    """A text in lines that end with a member or an item of a list; `first` and `further` begin the lines."""
    kept = BLANK_WITHIN.sub(NO_BREAK, text)
    for line in wrap(kept, WIDTH - MARGIN, initial_indent=first, subsequent_indent=further, break_on_hyphens=False):
        yield line.replace(NO_BREAK, " ")


def without_equal_lists(claimed: Any, computed: Any) -> tuple[Any, Any]:
    """Two lines of a score without the lists, such as tiles, that are the same in both."""
    if not (isinstance(claimed, Mapping) and isinstance(computed, Mapping)):
        return claimed, computed
    same = {name for name, value in claimed.items() if isinstance(value, list | tuple) and computed.get(name) == value}
    kept, shown = ({name: value for name, value in line.items() if name not in same} for line in (claimed, computed))
    return kept, shown


def labelled_value(what: str, value: Any, named: Naming) -> str:
    """A value with its label, `claimed` or `computed`; or the words for no value."""
    return phrase(f"{what}-nothing") if value is None else phrase(what, value=inline(value, named))


def lenient_lines(game: AnyGame, lenient: Mapping[str, Any], names: Sequence[str] | None) -> Iterator[str]:
    """How the record continues if every illegal move is repaired."""
    yield f"  {phrase('repair-' + lenient['repair'])}"
    rows = [
        [
            phrase("ply", ply=divergence["index"]),
            remedy_text(divergence),
            remedy_written(divergence),
            f"[{divergence['refusal']['rule']}]",
        ]
        for divergence in lenient["divergences"]
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
    if action == "swapped":
        first = divergence["remedy"]["first"] + 1
        return phrase("swapped", first=first, second=first + 1)
    return phrase(action, recorded=recorded, played=printable(divergence["remedy_text"]))


def remedy_written(divergence: Mapping[str, Any]) -> str:
    """The same in documents: the recorded move, and the one that was played for it or before it."""
    recorded, remedy = full_move_text(divergence["move"]), divergence["remedy"]
    if remedy["action"] == "left-out":
        return recorded
    played = full_move_text(remedy["move"])
    if remedy["action"] == "swapped":
        return f"{played} ⇄"
    return f"{played} → {recorded}" if remedy["action"] == "inserted" else f"{recorded} → {played}"
