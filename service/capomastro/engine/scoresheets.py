"""Judges scoresheets like states: refuses everything impossible at once."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from capomastro.engine.refusals import Refusal, refuse


class Judgement(msgspec.Struct, frozen=True):
    """The findings on a scoresheet.

    `impossible`: faults that no further entry can cure. `missing`: entries that a finished game needs and the sheet
    lacks; `contradictions`: what a finished game refutes in the entries there are. On an unfinished sheet neither is a
    fault.
    """

    impossible: tuple[Refusal, ...] = ()
    missing: tuple[Refusal, ...] = ()
    contradictions: tuple[Refusal, ...] = ()

    @property
    def of_finished_game(self) -> tuple[Refusal, ...]:
        """What a finished sheet is refused for and an unfinished one is not."""
        return *self.missing, *self.contradictions

    def refusals(self, unfinished: bool) -> tuple[Refusal, ...]:
        """The reasons to refuse the sheet."""
        return self.impossible if unfinished else (*self.impossible, *self.of_finished_game)


def judgement(
    impossible: Iterable[Refusal],
    missing: Iterable[Refusal] = (),
    contradictions: Iterable[Refusal] = (),
    overall: Iterable[Refusal] = (),
) -> Judgement:
    """Shorthand for `Judgement`, without duplicates.

    `overall` are contradictions that are looked for only if nothing else is wrong.
    """
    impossible, missing, contradictions = each_once(impossible), each_once(missing), each_once(contradictions)
    if not impossible and not missing and not contradictions:
        contradictions = each_once(overall)
    return Judgement(tuple(impossible), tuple(missing), tuple(contradictions))


def each_once(findings: Iterable[Refusal]) -> list[Refusal]:
    """The findings in order, without duplicates at the same place."""
    kept: list[Refusal] = []
    for finding in findings:
        if finding not in kept:
            kept.append(finding)
    return kept


def missing_of_seats(seats: Sequence[Any], demanded_by: Mapping[str, str]) -> Iterator[Refusal]:
    """What has not been typed in of the players; `demanded_by`: for each entry the rule that demands it."""
    for index, seat in enumerate(seats):
        for entry, rule in demanded_by.items():
            if getattr(seat, entry) is None:
                yield refuse(rule, f"/seats/{index}/{entry}", seat=index)
